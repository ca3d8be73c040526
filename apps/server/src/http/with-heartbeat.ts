// A stream that is never silent for long: when nothing came, a beat is sent, so that both ends know the line is there.

export async function* withHeartbeat<T>(
  source: AsyncIterable<T>,
  everyMs: number,
  beat: () => T,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { promise: silence, resolve } = Promise.withResolvers<'silence'>();
      const timer = setTimeout(resolve, everyMs, 'silence');
      const first = await Promise.race([next, silence]).finally(() => clearTimeout(timer));
      if (first === 'silence') {
        yield beat();
        continue;
      }
      if (first.done === true) return;
      yield first.value;
      next = iterator.next();
    }
  } finally {
    next.catch(() => undefined);
    // Not waited for: it may come to its end only with the next item.
    void iterator.return?.().catch(() => undefined);
  }
}
