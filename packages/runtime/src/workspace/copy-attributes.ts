// Gives a copy the owner, the mode and the times of its original; whoever may not give an owner says so.
import {
  type BigIntStats,
  fchmodSync,
  fchownSync,
  futimesSync,
  lchownSync,
  lutimesSync,
  readFileSync,
} from 'node:fs';
import { errno } from './fault.ts';
import type { LossKind } from './losses.ts';

type Lose = (what: LossKind) => void;

// Seconds as a number are exact to about 0.2 µs these days, and Node takes nothing finer.
const precisionNs = 1000n;

/** The time of change comes last: a copy that has it is whole. */
export function setAttributes(fd: number, stat: BigIntStats, lose: Lose): void {
  const { owner, group } = setOwner((uid, gid) => fchownSync(fd, uid, gid), stat, lose);
  let mode = Number(stat.mode & 0o7777n);
  // The bits that lend the rights of an owner or a group must not lend those of another.
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

/** Tells of each file whether a copy of ours could be given its owner and its group. */
export function ownersToGive(): MayGive {
  if (mayGiveAny()) return () => ({ owner: true, group: true });
  const own = process.geteuid?.();
  const groups = new Set([process.getegid?.(), ...(process.getgroups?.() ?? [])]);
  return ({ uid, gid }) => ({ owner: Number(uid) === own, group: groups.has(Number(gid)) });
}

// On Linux it is a capability, the first one (CAP_CHOWN), which root in a container may lack.
function mayGiveAny(): boolean {
  if (process.platform !== 'linux') return (process.geteuid?.() ?? 0) === 0;
  const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
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
