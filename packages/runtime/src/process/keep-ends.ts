// Keeps the beginning and the end of a stream of bytes in bounded memory, however long the stream is.

export type Ends = {
  /** Number of bytes received. */
  readonly total: number;
  /** Copies what it keeps: the caller may reuse the buffer. */
  push(bytes: Buffer): void;
  /** At most `limit` bytes, half from each end; all bytes when they fit. */
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
      const largerHead = Buffer.allocUnsafe(
        Math.min(headLimit, Math.max(4096, 2 * (headSize + bytes.length))),
      );
      head.copy(largerHead, 0, 0, headSize);
      head = largerHead;
    }
    headSize += bytes.copy(head, headSize);
  }

  return {
    get total() {
      return total;
    },
    push(bytes) {
      const headBytes = Math.min(bytes.length, headLimit - headSize);
      if (headBytes > 0) pushHead(bytes.subarray(0, headBytes));
      if (headBytes < bytes.length) tail.push(bytes.subarray(headBytes));
      total += bytes.length;
    },
    take(requestedBytes) {
      const ends = { head: head.subarray(0, headSize), tail: tail.bytes() };
      const allowed = Math.min(requestedBytes, limit);
      if (total <= allowed) return { ...ends, leftOut: 0 };
      const first = ends.head.subarray(0, Math.ceil(allowed / 2));
      const last = allowed - first.length;
      const end = last <= ends.tail.length ? ends.tail : Buffer.concat([ends.head, ends.tail]);
      return { head: first, tail: end.subarray(end.length - last), leftOut: total - allowed };
    },
  };
}

/** The last `limit` bytes of a stream, in a ring buffer that is allocated with the first byte. */
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
