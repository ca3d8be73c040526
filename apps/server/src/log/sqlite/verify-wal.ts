// Checks the write-ahead file frame by frame. SQLite silently ignores everything after the first bad frame, so a flipped
// byte there would take whole entries off the end of the log. Format: https://sqlite.org/fileformat2.html#walformat
import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

const headerBytes = 32;
const frameHeaderBytes = 24;
const framesAtOnce = 64;
const pieceBytes = 1024 * 1024;

type Sums = [number, number];

/** `committed` is how many frames SQLite itself takes for committed. */
export type Wal = { bytes: Buffer; committed: number };

/** Doubtful is a commit that SQLite does not count: it was damaged, or a process was killed before it was complete. */
export type WalDamage = { problem: string; isDoubtful: boolean };

/**
 * The caller holds off all writers, so that no half-written frame is taken for a damaged one. Reading the file beside SQLite is
 * safe, since SQLite has no locks on it. The wal-index is asked through SQLite: closing that file would drop the locks on it.
 */
export function readWal(file: string): Wal {
  const name = `${file}-wal`;
  if (!existsSync(name)) return { bytes: Buffer.alloc(0), committed: 0 };
  const db = new DatabaseSync(file, { timeout: 10_000 });
  try {
    const committed = Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0);
    return { bytes: readFileSync(name), committed };
  } finally {
    db.close();
  }
}

/**
 * The same without blocking anyone, in small pieces. Until the file is restarted, its committed part stays as it is; later frames may be
 * half-written, so a fault found here has to be confirmed. Undefined when the file was restarted meanwhile.
 */
export async function readWalInPieces(file: string, db: DatabaseSync): Promise<Wal | undefined> {
  const name = `${file}-wal`;
  if (!existsSync(name)) return { bytes: Buffer.alloc(0), committed: 0 };
  const wal = await open(name, 'r');
  try {
    const { size } = await wal.stat();
    const first = await headerOf(wal);
    const committed = Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0);
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; at += pieceBytes)
      await wal.read(bytes, at, Math.min(pieceBytes, size - at), at);
    return first.equals(await headerOf(wal)) ? { bytes, committed } : undefined;
  } finally {
    await wal.close();
  }
}

async function headerOf(wal: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await wal.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Pauses after every few frames. */
export function* walDamage(wal: Wal): Generator<undefined, WalDamage | undefined> {
  const { bytes } = wal;
  if (bytes.length === 0) return undefined;
  const certain = (problem: string): WalDamage => ({ problem, isDoubtful: false });
  if (bytes.length < headerBytes) return certain('The write-ahead file is cut off.');
  const isBig = bytes.readUInt32BE(0) === 0x377f0683;
  const frameBytes = frameHeaderBytes + bytes.readUInt32BE(8);
  const sums = checksum([0, 0], bytes.subarray(0, 24), isBig);
  if (!isSame(sums, bytes, 24)) return certain('The header of the write-ahead file was changed.');
  return yield* badFrame(wal, { frameBytes, sums, isBig });
}

type Start = { frameBytes: number; sums: Sums; isBig: boolean };

function* badFrame({ bytes, committed }: Wal, start: Start): Generator<undefined, WalDamage | undefined> {
  const { frameBytes, isBig } = start;
  let { sums } = start;
  let broken: number | undefined;
  let n = 1;
  for (let at = headerBytes; at + frameBytes <= bytes.length; at += frameBytes, n++) {
    if (n % framesAtOnce === 0) yield;
    // Frames with other salts are from before the file was last restarted.
    const isCurrent = bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0;
    const isCommit = bytes.readUInt32BE(at + 4) !== 0;
    const next = broken === undefined && frameSums(sums, bytes.subarray(at, at + frameBytes), isBig);
    const isChained = next && isSame(next, bytes, at + 16);
    if (isChained && isCurrent) {
      sums = next;
      continue;
    }
    broken ??= n;
    if (broken <= committed) return { problem: changed(broken), isDoubtful: false };
    // Frames without a later commit were never part of the log: their process was killed before it.
    if (isCommit && (isCurrent || isChained)) return { problem: changed(broken), isDoubtful: true };
  }
  if (n > committed) return undefined;
  return { problem: `The write-ahead file is cut off: frame ${n} is missing.`, isDoubtful: false };
}

function changed(frame: number): string {
  return `Frame ${frame} of the write-ahead file was changed; what follows it is lost.`;
}

function frameSums(sums: Sums, frame: Buffer, isBig: boolean): Sums {
  return checksum(checksum(sums, frame.subarray(0, 8), isBig), frame.subarray(frameHeaderBytes), isBig);
}

function isSame(sums: Sums, wal: Buffer, at: number): boolean {
  return sums[0] === wal.readUInt32BE(at) && sums[1] === wal.readUInt32BE(at + 4);
}

function checksum([a, b]: Sums, bytes: Buffer, isBig: boolean): Sums {
  for (let i = 0; i < bytes.length; i += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i)) + b) >>> 0;
    b = (b + (isBig ? bytes.readUInt32BE(i + 4) : bytes.readUInt32LE(i + 4)) + a) >>> 0;
  }
  return [a, b];
}
