// Digests of bytes and of JSON, and unguessable names.
import { hash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Content addresses: how effects, fingerprints and approvals name bytes. */
export function digest(data: string | Uint8Array): string {
  return `sha256:${sha256(data)}`;
}

const mostDigested = 16 * 1024 * 1024;

/** Nothing for a large file, and for one that its owner may not read. */
export function digestOfFile(path: string, size: number): { digest?: string } {
  try {
    return size > mostDigested ? {} : { digest: digest(readFileSync(path)) };
  } catch {
    return {};
  }
}

const manyBytes = 64 * 1024;
let latest: { bytes: WeakRef<Buffer>; digest: string } | undefined;

type DigestedFile = { bytes: Buffer; digest: string };

/**
 * A file's content with its digest. An agent edits the same file repeatedly, so the last written bytes are usually the next read: comparing
 * them takes a twentieth of hashing and reuses the buffer. The bytes must not be modified afterwards.
 */
export function digestedFile(bytes: Buffer): DigestedFile {
  if (bytes.length < manyBytes) return { bytes, digest: digest(bytes) };
  const latestBytes = latest?.bytes.deref();
  if (latest !== undefined && latestBytes?.equals(bytes))
    return { bytes: latestBytes, digest: latest.digest };
  latest = { bytes: new WeakRef(bytes), digest: digest(bytes) };
  return { bytes, digest: latest.digest };
}

/** JSON with sorted keys, so that equal values have equal digests. */
export function digestJson(value: unknown): string {
  return digest(canonicalJson(value));
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

// SHA-256 as hex. Loading Node's crypto takes a tenth of a short command's time, so the first few kilobytes are hashed here (FIPS 180-4; a
// test compares it with Node's); a process that hashes more switches to the native one. The first 64 primes are listed because finding them
// would add a millisecond to every start.
const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
  107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
  227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
];
const start = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const words = new Uint32Array(64);

let remaining = 8 * 1024;

export function sha256(data: string | Uint8Array): string {
  const bytes = typeof data === 'string' && data.length < remaining ? Buffer.from(data, 'utf8') : data;
  remaining -= bytes.length;
  return remaining > 0 && typeof bytes !== 'string' ? hashHere(bytes) : hash('sha256', bytes, 'hex');
}

function hashHere(data: Uint8Array): string {
  const padded = Buffer.alloc(data.length + 8 - ((data.length + 8) % 64) + 64);
  padded.set(data);
  padded[data.length] = 0x80;
  padded.writeUInt32BE(Math.floor(data.length / 0x20000000), padded.length - 8);
  padded.writeUInt32BE((data.length << 3) >>> 0, padded.length - 4);
  const state = Uint32Array.from(start);
  for (let at = 0; at < padded.length; at += 64) addBlock(state, padded, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function addBlock(state: Uint32Array, data: Buffer, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = data.readUInt32BE(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const a = words[i - 15] ?? 0;
    const b = words[i - 2] ?? 0;
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words[i] = (words[i - 16] ?? 0) + low + (words[i - 7] ?? 0) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + mixed + chosen + (constants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits after the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 0x100000000);
}

/** An unguessable id, without loading Node's crypto where the system offers random bytes as a file. */
export function randomId(): string {
  if (unused.length < idBytes) unused = randomOctets(readAhead);
  const id = unused.toString('hex', 0, idBytes);
  unused = unused.subarray(idBytes);
  return id;
}

const idBytes = 16;
/** A patch needs an id for each of its files, and opening and closing the source costs more than reading it. */
const readAhead = 64 * idBytes;
let unused: Buffer = Buffer.alloc(0);

function randomOctets(count: number): Buffer {
  if (process.platform === 'win32') return randomBytes(count);
  const bytes = Buffer.alloc(count);
  const fd = openSync('/dev/urandom', 'r');
  try {
    if (readSync(fd, bytes) === count) return bytes;
  } finally {
    closeSync(fd);
  }
  return randomBytes(count);
}

/** Removes duplicates; values with the same JSON are equal. */
export function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}
