// A process that owns running calls rewrites a small file again and again, so that processes which cannot see it (another host with
// the same state folder, another container) can tell whether it is still there.
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '@codelab/protocol';
import { randomId } from './random-id.ts';

const beatMs = 5000;

/** Without a heartbeat for this long a process that cannot be seen counts as dead. */
export const silenceMs = 30_000;

/** Until disposed of. Several in one process may use the same folder. */
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
      const left = (running.get(file) ?? 1) - 1;
      running.set(file, left);
      if (left > 0) return;
      running.delete(file);
      rmSync(file, { force: true });
    },
  };
}

const running = new Map<string, number>();

// Both times come from the same file system, so clocks of different hosts that differ do no harm.
export function hasFreshHeartbeat(home: string, owner: Owner): boolean {
  const last = lstatSync(fileOf(home, owner), { throwIfNoEntry: false });
  if (last === undefined) return false;
  return timeInFolder(home) - last.mtimeMs < silenceMs;
}

function beat(file: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // A full disk or a removed folder: the next beat may get through.
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, name.slice(-200));
}

function folderOf(home: string): string {
  return join(home, 'owners');
}
