// Runs a program without a shell: own process group, bounded output, the whole group ended when the run is cancelled.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { hasGroups } from '../platform/system.ts';
import { errno } from '../workspace/fault.ts';

const stderrBytes = 16 * 1024;
const graceMs = 2000;

export type ProgramRun = {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
  /** The program printed more than `maxBytes` and was stopped. */
  isCut: boolean;
};

type ProgramOptions = {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  maxBytes: number;
  input?: string | Buffer;
};

export async function runProgram(options: ProgramOptions): Promise<ProgramRun> {
  const { program, args, cwd, env, signal, maxBytes, input } = options;
  signal.throwIfAborted();
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = start(() =>
    spawn(program, args, {
      cwd,
      env,
      detached: hasGroups(),
      windowsHide: true,
      stdio: [stdin, 'pipe', 'pipe'],
    }),
  );
  const output = collect(child, maxBytes);
  const stop = (): void => endGroup(child);
  signal.addEventListener('abort', stop, { once: true });
  // The program may exit before it has read its input; its exit code says more than the broken pipe.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  try {
    const exitCode = await closed(child);
    // A program that has succeeded is done, so a late cancellation does not turn it into a failure.
    if (exitCode !== 0) signal.throwIfAborted();
    return { ...output(), exitCode };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// spawn throws some failures and emits others as `error`.
function start(spawned: () => ChildProcess): ChildProcess {
  try {
    return spawned();
  } catch (error) {
    throw notStarted(error);
  }
}

function notStarted(error: unknown): ToolError {
  const reason = errno(error) ?? String(error);
  const next = reason === 'E2BIG' ? 'Name fewer files.' : 'Try again.';
  return new ToolError('GIT_ERROR', `git could not be started (${reason}). ${next}`, {
    reason: 'start',
    errno: reason,
  });
}

function collect(child: ChildProcess, maxBytes: number): () => Omit<ProgramRun, 'exitCode'> {
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  let bytes = 0;
  let errorBytes = 0;
  let isCut = false;
  child.stdout?.on('data', (chunk: Buffer) => {
    if (isCut) return;
    bytes += chunk.length;
    if (bytes <= maxBytes) {
      out.push(chunk);
      return;
    }
    isCut = true;
    out.push(chunk.subarray(0, chunk.length - (bytes - maxBytes)));
    endGroup(child);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errorBytes < stderrBytes) errors.push(chunk.subarray(0, stderrBytes - errorBytes));
    errorBytes += chunk.length;
  });
  return () => ({ stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString(), isCut });
}

function closed(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)));
    // A program ended by a signal has no exit code; 255 stands for it.
    child.once('close', (code) => resolve(code ?? 255));
  });
}

// SIGTERM comes first, because git removes its lock files before it exits.
function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  child.once('close', () => clearTimeout(timer));
}

function signalGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    process.kill(hasGroups() ? -child.pid : child.pid, name);
  } catch {
    // The group has already exited.
  }
}

// The absolute path of the git program. Relative folders of the PATH and folders in the workspace are skipped:
// a file that an agent can write must never run as git.
const name = process.platform === 'win32' ? 'git.exe' : 'git';
const programs = new Map<string, string>();

export function findGit(root: string, searchPath = process.env.PATH ?? '/usr/bin:/bin'): string {
  const key = `${root}\0${searchPath}`;
  const cached = programs.get(key);
  if (cached !== undefined) return cached;
  for (const folder of searchPath.split(delimiter)) {
    const program = isAbsolute(folder) ? realProgram(join(folder, name)) : undefined;
    if (program === undefined || isInside(program, root) || isInside(folder, root)) continue;
    programs.set(key, program);
    return program;
  }
  throw new ToolError('COMMAND_NOT_FOUND', 'git is not installed. Install it, then try again.');
}

function realProgram(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

// One change to a repository at a time: git fails instead of waiting for its own locks.
const last = new Map<string, Promise<unknown>>();

export async function takeTurns<T>(repository: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(repository) ?? Promise.resolve();
  const current = before.then(work, work);
  last.set(repository, current);
  try {
    return await current;
  } finally {
    if (last.get(repository) === current) last.delete(repository);
  }
}

// User and password of a URL: `https://name:token@host`. They are removed from every text that a model can read.
const credentials = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi;

export function maskCredentials(text: string): string {
  return text.replace(credentials, '$1***@');
}

/** A user name alone is no secret where it is only a login name: `ssh://git@host`. */
export function hasCredentials(text: string): boolean {
  return [...text.matchAll(credentials)].some(([found, scheme]) => {
    const isLogin = /ssh/i.test(scheme ?? '') && !found.slice((scheme ?? '').length).includes(':');
    return !isLogin;
  });
}
