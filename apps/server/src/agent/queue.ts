// From calls that push to a loop that pulls.

export type Queue<T> = AsyncIterable<T> & { push(item: T): void; end(): void; fail(error: unknown): void };

export function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  let isEnded = false;
  let failure: { error: unknown } | undefined;
  let wake = (): void => undefined;
  return {
    push(item) {
      items.push(item);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    fail(error) {
      failure = { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        for (let item = items.shift(); item !== undefined; item = items.shift()) yield item;
        if (failure !== undefined) throw failure.error;
        if (isEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
