// The last bytes of a stream, read by any number of readers, each from where it stopped. What fell out in between is counted.
export type Ring = {
  readonly total: number;
  push(bytes: Buffer): void;
  /** At most `most` bytes from the byte number `cursor` on, or from the oldest that is still there. */
  read(cursor: number, most: number): { bytes: Buffer; from: number };
};

export function createRing(capacity: number): Ring {
  let buffer = Buffer.alloc(0);
  let total = 0;

  // While nothing has fallen out the bytes lie in order, so a larger buffer takes them over as they are.
  function grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(capacity, Math.max(4096, 2 * needed)));
    buffer.copy(grown, 0, 0, total);
    buffer = grown;
  }

  return {
    get total() {
      return total;
    },
    push(bytes) {
      if (buffer.length < capacity && total + bytes.length > buffer.length) grow(total + bytes.length);
      const rest = bytes.subarray(Math.max(0, bytes.length - buffer.length));
      const at = (total + bytes.length - rest.length) % buffer.length;
      const first = rest.copy(buffer, at);
      if (first < rest.length) rest.copy(buffer, 0, first);
      total += bytes.length;
    },
    read(cursor, most) {
      const from = Math.min(Math.max(cursor, total - buffer.length, 0), total);
      const size = Math.min(most, total - from);
      if (size === 0) return { bytes: Buffer.alloc(0), from };
      const at = from % buffer.length;
      const first = buffer.subarray(at, at + size);
      const bytes = Buffer.concat([first, buffer.subarray(0, size - first.length)]);
      return { bytes, from };
    },
  };
}
