// The beginning and the end of a stream of bytes, however long it is, in bounded memory.

export type Ends = {
  /** How many bytes came by. */
  readonly total: number;
  /** Copies what it keeps: the caller may use the buffer again. */
  push(bytes: Buffer): void;
  /** At most `limit` of the bytes, half from each end; all of them when they fit. */
  take(limit: number): { head: Buffer; tail: Buffer; leftOut: number };
};

export function keepEnds(limit: number): Ends {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  let head = Buffer.alloc(0);
  let headSize = 0;
  let ring: Buffer | undefined;
  let total = 0;

  function pushHead(bytes: Buffer): void {
    if (headSize + bytes.length > head.length) {
      const grown = Buffer.allocUnsafe(Math.min(headLimit, Math.max(4096, 2 * (headSize + bytes.length))));
      head.copy(grown, 0, 0, headSize);
      head = grown;
    }
    headSize += bytes.copy(head, headSize);
  }

  function pushTail(bytes: Buffer, before: number): void {
    if (tailLimit === 0) return;
    ring ??= Buffer.allocUnsafe(tailLimit);
    const skipped = Math.max(0, bytes.length - tailLimit);
    const rest = bytes.subarray(skipped);
    const at = (before + skipped) % tailLimit;
    const first = rest.copy(ring, at);
    if (first < rest.length) rest.copy(ring, 0, first);
  }

  // What the ring holds, oldest first.
  function tail(): Buffer {
    const seen = total - headSize;
    if (ring === undefined || seen === 0) return Buffer.alloc(0);
    if (seen <= tailLimit) return ring.subarray(0, seen);
    const at = seen % tailLimit;
    return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
  }

  return {
    get total() {
      return total;
    },
    push(bytes) {
      const own = Math.min(bytes.length, headLimit - headSize);
      if (own > 0) pushHead(bytes.subarray(0, own));
      if (own < bytes.length) pushTail(bytes.subarray(own), total + own - headSize);
      total += bytes.length;
    },
    take(wanted) {
      const kept = { head: head.subarray(0, headSize), tail: tail() };
      const allowed = Math.min(wanted, limit);
      if (total <= allowed) return { ...kept, leftOut: 0 };
      const first = kept.head.subarray(0, Math.ceil(allowed / 2));
      const last = allowed - first.length;
      const end = last <= kept.tail.length ? kept.tail : Buffer.concat([kept.head, kept.tail]);
      return { head: first, tail: end.subarray(end.length - last), leftOut: total - allowed };
    },
  };
}
