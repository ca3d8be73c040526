// Copies the content of one open file into another: shares blocks where the disk can, else copies in chunks and keeps holes.

import { spawnSync } from 'node:child_process';
import {
  type BigIntStats,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  ftruncateSync,
  futimesSync,
  lchownSync,
  lutimesSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { visibleLine } from '@codelab/protocol';
import type { Pieces, Steps } from '../../platform/steps.ts';
import { hasProc, readProc } from '../../platform/system.ts';
import { newTemp } from '../commit/change.ts';
import type { Directory, Name } from '../directory.ts';
import { errno } from '../fault.ts';

const chunkBytes = 256 * 1024;
const blockBytes = 4096;
const zeros = Buffer.alloc(chunkBytes);
// Below this size cloning costs more than copying.
const minSharedBytes = 64n * 1024n;

/** The shared state of all copies of one tree. */
export type ContentCopier = { chunk: Buffer; canShare: boolean; pieces: Pieces };

export function contentCopier(pieces: Pieces): ContentCopier {
  return { chunk: Buffer.allocUnsafe(chunkBytes), canShare: hasProc(), pieces };
}

/** `stat` is of the open source. The file is copied to its present end; the caller checks whether that is the expected size. */
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
    // A short read is the end of the file, unless its size promised more.
    if (got === 0 || (got < chunk.length && BigInt(at) === stat.size)) break;
  }
  if (isSparse) ftruncateSync(to, at);
  return at;
}

// Uses descriptors on both sides. The copy gets the mode of the original first, before its owner, so a setuid or setgid file is not cloned.
// After the first refusal cloning is not tried again in this tree.
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

/** Gives a copy the owner, mode and times of its original, and reports an owner that could not be set. */
type Lose = (what: LossKind) => void;

// Times as seconds in a number are exact to about 0.2 µs, and Node accepts nothing finer.
const precisionNs = 1000n;

/** The modification time is set last: a copy that has it is complete. */
export function setAttributes(fd: number, stat: BigIntStats, lose: Lose): void {
  const { owner, group } = setOwner((uid, gid) => fchownSync(fd, uid, gid), stat, lose);
  let mode = Number(stat.mode & 0o7777n);
  // Setuid and setgid bits must not apply to another owner or group.
  if (!stat.isDirectory()) mode &= ~((owner ? 0 : 0o4000) | (group ? 0 : 0o2000));
  fchmodSync(fd, mode);
  futimesSync(fd, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

export function setLinkAttributes(path: string | Buffer, stat: BigIntStats, lose: Lose): void {
  setOwner((uid, gid) => lchownSync(path, uid, gid), stat, lose);
  lutimesSync(path, seconds(stat.atimeNs), seconds(stat.mtimeNs));
}

export function hasTimeOf(copy: BigIntStats, original: BigIntStats): boolean {
  const apart = copy.mtimeNs - original.mtimeNs;
  return -precisionNs < apart && apart < precisionNs;
}

type MayGive = (stat: BigIntStats) => { owner: boolean; group: boolean };

/** Whether this process could give a copy the owner and the group of a file. */
export function ownersToGive(): MayGive {
  if (mayGiveAny()) return () => ({ owner: true, group: true });
  const userId = process.geteuid?.();
  const groups = new Set([process.getegid?.(), ...(process.getgroups?.() ?? [])]);
  return ({ uid, gid }) => ({ owner: Number(uid) === userId, group: groups.has(Number(gid)) });
}

// On Linux changing owners takes CAP_CHOWN, the first capability, which root in a container may lack.
function mayGiveAny(): boolean {
  const status = readProc('self/status');
  if (status === undefined) return (process.geteuid?.() ?? 0) === 0;
  const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return (BigInt(`0x${capabilities ?? '0'}`) & 1n) === 1n;
}

function setOwner(
  give: (uid: number, gid: number) => void,
  stat: BigIntStats,
  lose: Lose,
): { owner: boolean; group: boolean } {
  const [uid, gid] = [Number(stat.uid), Number(stat.gid)];
  if (isAllowed(() => give(uid, gid))) return { owner: true, group: true };
  const owner = isAllowed(() => give(uid, -1));
  const group = isAllowed(() => give(-1, gid));
  if (!owner) lose('owner');
  if (!group) lose('group');
  return { owner, group };
}

function isAllowed(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    // EINVAL: an owner that this container has no number for.
    if (errno(error) !== 'EPERM' && errno(error) !== 'EINVAL') throw error;
    return false;
  }
}

function seconds(ns: bigint): number {
  return Number(ns) / 1e9;
}

/** Losses of a copied tree: counted by kind, the first ones by name. */
const maxListed = 20;

export type LossKind = 'socket' | 'device' | 'FIFO' | 'owner' | 'group' | 'hard link';
type Loss = { path: string; what: LossKind };

export type Losses = {
  /** The first 20, and the first of each kind. */
  lost: Loss[];
  /** The total of each kind. */
  lostCounts: Partial<Record<LossKind, number>>;
};

export function noLosses(): Losses {
  return { lost: [], lostCounts: {} };
}

export function addLoss({ lost, lostCounts }: Losses, path: string, what: LossKind): void {
  // The list always has one loss of each kind.
  if (lost.length < maxListed || lostCounts[what] === undefined) lost.push({ path, what });
  lostCounts[what] = (lostCounts[what] ?? 0) + 1;
}

const words: Record<LossKind, (count: number) => string> = {
  socket: (count) => (count === 1 ? 'a socket' : `${count} sockets`),
  device: (count) => (count === 1 ? 'a device' : `${count} devices`),
  FIFO: (count) => (count === 1 ? 'a FIFO' : `${count} FIFOs`),
  owner: (count) => `the owner of ${entries(count)}`,
  group: (count) => `the group of ${entries(count)}`,
  'hard link': (count) => `the hard links of ${entries(count)} to names elsewhere`,
};
const maxNamed = 3;

/** A phrase for each kind, with some names: `2 sockets (run/a.sock, run/b.sock)`. */
export function describeLosses({ lost, lostCounts }: Losses): string[] {
  const kinds = [...new Set(lost.map(({ what }) => what))];
  return kinds.map((kind) => {
    const count = lostCounts[kind] ?? 0;
    const paths = lost.filter(({ what }) => what === kind).map(({ path }) => visibleLine(path));
    const named = paths.slice(0, maxNamed).join(', ');
    return `${words[kind](count)} (${named}${count > maxNamed ? ', …' : ''})`;
  });
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/** Node cannot make a FIFO; the system's own program can, where there is one. */
const programs = ['/usr/bin/mkfifo', '/bin/mkfifo'];

export function canMakeFifos(): boolean {
  return programs.some((path) => existsSync(path));
}

/** False when no FIFO could be created. */
export function makeFifo(parent: Directory, name: Name): boolean {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) return false;
  // The program takes no name that is not UTF-8.
  const fifoName = typeof name === 'string' ? name : newTemp();
  // The program is started in the open folder itself.
  const options = { cwd: parent.at('.'), env: {}, stdio: 'ignore' as const };
  if (spawnSync(program, ['-m', '600', '--', fifoName], options).status !== 0) return false;
  if (fifoName !== name) renameSync(parent.at(fifoName), parent.at(name));
  return true;
}
