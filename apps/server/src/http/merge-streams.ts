// Two streams as one, in the order things come; it ends with whichever ends first.

export async function* mergeStreams<T>(one: AsyncIterable<T>, other: AsyncIterable<T>): AsyncGenerator<T> {
  const sources = [one, other].map((source) => source[Symbol.asyncIterator]());
  const pull = async (at: number): Promise<{ at: number; item: IteratorResult<T> }> => {
    const item = (await sources[at]?.next()) ?? { done: true as const, value: undefined };
    return { at, item };
  };
  const pending = sources.map((_source, at) => pull(at));
  try {
    for (;;) {
      const { at, item } = await Promise.race(pending);
      if (item.done === true) return;
      yield item.value;
      pending[at] = pull(at);
    }
  } finally {
    for (const promise of pending) promise.catch(() => undefined);
    // Not waited for: they may come to their ends only with the next item.
    for (const source of sources) void source.return?.(undefined).catch(() => undefined);
  }
}
