// Checks the write-ahead file frame by frame. SQLite silently ignores everything after the first bad frame, so a flipped
// byte there would take whole entries off the end of the log. Format: https://sqlite.org/fileformat2.html#walformat
import { existsSync, readFileSync } from 'node:fs';
import { finish } from './finish.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;
const framesAtOnce = 64;

type Sums = [number, number];

/** What is wrong with the file, or undefined. Nobody may write to it meanwhile. */
export function verifyWal(file: string): string | undefined {
  return finish(walDamage(readWal(file)));
}

export function readWal(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}

/** Pauses after every few frames. */
export function* walDamage(wal: Buffer): Generator<undefined, string | undefined> {
  if (wal.length === 0) return undefined;
  if (wal.length < headerBytes) return 'The write-ahead file is cut off.';
  const isBig = wal.readUInt32BE(0) === 0x377f0683;
  const pageBytes = wal.readUInt32BE(8);
  const headerSums = checksum([0, 0], wal.subarray(0, 24), isBig);
  if (!isSame(headerSums, wal, 24)) return 'The header of the write-ahead file was changed.';
  return yield* badFrame(wal, frameHeaderBytes + pageBytes, headerSums, isBig);
}

function* badFrame(
  wal: Buffer,
  frameBytes: number,
  start: Sums,
  isBig: boolean,
): Generator<undefined, string | undefined> {
  let sums = start;
  let broken: number | undefined;
  for (let at = headerBytes, n = 1; at + frameBytes <= wal.length; at += frameBytes, n++) {
    if (n % framesAtOnce === 0) yield;
    // Frames with other salts are left over from before the file was last started anew.
    const isCurrent = wal.compare(wal, 16, 24, at + 8, at + 16) === 0;
    if (broken !== undefined) {
      if (isCurrent) return `Frame ${broken} of the write-ahead file was changed; what follows it is lost.`;
      continue;
    }
    const next = checksum(
      checksum(sums, wal.subarray(at, at + 8), isBig),
      wal.subarray(at + frameHeaderBytes, at + frameBytes),
      isBig,
    );
    if (isCurrent && isSame(next, wal, at + 16)) sums = next;
    else if (isCurrent) return `Frame ${n} of the write-ahead file was changed.`;
    else broken = n;
  }
  return undefined;
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
