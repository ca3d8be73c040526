// Messages that one reader has not read yet. The number is bounded; the sender is told when there is room again.

export type MessageFeed<T> = AsyncIterableIterator<T> & {
  push(item: T): void;
  /** The reader's loop ends, or throws, after the buffered messages. */
  end(error?: Error): void;
  readonly isFull: boolean;
};

type FeedOptions = { limit: number; onRoom(): void; onLeave(): void };

export function createMessageFeed<T>({ limit, onRoom, onLeave }: FeedOptions): MessageFeed<T> {
  const held: T[] = [];
  let waiting: PromiseWithResolvers<IteratorResult<T>> | undefined;
  let ended: { error: Error | undefined } | undefined;

  const over = (): Promise<IteratorResult<T>> => {
    const error = ended?.error;
    if (error === undefined) return Promise.resolve({ done: true, value: undefined });
    ended = { error: undefined };
    return Promise.reject(error);
  };

  const feed: MessageFeed<T> = {
    get isFull() {
      return held.length >= limit;
    },
    push(item) {
      if (ended !== undefined) return;
      if (waiting === undefined) return void held.push(item);
      waiting.resolve({ done: false, value: item });
      waiting = undefined;
    },
    end(error) {
      if (ended !== undefined) return;
      ended = { error };
      waiting?.resolve(over());
      waiting = undefined;
    },
    next() {
      if (held.length > 0) {
        const [value] = held.splice(0, 1) as [T];
        if (held.length === Math.floor(limit / 2)) onRoom();
        return Promise.resolve({ done: false, value });
      }
      if (ended !== undefined) return over();
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
    return() {
      held.length = 0;
      feed.end();
      onLeave();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => feed,
  };
  return feed;
}
