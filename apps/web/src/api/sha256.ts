// SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers offer them only for pages over TLS or from this machine, and a gateway may be opened
// from another device of the network.

const roots = fractionsOfPrimes();

/** The 32 bytes of the digest. */
export function sha256Bytes(message: Uint8Array): number[] {
  const blocks = padded(message);
  const words = new DataView(blocks.buffer);
  const state = [...roots.initial];
  const schedule = new Uint32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = words.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [early = 0, late = 0] = [schedule[i - 15], schedule[i - 2]];
      const small0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const small1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      schedule[i] = (schedule[i - 16] ?? 0) + small0 + (schedule[i - 7] ?? 0) + small1;
    }
    compress(state, schedule);
  }
  return state.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): number[] {
  const short = key.length > 64 ? sha256Bytes(key) : [...key];
  const block = Uint8Array.from({ length: 64 }, (_none, i) => short[i] ?? 0);
  const inner = sha256Bytes(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256Bytes(
    joined(
      block.map((byte) => byte ^ 0x5c),
      Uint8Array.from(inner),
    ),
  );
}

function compress(state: number[], schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + big1 + choice + (roots.rounds[i] ?? 0) + (schedule[i] ?? 0)) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + big0 + majority) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + word) >>> 0;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  const bits = new DataView(blocks.buffer);
  bits.setUint32(blocks.length - 8, Math.floor(message.length / 2 ** 29));
  bits.setUint32(blocks.length - 4, message.length << 3);
  return blocks;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The constants: the first 32 bits of the fractions of the square and cube roots of the first primes. */
function fractionsOfPrimes(): { initial: number[]; rounds: number[] } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const bitsOf = (root: number): number => Math.floor((root % 1) * 2 ** 32);
  return {
    initial: primes.slice(0, 8).map((prime) => bitsOf(Math.sqrt(prime))),
    rounds: primes.map((prime) => bitsOf(Math.cbrt(prime))),
  };
}
