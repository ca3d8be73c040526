// Programs that build the sandbox: from system folders, never from the PATH, and only when nobody but root can replace them.
import type { SpawnSyncReturns } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import { release } from 'node:os';
import { dirname, join } from 'node:path';
import { underTracer } from './trace-writes.ts';

const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

const patienceMs = 5000;

/** Undefined when the program is not installed. */
export function systemProgram(name: string): { path: string } | { why: string } | undefined {
  const path = folders
    .map((folder) => join(folder, name))
    .find((place) => lstatSync(place, { throwIfNoEntry: false }) !== undefined);
  if (path === undefined) return undefined;
  // A program may check the name it was started by, so the path keeps its name.
  if (isRootsAlone(realpathSync(dirname(path))) && isRootsAlone(realpathSync(path))) return { path };
  return { why: `${path} can be changed by users other than root, so it is not used.` };
}

/** Only root can replace the file or a folder on its path. */
function isRootsAlone(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isShared = (mode & 0o022) !== 0;
  return uid === 0 && !isShared && (path === '/' || isRootsAlone(dirname(path)));
}

/** The error of a trial run of a sandbox; undefined when it succeeded. It is tried with tracing first, and used so when that works. */
export function runFailure(argv: readonly string[]): string | undefined {
  return underTracer(argv, (traced) => failureOf(traced) === undefined) ? undefined : failureOf(argv);
}

/** The error of a run; undefined when it succeeded. */
export function failureOf(argv: readonly string[]): string | undefined {
  const ran = run(argv);
  if (ran.status === 0) return undefined;
  const [line] = `${ran.stderr}`.trim().split('\n');
  return line || ran.error?.message || `exit code ${ran.status ?? ran.signal}`;
}

// Loaded only when a command is planned: other tools start without it.
function run([program = '', ...args]: readonly string[]): SpawnSyncReturns<string> {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  return spawnSync(program, args, { encoding: 'utf8', timeout: patienceMs, env: {}, cwd: '/' });
}

// Limits the number of processes in the kernel, which refuses the next one before sampling would notice.

/** The prefix of a command inside its own user namespace; empty where the limit would apply to other processes or not at all. */
export function boundProcesses(limit: number): string[] {
  if (!isCountedApart()) return [];
  cached ??= systemProgram('prlimit') ?? { why: 'prlimit is not installed.' };
  return 'path' in cached ? [cached.path, `--nproc=${limit}:${limit}`, '--'] : [];
}

let cached: ReturnType<typeof systemProgram>;

// Since Linux 5.14 a user's processes are counted per user namespace. Root's processes are not limited at all.
function isCountedApart(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const isNew = major > 5 || (major === 5 && minor >= 14);
  return process.platform === 'linux' && isNew && process.geteuid?.() !== 0;
}
