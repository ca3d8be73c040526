// The beginning and the end of a stream of bytes, however long the stream is, in bounded memory.

/** The beginning and the end of a stream of bytes, however long it is, in bounded memory. */
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
  const tail = keepTail(limit - headLimit);
  let head = Buffer.alloc(0);
  let headSize = 0;
  let total = 0;

  function pushHead(bytes: Buffer): void {
    if (headSize + bytes.length > head.length) {
      const grown = Buffer.allocUnsafe(Math.min(headLimit, Math.max(4096, 2 * (headSize + bytes.length))));
      head.copy(grown, 0, 0, headSize);
      head = grown;
    }
    headSize += bytes.copy(head, headSize);
  }

  return {
    get total() {
      return total;
    },
    push(bytes) {
      const own = Math.min(bytes.length, headLimit - headSize);
      if (own > 0) pushHead(bytes.subarray(0, own));
      if (own < bytes.length) tail.push(bytes.subarray(own));
      total += bytes.length;
    },
    take(wanted) {
      const kept = { head: head.subarray(0, headSize), tail: tail.bytes() };
      const allowed = Math.min(wanted, limit);
      if (total <= allowed) return { ...kept, leftOut: 0 };
      const first = kept.head.subarray(0, Math.ceil(allowed / 2));
      const last = allowed - first.length;
      const end = last <= kept.tail.length ? kept.tail : Buffer.concat([kept.head, kept.tail]);
      return { head: first, tail: end.subarray(end.length - last), leftOut: total - allowed };
    },
  };
}

/** The last `limit` bytes of a stream, in a ring that is made with the first byte. */
function keepTail(limit: number): { push(bytes: Buffer): void; bytes(): Buffer } {
  let ring: Buffer | undefined;
  let total = 0;
  return {
    push(bytes) {
      if (limit > 0) {
        ring ??= Buffer.allocUnsafe(limit);
        const skipped = Math.max(0, bytes.length - limit);
        const rest = bytes.subarray(skipped);
        const first = rest.copy(ring, (total + skipped) % limit);
        if (first < rest.length) rest.copy(ring, 0, first);
      }
      total += bytes.length;
    },
    /** Oldest first. */
    bytes() {
      if (ring === undefined || total === 0) return Buffer.alloc(0);
      if (total <= limit) return ring.subarray(0, total);
      const at = total % limit;
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
    },
  };
}
