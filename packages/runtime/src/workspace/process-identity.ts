// Names a process so that another one can tell later whether it still lives, even when the pid was given away again.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owner } from '@codelab/protocol';

let self: Owner | undefined;

export function thisProcess(): Owner {
  self ??= { host: hostname(), pid: process.pid, startedAt: startOf(process.pid) ?? 'unknown' };
  return self;
}

/** A process on another machine counts as alive: only its own machine can say otherwise. */
export function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  const startedAt = startOf(owner.pid);
  if (startedAt !== undefined) return startedAt === owner.startedAt;
  if (process.platform === 'linux') return false;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch {
    return false;
  }
}

// Boot time plus the start tick: field 22 of /proc/PID/stat, counted after the name, which may hold spaces.
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
