// A subscription's stream: an async iterable that is pushed to, stopped by its reader or ended by its source.

export type Queue<T> = AsyncIterable<T> & {
  push(items: readonly T[]): void;
  fail(error: Error): void;
  stop(): void;
};

export function createQueue<T>(onStop: () => void = () => undefined): Queue<T> {
  let items: T[] = [];
  let nextIndex = 0;
  let failure: Error | undefined;
  let isOver = false;
  let wake: () => void = () => undefined;

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      while (nextIndex < items.length) yield items[nextIndex++] as T;
      items = [];
      nextIndex = 0;
      if (failure !== undefined) throw failure;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    push(newItems) {
      for (const item of newItems) items.push(item);
      wake();
    },
    fail(error) {
      failure = error;
      wake();
    },
    stop() {
      isOver = true;
      onStop();
      wake();
    },
  };
}
