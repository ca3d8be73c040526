// Starts a program in its own session, without a terminal, with real pipes for its output.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { resourceLimit, ToolError } from '@codelab/protocol';
import { hasGroups } from '../platform/system.ts';
import { errno } from '../workspace/fault.ts';
import type { Stream } from './capture-output.ts';
import { type Ancestor, birthNow } from './family/family.ts';
import type { FamilyLimits } from './family/limit-family.ts';
import { closeWriters, type Pipe, type Pipes } from './pipes.ts';

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type Child = Ancestor & {
  exited: Promise<Exit>;
  /** Settles when no process can print any more. */
  silent: Promise<void>;
  /** Continues reading after `onBytes` returned false. */
  resume(): void;
  /** Stops reading, even if a process still writes. */
  close(): void;
  stdin: Writable | undefined;
};

/** A program that is ready to start, with its mark in its environment. */
export type Launch = {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  marker: string;
  /** Limits of an unasked command. */
  limits?: FamilyLimits | undefined;
};

export type SpawnOrder = Launch & {
  pipes: Pipes;
  takesInput: boolean;
  /** Must copy what it keeps; returns false to pause until `resume`. */
  onBytes(stream: Stream, bytes: Buffer): boolean;
};

export async function spawnChild(order: SpawnOrder): Promise<Child> {
  const { pipes, onBytes } = order;
  const ends = await openBoth(pipes, onBytes);
  // Starting a process blocks for about 20 ms on a busy machine, so other work gets a turn first.
  await otherWork();
  try {
    const birth = birthNow();
    const child = start(order, ends);
    const pid = child.pid;
    if (pid === undefined) throw await whyNot(child);
    // Later errors show in the exit.
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    if (ends === undefined) listen(child, onBytes);
    return {
      pid,
      marker: order.marker,
      born: birth,
      exited: new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal }))),
      silent:
        ends === undefined ? closing(child) : Promise.all(ends.map(({ ended }) => ended)).then(() => {}),
      resume: () => resumeAll(child, ends),
      close: () => closeAll(child, ends),
      stdin: child.stdin ?? undefined,
    };
  } catch (error) {
    for (const end of ends ?? []) end.close();
    throw spawnFault(error, order.argv[0] ?? '');
  } finally {
    closeWriters(ends ?? []);
  }
}

// Without `mkfifo`, Node's own pipes are used.
async function openBoth(pipes: Pipes, onBytes: SpawnOrder['onBytes']): Promise<[Pipe, Pipe] | undefined> {
  let stdout: Pipe | undefined;
  try {
    stdout = await pipes.open((bytes) => onBytes('stdout', bytes));
    return [stdout, await pipes.open((bytes) => onBytes('stderr', bytes))];
  } catch {
    if (stdout !== undefined) closeWriters([stdout]);
    stdout?.close();
    return undefined;
  }
}

function start({ argv, cwd, env, takesInput }: SpawnOrder, ends: [Pipe, Pipe] | undefined): ChildProcess {
  const [program = '', ...args] = argv;
  const stdio: StdioOptions = [
    takesInput ? 'pipe' : 'ignore',
    ends?.[0].writer ?? 'pipe',
    ends?.[1].writer ?? 'pipe',
  ];
  return spawn(program, args, { cwd, env, stdio, detached: hasGroups(), windowsHide: true });
}

function listen(child: ChildProcess, onBytes: SpawnOrder['onBytes']): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    stream?.on('data', (bytes: Buffer) => {
      if (!onBytes(name, bytes)) stream.pause();
    });
  }
}

function closing(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}

function resumeAll(child: ChildProcess, ends: readonly Pipe[] | undefined): void {
  for (const end of ends ?? [child.stdout, child.stderr]) end?.resume();
}

function closeAll(child: ChildProcess, ends: readonly Pipe[] | undefined): void {
  for (const end of ends ?? []) end.close();
  for (const stream of child.stdio) stream?.destroy();
}

function whyNot(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('error', resolve));
}

function spawnFault(error: unknown, program: string): unknown {
  switch (errno(error)) {
    case 'ENOENT':
      return new ToolError('COMMAND_NOT_FOUND', `There is no program ${program} on this machine.`);
    case 'EACCES':
      return new ToolError('PERMISSION_DENIED', `The operating system does not let ${program} run.`);
    case 'E2BIG':
      return new ToolError('INVALID_ARGUMENTS', 'The command line is too long for the system.');
    default:
      return resourceLimit(error) ?? error;
  }
}

/** Starts a program in its own terminal, for programs that require one. */
type TerminalOrder = Omit<SpawnOrder, 'pipes' | 'takesInput' | 'onBytes'> & { onBytes(bytes: Buffer): void };

export type ChildTerminal = Omit<Child, 'stdin' | 'resume'> & { write(text: string): void };

const size = { cols: 120, rows: 40 };

export async function spawnTerminal({
  argv,
  cwd,
  env,
  marker,
  onBytes,
}: TerminalOrder): Promise<ChildTerminal> {
  const spawn = await loadTerminals('or start it without `pty`');
  const [program = '', ...args] = argv;
  const birth = birthNow();
  const terminal = spawn(program, args, { ...size, name: 'xterm-256color', cwd, env, encoding: null });
  // Without an encoding node-pty delivers bytes, although its types say string.
  terminal.onData((data: string | Buffer) => onBytes(Buffer.from(data)));
  const exited = new Promise<Exit>((resolve) => {
    terminal.onExit((ended) => resolve(exitOf(ended)));
  });
  return {
    pid: terminal.pid,
    marker,
    born: birth,
    exited,
    silent: exited.then(() => undefined),
    // The terminal closes with the program.
    close: () => undefined,
    write: (text) => terminal.write(text),
  };
}

/**
 * The used part of node-pty. Its own types are not imported, because someone who compiles against this package may not have installed it.
 */
type Pty = {
  pid: number;
  onData(listener: (data: string) => void): unknown;
  onExit(listener: (ended: { exitCode: number; signal?: number }) => void): unknown;
  write(data: string): void;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
};

type PtyOptions = {
  name: string;
  cols: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
  encoding: null;
};

type SpawnPty = (program: string, args: string[], options: PtyOptions) => Pty;

/** node-pty is an optional dependency; `otherwise` says what to do without it. */
export async function loadTerminals(otherwise: string): Promise<SpawnPty> {
  const library = await import('@lydell/node-pty').catch(() => {
    throw new ToolError(
      'COMMAND_NOT_FOUND',
      `Terminals are not installed here: install them beside codelab with \`npm install -g @lydell/node-pty\`, ${otherwise}.`,
    );
  });
  return library.spawn;
}

export function exitOf({ exitCode, signal }: { exitCode: number; signal?: number }): Exit {
  return signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null };
}

function signalName(number: number): NodeJS.Signals {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return names.find(([, value]) => value === number)?.[0] ?? 'SIGKILL';
}

/** The end of a process as one number, as in shells: its exit code, or 128 plus the number of the signal that ended it. */
export function exitCode({ code, signal }: Exit): number {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}

/** The signal that ended the process; a sandbox reports it only through the exit code. */
export function endingSignal({ code, signal }: Exit): NodeJS.Signals | null {
  if (signal !== null || code === null) return signal;
  return fatal.find((name) => code === 128 + constants.signals[name]) ?? null;
}

const fatal = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
