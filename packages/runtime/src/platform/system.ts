// Which optional features this system has, and which of its processes run. Each feature is detected by trying it, never by the name of the
// system, and has a fallback that guarantees less or asks more. `CODELAB_WITHOUT=proc,watch` switches some off, for tests.
import {
  type FSWatcher,
  fstatSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { lazily, type Owner } from '@codelab/protocol';
import { ensureFolder } from './database-lock.ts';
import { randomId } from './digest.ts';

/**
 * `proc`: /proc shows processes and open files. `trace`: the kernel reports which files a sandboxed command writes. `watch`: file changes
 * are reported. `groups`: processes have groups.
 */
export type SystemPart = 'proc' | 'sandbox' | 'bubblewrap' | 'trace' | 'watch' | 'groups';

/** Whether a feature is switched off. Its absence only makes checks stricter, so the environment may decide it. */
export function isSwitchedOff(part: SystemPart): boolean {
  return process.env.CODELAB_WITHOUT?.split(/[\s,]+/).includes(part) === true;
}

/** Whether processes can be inspected by pid, as in proc_pid_stat(5). */
export function hasProc(): boolean {
  if (isSwitchedOff('proc')) return false;
  proc ??= readProc('self/stat')?.startsWith(`${process.pid} (`) === true;
  return proc;
}

let proc: boolean | undefined;

/** A file of /proc; undefined where it does not exist. */
export function readProc(path: string, encoding: 'latin1' | 'utf8' = 'latin1'): string | undefined {
  if (isSwitchedOff('proc')) return undefined;
  try {
    return readFileSync(`/proc/${path}`, encoding);
  } catch {
    return undefined;
  }
}

/** Whether `/proc/self/fd/N/name` reaches a name in the open directory N, however its path changes. `fd` is any open directory. */
export function hasDescriptorPaths(fd: number): boolean {
  descriptors ??= leadsTo(fd);
  return descriptors && !isSwitchedOff('proc');
}

let descriptors: boolean | undefined;

function leadsTo(fd: number): boolean {
  try {
    const opened = fstatSync(fd, { bigint: true });
    const named = lstatSync(`/proc/self/fd/${fd}/.`, { bigint: true });
    return opened.dev === named.dev && opened.ino === named.ino;
  } catch {
    return false;
  }
}

/** Whether a signal can reach a process together with everything it started. Systems with user ids have such groups. */
export function hasGroups(): boolean {
  return !isSwitchedOff('groups') && process.getuid !== undefined;
}

/** Reports changes in a folder. Throws where the system has no watcher, or none is left: then the caller has to poll. */
export function watchFolder(folder: string, onChange: () => void): FSWatcher {
  if (isSwitchedOff('watch')) throw new Error('CODELAB_WITHOUT switches it off');
  return watch(folder, onChange);
}

/** The pid namespace of this process; undefined where there are none. */
function pidNamespace(): string | undefined {
  if (isSwitchedOff('proc')) return undefined;
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

// Identifies a process so that another one can tell later whether it still runs, even after the pid was reused, the host was renamed, or a
// container was recreated. A process that can't be inspected is judged by its heartbeat.

let self: Owner | undefined;

export function thisProcess(): Owner {
  const namespace = self === undefined ? pidNamespace() : undefined;
  self ??= {
    host: hostname(),
    pid: process.pid,
    startedAt: startOf(process.pid) ?? `unknown-${randomId()}`,
    ...(namespace !== undefined && { pidNamespace: namespace }),
  };
  return self;
}

/** The user of this process. A container may run under a number without a name. */
export function userName(unnamed = process.env.USER || `uid ${process.getuid?.() ?? 'unknown'}`): string {
  try {
    return userInfo().username;
  } catch {
    return unnamed;
  }
}

/** `home` is the state folder that both processes share: it has the heartbeats. */
export function isAlive(owner: Owner, home: string): boolean {
  if (isThisProcess(owner)) return true;
  switch (visibility(owner)) {
    case 'visible':
      return startOf(owner.pid) === owner.startedAt;
    case 'hidden':
      return hasFreshHeartbeat(home, owner);
    case 'unreliable':
      return hasPid(owner.pid) && hasFreshHeartbeat(home, owner);
  }
}

/** Whether this process knows for certain that the owner runs: then no person can declare it dead. */
export function isSeenAlive(owner: Owner): boolean {
  return isThisProcess(owner) || (visibility(owner) === 'visible' && startOf(owner.pid) === owner.startedAt);
}

/** Whether this process knows for certain that the owner has ended. */
export function isSeenGone(owner: Owner): boolean {
  return visibility(owner) === 'visible' && startOf(owner.pid) !== owner.startedAt;
}

function isThisProcess({ pid, startedAt }: Owner): boolean {
  const here = thisProcess();
  return pid === here.pid && startedAt === here.startedAt;
}

/** The boot during which a process was started; undefined where the system does not report it. */
function bootOf({ startedAt }: Owner): string | undefined {
  return startedAt.includes(':') ? startedAt.slice(0, startedAt.lastIndexOf(':')) : undefined;
}

/** Whether the machine has not rebooted since that process wrote: its writes are in memory or on the disk. */
export function isThisBoot(owner: Owner): boolean {
  const boot = bootOf(owner);
  return boot !== undefined && boot === bootOf(thisProcess());
}

// A host name proves nothing: it changes, and containers share it. Without /proc only the pid is left, which may have been reused.
function visibility(owner: Owner): 'visible' | 'hidden' | 'unreliable' {
  const here = thisProcess();
  if (bootOf(here) === undefined) return owner.host === here.host ? 'unreliable' : 'hidden';
  // Entries of earlier versions have no namespace; their host name tells them apart.
  const isSameNamespace =
    owner.pidNamespace === undefined ? owner.host === here.host : owner.pidNamespace === here.pidNamespace;
  return isThisBoot(owner) && isSameNamespace ? 'visible' : 'hidden';
}

const bootHere = lazily(() => readProc('sys/kernel/random/boot_id'));

// Field 22 of /proc/PID/stat, counted after the name, which may contain spaces.
function startOf(pid: number): string | undefined {
  const stat = readProc(`${pid}/stat`);
  const boot = bootHere();
  if (stat === undefined || boot === undefined) return undefined;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : `${boot.trim()}:${fields[18]}`;
}

function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// A process that owns running calls regularly rewrites a small file, so that processes that can't inspect it (another host with the same
// state folder, another container) can tell whether it still runs.
const beatMs = 5000;

/** A process that can't be inspected counts as dead after this long without a heartbeat. */
export const silenceMs = 30_000;

/** Runs until disposed. Several in one process may use the same folder. */
export function startHeartbeat(home: string, owner: Owner): Disposable {
  const file = fileOf(home, owner);
  const users = (running.get(file) ?? 0) + 1;
  running.set(file, users);
  beat(file);
  const timer = setInterval(() => beat(file), beatMs);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      const remaining = (running.get(file) ?? 1) - 1;
      running.set(file, remaining);
      if (remaining > 0) return;
      running.delete(file);
      rmSync(file, { force: true });
    },
  };
}

const running = new Map<string, number>();

// Both times come from the same file system, so differing clocks of hosts do no harm.
function hasFreshHeartbeat(home: string, owner: Owner): boolean {
  const last = lstatSync(fileOf(home, owner), { throwIfNoEntry: false });
  if (last === undefined) return false;
  return timeInFolder(home) - last.mtimeMs < silenceMs;
}

function beat(file: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // A full disk or a removed folder: the next heartbeat may succeed.
  }
}

function timeInFolder(home: string): number {
  const probe = join(folderOf(home), `${randomId()}.probe`);
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    return lstatSync(probe).mtimeMs;
  } catch {
    return Date.now();
  } finally {
    rmSync(probe, { force: true });
  }
}

function fileOf(home: string, { host, pid, startedAt, pidNamespace = '' }: Owner): string {
  const name = [host, pid, startedAt, pidNamespace].join('-').replace(/[^\w.-]/g, '_');
  const folder = folderOf(home);
  ensureFolder(folder);
  return join(folder, name.slice(-200));
}

function folderOf(home: string): string {
  return join(home, 'owners');
}
