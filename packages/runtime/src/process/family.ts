// The processes a command has become: itself, whatever shares its session, and whatever carries its mark in the environment,
// though it left the session or lost its parent.
import { readdirSync, readFileSync } from 'node:fs';
import { markerName } from './child-environment.ts';

/** `pid` leads a session of its own; 0 when it is not known any more. `bornAt` is of `performance.now()`. */
export type Ancestor = { pid: number; marker: string; bornAt: number };

export type Member = { pid: number; group: number; name: string };

const hasProc = process.platform === 'linux';

/** Those that live now. */
export function findFamily(ancestor: Ancestor): Member[] {
  if (!hasProc) return groupLives(ancestor.pid) ? [{ pid: ancestor.pid, group: ancestor.pid, name: '' }] : [];
  return candidates(ancestor).flatMap((pid) => lookAt(pid, ancestor));
}

export function signalFamily({ pid }: Ancestor, members: readonly Member[], signal: NodeJS.Signals): void {
  // At one stroke: nobody can be born between two of them.
  if (pid > 0 && members.some(({ group }) => group === pid)) send(-pid, signal);
  for (const member of members) if (member.group !== pid || pid === 0) send(member.pid, signal);
}

// Pids are given out in order, so whoever came after the ancestor has a higher one, up to the last that was given out. That holds
// while they can't have gone round: where there are few of them, or after a while, everybody is looked at.
function candidates({ pid: first, bornAt }: Ancestor): number[] {
  const last = lastPid();
  if (first > 0 && last === first) return [first];
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  if (first === 0 || performance.now() - bornAt > roundMs || pidMax() < manyPids) return all;
  return all.filter((pid) => (last >= first ? pid >= first && pid <= last : pid >= first || pid <= last));
}

const manyPids = 1_000_000;
const roundMs = 10 * 60_000;

function pidMax(): number {
  mostPids ??= Number(read('/proc/sys/kernel/pid_max') ?? 0);
  return mostPids;
}

let mostPids: number | undefined;

function lastPid(): number {
  return Number(read('/proc/loadavg')?.trim().split(' ').at(-1) ?? 0);
}

function lookAt(pid: number, ancestor: Ancestor): Member[] {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined || pid === process.pid) return [];
  const nameEnd = stat.lastIndexOf(')');
  const [state, , group, session] = stat.slice(nameEnd + 2).split(' ');
  if (state === 'Z' || state === 'X') return [];
  const isOurs = (ancestor.pid > 0 && Number(session) === ancestor.pid) || isMarked(pid, ancestor.marker);
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  return isOurs ? [{ pid, group: Number(group), name }] : [];
}

function isMarked(pid: number, marker: string): boolean {
  const environment = read(`/proc/${pid}/environ`) ?? '';
  return `\0${environment}`.includes(`\0${markerName}=${marker}`);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function groupLives(pid: number): boolean {
  return pid > 0 && send(-pid, 0);
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // Gone in the meantime.
    return false;
  }
}
