// A person's own shell in a terminal, outside the sandbox. No tool knows of it: it is not a supervised process, and its processes carry
// no mark, because what a person does there is not the work of a tool.
import { userInfo } from 'node:os';
import { randomId } from '../platform/digest.ts';
import { markerName } from './child-environment.ts';
import { type Ancestor, birthNow, endFamily, findFamily, signalFamily } from './family/family.ts';
import { type Exit, exitOf, loadTerminals } from './spawn-child.ts';
import { createRing } from './spill-file.ts';

export type TerminalSize = { cols: number; rows: number };

/** `dropped` is the number of bytes between the requested cursor and the first byte returned, which are no longer kept. */
type TerminalBytes = { bytes: Buffer; cursor: number; dropped: number };

export type PersonTerminal = {
  readonly pid: number;
  /** Number of bytes printed. */
  readonly printed: number;
  readonly exit: Exit | undefined;
  /** Settles when the shell and every process of its session have ended. */
  ended: Promise<Exit>;
  read(cursor: number): TerminalBytes;
  /** Resolves when there is output after `cursor`, when the terminal has ended, or when `signal` aborts. */
  more(cursor: number, signal: AbortSignal): Promise<void>;
  write(text: string): void;
  resize(size: TerminalSize): void;
  close(): Promise<Exit>;
};

type Order = { shell: PersonShell; cwd: string; size: TerminalSize; env?: NodeJS.ProcessEnv };

/** How much output is kept for a page that reopens the terminal. */
const keptBytes = 512 * 1024;
const answerBytes = 128 * 1024;
/** A reader further behind than this pauses the program; a reader that has not asked for a while does not. */
const lagBytes = 256 * 1024;
const watchedMs = 5000;
const graceMs = 1000;

export async function openPersonTerminal(order: Order): Promise<PersonTerminal> {
  const spawn = await loadTerminals('then open the terminal again');
  const { shell, cwd, size } = order;
  const env = personEnvironment(order.env ?? process.env);
  const birth = birthNow();
  const pty = spawn(shell.program, [...shell.args], {
    ...size,
    name: 'xterm-256color',
    cwd,
    env,
    encoding: null,
  });
  const output = createOutput(pty);
  // Without an encoding node-pty delivers bytes, although its types say string.
  pty.onData((data: string | Buffer) => output.push(Buffer.from(data)));
  // The mark is in no environment: the family is the session that the shell leads.
  const family = { pid: pty.pid, marker: randomId(), born: birth };
  const stopKilling = killAtExit(family);
  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => pty.onExit((exitEvent) => resolve(exitOf(exitEvent))));
  const ended = exited.then(async (exitResult) => {
    // Processes that the shell left in its session have lost their terminal.
    await endFamily(family, { graceMs, first: 'SIGHUP' });
    stopKilling();
    exit = exitResult;
    output.end();
    return exitResult;
  });
  return {
    pid: pty.pid,
    get printed() {
      return output.total;
    },
    get exit() {
      return exit;
    },
    ended,
    read: output.read,
    more: output.more,
    write: (text) => pty.write(text),
    resize: ({ cols, rows }) => {
      if (exit === undefined) pty.resize(cols, rows);
    },
    async close() {
      if (exit === undefined) await endFamily(family, { graceMs, first: 'SIGHUP' });
      return await ended;
    },
  };
}

type Pausable = { pause(): void; resume(): void };

/** The end of the output, and the readers that wait for more. */
function createOutput(pty: Pausable) {
  const ring = createRing(keptBytes);
  const flow = createFlow(pty);
  const waiters = new Set<() => void>();
  let isEnded = false;
  const wake = (): void => {
    for (const wake of [...waiters]) wake();
  };
  return {
    get total() {
      return ring.total;
    },
    push(bytes: Buffer): void {
      ring.push(bytes);
      flow.printed(ring.total);
      wake();
    },
    read(cursor: number): TerminalBytes {
      flow.asked(cursor);
      const { bytes, from } = ring.read(cursor, answerBytes);
      const dropped = Math.max(0, from - cursor);
      const start = dropped === 0 ? 0 : lineStart(bytes);
      return { bytes: bytes.subarray(start), cursor: from + bytes.length, dropped: dropped + start };
    },
    async more(cursor: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted || isEnded || ring.total > cursor) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      waiters.delete(resolve);
    },
    end(): void {
      isEnded = true;
      flow.stop();
      wake();
    },
  };
}

/** Pauses the program while its reader does not keep up. */
function createFlow(pty: Pausable) {
  let seenBytes = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  const resume = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    pty.resume();
  };
  return {
    printed(now: number): void {
      total = now;
      const isWatched = performance.now() - askedAt < watchedMs;
      if (timer !== undefined || !isWatched || total - seenBytes <= lagBytes) return;
      pty.pause();
      timer = setTimeout(resume, watchedMs).unref();
    },
    asked(cursor: number): void {
      seenBytes = Math.max(seenBytes, Math.min(cursor, total));
      askedAt = performance.now();
      if (total - seenBytes <= lagBytes / 2) resume();
    },
    stop: resume,
  };
}

/** The start of the first complete line, so that a screen does not begin inside an escape sequence. */
function lineStart(bytes: Buffer): number {
  const at = bytes.subarray(0, 4096).indexOf(0x0a);
  return at === -1 ? 0 : at + 1;
}

// All open terminals of this process.
const open = new Set<Ancestor>();

function killOpen(): void {
  for (const family of open) signalFamily(family, findFamily(family), 'SIGKILL');
}

/** Kills the terminal's processes if this process exits without closing it. Returns how to cancel that. */
function killAtExit(family: Ancestor): () => void {
  if (open.size === 0) process.on('exit', killOpen);
  open.add(family);
  return () => {
    open.delete(family);
    if (open.size === 0) process.off('exit', killOpen);
  };
}

export type PersonShell = { program: string; args: readonly string[] };

export function personShell(env: NodeJS.ProcessEnv = process.env): PersonShell {
  if (process.platform === 'win32') return { program: env.ComSpec ?? 'cmd.exe', args: [] };
  const program = env.SHELL?.startsWith('/') ? env.SHELL : (loginShell() ?? '/bin/sh');
  // Terminal applications on macOS start login shells.
  return { program, args: process.platform === 'darwin' ? ['-l'] : [] };
}

function loginShell(): string | undefined {
  try {
    return userInfo().shell || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The person's own variables. CodeLab's are removed, including the gateway's token, except the one that names the state folder and the
 * mark of a gateway that a tool started, which no descendant may lose.
 */
function personEnvironment(from: NodeJS.ProcessEnv): Record<string, string> {
  const variables = Object.entries(from).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    const isOurs = /^CODELAB_/i.test(name) && name !== 'CODELAB_HOME' && name !== markerName;
    return value !== undefined && !isOurs;
  });
  return { ...Object.fromEntries(variables), TERM: 'xterm-256color', COLORTERM: 'truecolor' };
}
