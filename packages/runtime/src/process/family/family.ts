// The processes of a command: the command itself, every process of its session, and every process with its mark in the environment, also
// after leaving the session or losing its parent.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasGroups, hasProc, readProc } from '../../platform/system.ts';
import { markerName } from '../child-environment.ts';

/** `pid` leads its own session; 0 when it is no longer known. */
export type Ancestor = { pid: number; marker: string; born: Birth };

/** When a process was started: by `performance.now()` and, where pids are few, by the number of processes started since boot. */
export type Birth = { at: number; after: number | undefined };

/** Must be called before the process is started. */
export function birthNow(): Birth {
  return { at: performance.now(), after: hasProc() && pidMax() < manyPids ? startedSoFar() : undefined };
}

export type FamilyProcess = {
  pid: number;
  parent: number;
  group: number;
  name: string;
  state: string;
  threads: number;
};

/** The running processes of the family. */
export function findFamily(ancestor: Ancestor): FamilyProcess[] {
  const { pid } = ancestor;
  if (hasProc()) return findAll(ancestor, new Set()).filter((member) => !hasEnded(member));
  return groupLives(pid) ? [{ pid, parent: 0, group: pid, name: '', state: '', threads: 1 }] : [];
}

/**
 * With /proc: the running processes, and those that have ended but were not reaped. A caller that samples repeatedly keeps `strangers`:
 * no process joins a family later, so each stranger is inspected once.
 */
export function findAllOfFamily(ancestor: Ancestor, strangers: Set<number>): FamilyProcess[] {
  const members = findAll(ancestor, strangers);
  const pids = new Set(members.filter((member) => !hasEnded(member)).map(({ pid }) => pid));
  return members.filter((member) => !hasEnded(member) || pids.has(member.parent));
}

/** An ended process no longer shows whose it was, so all ended ones are included. */
function findAll(ancestor: Ancestor, strangers: Set<number>): FamilyProcess[] {
  const alive = pidsSince(ancestor);
  const before = new Set(strangers);
  strangers.clear();
  return alive.flatMap((pid) => {
    const member = before.has(pid) ? undefined : lookAt(pid, ancestor);
    if (member === undefined) strangers.add(pid);
    return member ?? [];
  });
}

export function signalFamily(
  { pid }: Ancestor,
  members: readonly FamilyProcess[],
  signal: NodeJS.Signals,
): void {
  if (!hasGroups()) {
    endTrees(members);
    return;
  }
  // One signal to the whole group: no process can be created between two signals.
  if (pid > 0 && members.some(({ group }) => group === pid)) send(-pid, signal);
  for (const member of members) if (member.group !== pid || pid === 0) send(member.pid, signal);
}

// Pids are assigned in order, so a descendant has a higher pid than the ancestor, up to the last one assigned. That holds until pids wrap
// around: after some time, or after that many processes, every process is inspected.
export function pidsSince({ pid: first, born }: Pick<Ancestor, 'pid' | 'born'>): number[] {
  const last = lastPid();
  if (first > 0 && last === first) return [first];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  if (first === 0 || mayHaveGoneRound(born)) return pids;
  return pids.filter((pid) => (last >= first ? pid >= first && pid <= last : pid >= first || pid <= last));
}

const manyPids = 1_000_000;
const roundMs = 10 * 60_000;

// Assignment skips pids in use, so fewer processes than there are pids make a full round.
function mayHaveGoneRound({ at, after }: Birth): boolean {
  if (pidMax() >= manyPids) return performance.now() - at > roundMs;
  const since = startedSoFar() - (after ?? Number.NaN);
  return !(since <= pidMax() / 2);
}

/** Number of processes and threads started since boot; NaN where the system does not count them. */
function startedSoFar(): number {
  return Number(/^processes (\d+)$/m.exec(readProc('stat') ?? '')?.[1]) || Number.NaN;
}

function pidMax(): number {
  mostPids ??= Number(readProc('sys/kernel/pid_max') ?? 0);
  return mostPids;
}

let mostPids: number | undefined;

function lastPid(): number {
  return Number(readProc('loadavg')?.trim().split(' ').at(-1) ?? 0);
}

/** Undefined for a process of another family; empty for one that has ended, or is not known yet. */
function lookAt(pid: number, ancestor: Ancestor): FamilyProcess[] | undefined {
  if (pid === process.pid) return undefined;
  const stat = readProc(`${pid}/stat`);
  if (stat === undefined) return [];
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state = '', parent = '', group, session] = fields;
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const member = {
    pid,
    parent: Number(parent),
    group: Number(group),
    name,
    state,
    threads: Number(fields[17]),
  };
  if (hasEnded(member)) return [member];
  const isOurs = (ancestor.pid > 0 && Number(session) === ancestor.pid) || isMarked(pid, ancestor.marker);
  // During `exec` a process has no environment; kernel threads never have one.
  if (isOurs === undefined) return member.parent === kernelThreads ? undefined : [];
  return isOurs ? [member] : undefined;
}

function hasEnded({ state }: FamilyProcess): boolean {
  return state === 'Z' || state === 'X';
}

const kernelThreads = 2;

const tracerName = 'trace-writes';

/** The process that records what a sandboxed command writes. It is the first one, so no process inside can pass for it. */
export function isTracer({ pid, name }: { pid: number; name: string }, first: { pid: number }): boolean {
  return pid === first.pid && name === tracerName;
}

function isMarked(pid: number, marker: string): boolean | undefined {
  const environment = readProc(`${pid}/environ`);
  if (environment === '') return undefined;
  return `\0${environment ?? ''}`.includes(`\0${markerName}=${marker}`);
}

function groupLives(pid: number): boolean {
  return pid > 0 && send(hasGroups() ? -pid : pid, 0);
}

// Windows has no process groups and no SIGTERM; taskkill ends a process with its descendants.
function endTrees(members: readonly FamilyProcess[]): void {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  for (const { pid } of members) {
    const { status } = spawnSync(taskkill, ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' });
    if (status !== 0) send(pid, 'SIGKILL');
  }
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // The process has ended meanwhile.
    return false;
  }
}

// Ends a command with all its descendants: SIGTERM first, SIGKILL after the grace period. Returns when none is left.

// A killed process is gone at once unless the kernel waits for a disk, so the wait is bounded.
const killMs = 3000;

export async function endFamily(
  ancestor: Ancestor,
  { graceMs, first = 'SIGTERM' }: { graceMs: number; first?: NodeJS.Signals },
): Promise<void> {
  const members = findFamily(ancestor);
  if (members.length === 0) return;
  signalFamily(ancestor, politely(members), first);
  if (await isGone(ancestor, graceMs, () => undefined)) return;
  const kill = (remaining: readonly FamilyProcess[]): void => signalFamily(ancestor, remaining, 'SIGKILL');
  kill(findFamily(ancestor));
  await isGone(ancestor, killMs, kill);
}

/** For a sandboxed command that must stop at once: killing its first process ends all others. */
export function killAtOnce({ pid }: Pick<Ancestor, 'pid'>): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

const ofSandbox = new Set(['bwrap', 'unshare', tracerName]);

// Signalling the sandbox's own processes would kill everything at once; they exit with the command they run.
function politely(members: readonly FamilyProcess[]): readonly FamilyProcess[] {
  const inside = members.filter(({ name }) => !ofSandbox.has(name));
  const isHeld = inside.length < members.length && inside.length > 0;
  return isHeld ? inside.map((member) => ({ ...member, group: 0 })) : members;
}

async function isGone(
  ancestor: Ancestor,
  ms: number,
  onEachRound: (remaining: readonly FamilyProcess[]) => void,
): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let pause = 2; ; pause = Math.min(2 * pause, 50)) {
    const alive = findFamily(ancestor);
    if (alive.length === 0) return true;
    const remaining = deadline - performance.now();
    if (remaining <= 0) return false;
    onEachRound(alive);
    await wait(Math.min(pause, remaining));
  }
}

// After a program has exited: reads what it had printed, and ends its remaining descendants, which would otherwise run on unnoticed and
// may hold the pipes. Output in the pipes arrives within milliseconds; after that, another process holds them.
const drainMs = 100;

export async function clearUp(
  child: Ancestor & { silent: Promise<void>; close(): void },
  graceMs: number,
): Promise<void> {
  const isSilent = await isDoneWithin(drainMs, child.silent);
  await endFamily(child, { graceMs });
  if (!isSilent) await isDoneWithin(drainMs, child.silent);
  child.close();
}

function isDoneWithin(ms: number, done: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void done.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
