// Copies the content of one open file into another: shared with the original where the disk can, else in chunks, holes left as holes.
import { type BigIntStats, constants, copyFileSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import type { Pieces, Steps } from '../platform/steps.ts';

const chunkBytes = 256 * 1024;
const blockBytes = 4096;
const zeros = Buffer.alloc(chunkBytes);
// Below this size asking costs more than copying.
const minSharedBytes = 64n * 1024n;

/** What the copies of one tree have in common. */
export type ContentCopier = { chunk: Buffer; canShare: boolean; pieces: Pieces };

export function contentCopier(pieces: Pieces): ContentCopier {
  return { chunk: Buffer.allocUnsafe(chunkBytes), canShare: process.platform === 'linux', pieces };
}

/** `stat` is of the open source. It is copied to its end as it is now; whether that was its end is for the caller to see. */
export function* copyContent(
  copier: ContentCopier,
  from: number,
  to: number,
  stat: BigIntStats,
): Steps<number> {
  const { chunk, pieces } = copier;
  if (shareBlocks(copier, from, to, stat)) {
    pieces.done.bytes += Number(stat.size);
    return Number(stat.size);
  }
  const isSparse = stat.blocks * 512n < stat.size;
  const before = pieces.done.bytes;
  let at = 0;
  while (at <= stat.size) {
    const got = readSync(from, chunk, 0, chunk.length, at);
    const bytes = chunk.subarray(0, got);
    if (isSparse) writeData(to, bytes, at);
    else writeAll(to, bytes, at);
    at += got;
    pieces.done.bytes = before + at;
    yield* pieces.pause(0, got);
    // Less than there was room for is the end, unless the file was said to be longer.
    if (got === 0 || (got < chunk.length && BigInt(at) === stat.size)) break;
  }
  if (isSparse) ftruncateSync(to, at);
  return at;
}

// By descriptor on both sides. The disk gives the copy the mode of the original at once, before it has its owner: not with one that
// lends rights. The first refusal holds for the tree.
function shareBlocks(copier: ContentCopier, from: number, to: number, stat: BigIntStats): boolean {
  if (!copier.canShare || stat.size < minSharedBytes || (stat.mode & 0o6000n) !== 0n) return false;
  try {
    copyFileSync(`/proc/self/fd/${from}`, `/proc/self/fd/${to}`, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    copier.canShare = false;
    return false;
  }
}

function writeAll(to: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(to, bytes, done, bytes.length - done, at + done);
}

/** Writes all but the blocks of zeros, which read as zeros without being written. */
function writeData(to: number, bytes: Buffer, at: number): void {
  if (isZero(bytes)) return;
  let start = 0;
  for (let block = 0; block < bytes.length; block += blockBytes) {
    const end = Math.min(block + blockBytes, bytes.length);
    if (!isZero(bytes.subarray(block, end))) continue;
    writeAll(to, bytes.subarray(start, block), at + start);
    start = end;
  }
  writeAll(to, bytes.subarray(start), at + start);
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(zeros.subarray(0, bytes.length));
}
