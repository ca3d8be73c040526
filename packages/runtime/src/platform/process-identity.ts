// Names a process so that another one can tell later whether it is still running, even when the pid was reused, the host was renamed,
// or a container was made anew. A process that cannot be seen from here is judged by its heartbeat.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owner } from '@codelab/protocol';
import { hasFreshHeartbeat } from './heartbeat.ts';

let self: Owner | undefined;

export function thisProcess(): Owner {
  self ??= {
    host: hostname(),
    pid: process.pid,
    startedAt: startOf(process.pid) ?? 'unknown',
    ...pidNamespace(),
  };
  return self;
}

/** `home` is the state folder both processes share: heartbeats are kept there. */
export function isAlive(owner: Owner, home: string): boolean {
  switch (visibility(owner)) {
    case 'visible':
      return startOf(owner.pid) === owner.startedAt;
    case 'hidden':
      return hasFreshHeartbeat(home, owner);
    case 'unreliable':
      return hasPid(owner.pid) && hasFreshHeartbeat(home, owner);
  }
}

/** Whether this process can tell for certain that the owner runs: then no person can declare it dead. */
export function isSeenAlive(owner: Owner): boolean {
  return visibility(owner) === 'visible' && startOf(owner.pid) === owner.startedAt;
}

/** The boot under which a process was started; undefined where the system does not tell. */
function bootOf({ startedAt }: Owner): string | undefined {
  return startedAt.includes(':') ? startedAt.slice(0, startedAt.lastIndexOf(':')) : undefined;
}

/** Whether the machine has not been started anew since that process wrote: what it wrote is in memory or on the disk. */
export function isThisBoot(owner: Owner): boolean {
  const boot = bootOf(owner);
  return boot !== undefined && boot === bootOf(thisProcess());
}

// A host name says nothing: it changes, and containers share it. Outside Linux a pid is all there is, and it may have been reused.
function visibility(owner: Owner): 'visible' | 'hidden' | 'unreliable' {
  const here = thisProcess();
  if (bootOf(here) === undefined) return owner.host === here.host ? 'unreliable' : 'hidden';
  // Entries of earlier versions name no namespace; they were told apart by host name.
  const isSameNamespace =
    owner.pidNamespace === undefined ? owner.host === here.host : owner.pidNamespace === here.pidNamespace;
  return isThisBoot(owner) && isSameNamespace ? 'visible' : 'hidden';
}

// Field 22 of /proc/PID/stat, counted after the name, which may contain spaces.
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${fields[18]}`;
  } catch {
    return undefined;
  }
}

function pidNamespace(): Pick<Owner, 'pidNamespace'> {
  if (process.platform !== 'linux') return {};
  try {
    return { pidNamespace: readlinkSync('/proc/self/ns/pid') };
  } catch {
    return {};
  }
}

function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
