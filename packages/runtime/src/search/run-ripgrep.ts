// Runs one ripgrep process: its output as it arrives, its end, and how to stop it. ripgrep runs without configuration, starts no other
// program and follows no link; its regular expressions take time linear in the text.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { patternError } from '../platform/pattern-worker.ts';
import { hasProc, readProc } from '../platform/system.ts';

export type RipgrepRun = {
  pid: number | undefined;
  /** Settles when the process has exited; rejects when it failed by itself. */
  ended: Promise<'ended' | 'stopped' | 'too large'>;
  stop(): void;
};

type Spec = {
  program: string;
  args: readonly string[];
  cwd: string;
  /** An open file to search instead of the directory. */
  input?: number;
  take(chunk: Buffer): void;
  maxMemory?: number;
};

const common = [
  '--no-config',
  '--color=never',
  '--no-messages',
  '--no-ignore-messages',
  '--no-follow',
  '--no-mmap',
  '--hidden',
  '--regex-size-limit=10M',
];
const maxErrorBytes = 8192;
const memoryCheckMs = 100;
const maxMemoryBytes = 512 * 1024 * 1024;
const pageBytes = 4096;

export function startRipgrep(spec: Spec): RipgrepRun {
  const { program, args, cwd, input, take, maxMemory = maxMemoryBytes } = spec;
  const child = spawn(program, [...common, ...args], {
    cwd,
    env: ownEnvironment(),
    stdio: [input ?? 'ignore', 'pipe', 'pipe'],
  });
  let stopReason: 'stopped' | 'too large' | undefined;
  let errors = '';
  const stop = (reason: typeof stopReason = 'stopped'): void => {
    if (stopReason === undefined) child.kill('SIGKILL');
    stopReason ??= reason;
  };
  child.stdout?.on('data', (chunk: Buffer) => (stopReason === undefined ? take(chunk) : undefined));
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorBytes) errors += chunk.toString();
  });
  // ripgrep holds a line of a gigabyte in memory as a whole, and nothing announces such a line, so memory is polled.
  const watch = setInterval(() => {
    if (memoryOf(child.pid) > maxMemory) stop('too large');
  }, memoryCheckMs);
  const ended = new Promise<'ended' | 'stopped' | 'too large'>((resolve, reject) => {
    child.on('error', (error) => reject(cannotStart(error)));
    child.on('close', (_code, signal) => {
      if (stopReason !== undefined) resolve(stopReason);
      // ripgrep also exits with 2 when a file could not be read; stderr has text only when the call itself is wrong.
      else if (signal !== null || errors.trim() !== '') reject(patternError(errors, signal));
      else resolve('ended');
    });
  }).finally(() => clearInterval(watch));
  return { pid: child.pid, ended, stop: () => stop() };
}

// ripgrep finds the user's ignore file by these variables; no other variable is passed.
function ownEnvironment(): NodeJS.ProcessEnv {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  return { ...(HOME && { HOME }), ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) };
}

function memoryOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  return Number(readProc(`${pid}/statm`)?.split(' ')[1] ?? 0) * pageBytes;
}

function cannotStart(error: Error): ToolError {
  return new ToolError('EXECUTION_FAILED', `ripgrep cannot be started (${error.message}).`);
}

/** Processor time of a process and its threads; where the system does not report it, the time since the start. */
export function processorMs(pid: number | undefined, startedAt: number): number {
  if (!hasProc()) return performance.now() - startedAt;
  try {
    const tasks = `/proc/${pid}/task`;
    const used = readdirSync(tasks).map((task) =>
      Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'latin1'), 10),
    );
    return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return performance.now() - startedAt;
  }
}
