// One run of a program without a shell: its own process group, bounded output, ended as a group when it is no longer wanted.
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
  /** The program printed more than `maxBytes` and was stopped there. */
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

export async function runProgram(given: ProgramOptions): Promise<ProgramRun> {
  const { program, args, cwd, env, signal, maxBytes, input } = given;
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
  // The program may end before it has read its input; its exit code says more than the broken pipe.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  try {
    const exitCode = await closed(child);
    // What was done to its end is done, wanted or not.
    if (exitCode !== 0) signal.throwIfAborted();
    return { ...output(), exitCode };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// Some failures are thrown at once, others told later.
function start(spawned: () => ChildProcess): ChildProcess {
  try {
    return spawned();
  } catch (error) {
    throw notStarted(error);
  }
}

function notStarted(error: unknown): ToolError {
  const why = errno(error) ?? String(error);
  const next = why === 'E2BIG' ? 'Name fewer files.' : 'Try again.';
  return new ToolError('GIT_ERROR', `git could not be started (${why}). ${next}`, {
    reason: 'start',
    errno: why,
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
    // By a signal there is no code; as shells do, any number above all codes.
    child.once('close', (code) => resolve(code ?? 255));
  });
}

// Asked first: git takes its locks away before it ends.
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
    // Ended already.
  }
}

// The git program by its absolute path. Folders of the search path that are relative, or lie in the workspace, are passed over:
// what an agent can write must not be what runs as git.
const name = process.platform === 'win32' ? 'git.exe' : 'git';
const found = new Map<string, string>();

export function findGit(root: string, searchPath = process.env.PATH ?? '/usr/bin:/bin'): string {
  const key = `${root}\0${searchPath}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  for (const folder of searchPath.split(delimiter)) {
    const program = isAbsolute(folder) ? realProgram(join(folder, name)) : undefined;
    if (program === undefined || isInside(program, root) || isInside(folder, root)) continue;
    found.set(key, program);
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

// One change to a repository at a time: git does not wait for its own locks.
const last = new Map<string, Promise<unknown>>();

export async function takeTurns<T>(repository: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(repository) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(repository, mine);
  try {
    return await mine;
  } finally {
    if (last.get(repository) === mine) last.delete(repository);
  }
}

// A name and a password in front of a host: `https://name:token@host`. Shown nowhere that a model can read.
const credentials = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi;

export function maskCredentials(text: string): string {
  return text.replace(credentials, '$1***@');
}

/** The name alone is no secret where it only says whom to log in as: `ssh://git@host`. */
export function hasCredentials(text: string): boolean {
  return [...text.matchAll(credentials)].some(([found, scheme]) => {
    const isLogin = /ssh/i.test(scheme ?? '') && !found.slice((scheme ?? '').length).includes(':');
    return !isLogin;
  });
}
