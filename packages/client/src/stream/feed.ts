// Unread messages of one reader. The number is bounded; the sender is notified when there is room again.

export type MessageFeed<T> = AsyncIterableIterator<T> & {
  push(item: T): void;
  /** The reader's loop ends, or throws, after the buffered messages. */
  end(error?: Error): void;
  readonly isFull: boolean;
};

type FeedOptions = { limit: number; onRoom(): void; onLeave(): void };

export function createMessageFeed<T>({ limit, onRoom, onLeave }: FeedOptions): MessageFeed<T> {
  const buffered: T[] = [];
  let reader: PromiseWithResolvers<IteratorResult<T>> | undefined;
  let ended: { error: Error | undefined } | undefined;

  const endResult = (): Promise<IteratorResult<T>> => {
    const error = ended?.error;
    if (error === undefined) return Promise.resolve({ done: true, value: undefined });
    ended = { error: undefined };
    return Promise.reject(error);
  };

  const feed: MessageFeed<T> = {
    get isFull() {
      return buffered.length >= limit;
    },
    push(item) {
      if (ended !== undefined) return;
      if (reader === undefined) return void buffered.push(item);
      reader.resolve({ done: false, value: item });
      reader = undefined;
    },
    end(error) {
      if (ended !== undefined) return;
      ended = { error };
      reader?.resolve(endResult());
      reader = undefined;
    },
    next() {
      if (buffered.length > 0) {
        const [value] = buffered.splice(0, 1) as [T];
        if (buffered.length === Math.floor(limit / 2)) onRoom();
        return Promise.resolve({ done: false, value });
      }
      if (ended !== undefined) return endResult();
      reader ??= Promise.withResolvers();
      return reader.promise;
    },
    return() {
      buffered.length = 0;
      feed.end();
      onLeave();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => feed,
  };
  return feed;
}

/** An error in one listener must not cost the others their messages; it is reported as uncaught. */
export function callSafely<T>(handler: (value: T) => void, value: T): void {
  try {
    handler(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
