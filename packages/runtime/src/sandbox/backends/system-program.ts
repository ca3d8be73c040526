// Programs that build the sandbox: from system folders, never from the PATH, and only when nobody but root can replace them. And the one
// program of our own that runs around the sandbox and records what the command writes.
import type { SpawnSyncReturns } from 'node:child_process';
import { accessSync, constants, lstatSync, realpathSync } from 'node:fs';
import { release } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isSwitchedOff } from '../../platform/system.ts';

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
  return { why: `${path} can be changed by others than root, so it is not trusted to hold commands.` };
}

/** Only root can replace the file or a folder on its path. */
function isRootsAlone(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isShared = (mode & 0o022) !== 0;
  return uid === 0 && !isShared && (path === '/' || isRootsAlone(dirname(path)));
}

/**
 * The error of a trial run of a sandbox; undefined when it succeeded. It is tried with tracing first: the sandbox may need what a traced
 * program can't have, such as the rights of a setuid program.
 */
export function runFailure(argv: readonly string[]): string | undefined {
  const [program = ''] = argv;
  const tracer = findTracer();
  if ('path' in tracer && run([tracer.path, '/dev/null', '/', '--', ...argv]).status === 0) {
    traceable.add(program);
    return undefined;
  }
  traceable.delete(program);
  const ran = run(argv);
  if (ran.status === 0) return undefined;
  const [line] = `${ran.stderr}`.trim().split('\n');
  return line || ran.error?.message || `exit code ${ran.status ?? ran.signal}`;
}

/** By their first program, the sandboxes that work when they are traced. */
const traceable = new Set<string>();

/** The argv that runs a sandbox, and records in the file `report` what is written below `root`; unchanged where that does not work. */
export function traced(
  argv: readonly string[],
  { report, root }: { report: string; root: string },
): readonly string[] {
  const tracer = findTracer();
  const isUsed = 'path' in tracer && traceable.has(argv[0] ?? '');
  return isUsed ? [tracer.path, report, root, '--', ...argv] : argv;
}

/** native/trace-writes.c, which the build compiles where there is a compiler: beside the bundle, or in the folder of its source. */
export function findTracer(): { path: string } | { why: string } {
  if (isSwitchedOff('trace')) return { why: 'CODELAB_WITHOUT switches it off' };
  const here = import.meta.dirname;
  const folder = basename(here) === 'backends' ? join(here, '..', '..', '..', 'native', 'dist') : here;
  const path = join(folder, `trace-writes-${process.arch}`);
  try {
    accessSync(path, constants.X_OK);
    return { path };
  } catch {
    return { why: 'trace-writes is not part of this installation' };
  }
}

// Loaded only when a command is planned: other tools start without it.
function run([program = '', ...args]: readonly string[]): SpawnSyncReturns<string> {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  return spawnSync(program, args, { encoding: 'utf8', timeout: patienceMs, env: {}, cwd: '/' });
}

// Limits the number of processes in the kernel, which refuses the next one before sampling would notice.

/** The prefix of a command inside its own user namespace; empty where the limit would apply to other processes or not at all. */
export function boundProcesses(most: number): string[] {
  if (!isCountedApart()) return [];
  known ??= systemProgram('prlimit') ?? { why: 'prlimit is not installed.' };
  return 'path' in known ? [known.path, `--nproc=${most}:${most}`, '--'] : [];
}

let known: ReturnType<typeof systemProgram>;

// Since Linux 5.14 a user's processes are counted per user namespace. Root's processes are not limited at all.
function isCountedApart(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const isNew = major > 5 || (major === 5 && minor >= 14);
  return process.platform === 'linux' && isNew && process.geteuid?.() !== 0;
}
