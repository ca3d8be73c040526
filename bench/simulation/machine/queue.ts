// What a subscription gives: an async iterable that is pushed to, stopped by its reader or ended by whoever feeds it.

export type Queue<T> = AsyncIterable<T> & {
  push(items: readonly T[]): void;
  fail(error: Error): void;
  stop(): void;
};

export function createQueue<T>(onStop: () => void = () => undefined): Queue<T> {
  let items: T[] = [];
  let taken = 0;
  let failure: Error | undefined;
  let isOver = false;
  let wake: () => void = () => undefined;

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      while (taken < items.length) yield items[taken++] as T;
      items = [];
      taken = 0;
      if (failure !== undefined) throw failure;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    push(more) {
      for (const item of more) items.push(item);
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
