// Waits until a process that was just started can be used: its port answers, or it has printed the expected text.

import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ToolError } from '@codelab/protocol';
import { startPatternWorker } from '../../platform/pattern-worker.ts';
import type { Supervised } from './supervised.ts';

type Readiness = { pattern?: string | undefined; port?: number | undefined; withinMs: number };

const betweenTriesMs = 100;

/** False when the process ended before, or when the time is up. Without a port or text to wait for, it is ready once started. */
export async function waitReady(
  started: Supervised,
  { pattern, port, withinMs }: Readiness,
  signal: AbortSignal,
): Promise<boolean> {
  if (pattern === undefined && port === undefined) return started.exit === undefined;
  const finished = new AbortController();
  const stop = AbortSignal.any([signal, finished.signal, AbortSignal.timeout(withinMs)]);
  try {
    const signs = [
      ...(pattern === undefined ? [] : [printed(started, pattern, stop)]),
      ...(port === undefined ? [] : [isPortAnswering(port, stop)]),
    ];
    const ended = started.ended.then(() => false);
    const isReady = await Promise.race([
      Promise.all(signs).then((signsSeen) => signsSeen.every(Boolean)),
      ended,
    ]);
    signal.throwIfAborted();
    return isReady;
  } finally {
    finished.abort();
  }
}

async function printed(started: Supervised, pattern: string, signal: AbortSignal): Promise<boolean> {
  await using matcher = readyPattern(pattern, signal);
  const stop = started.follow((text) => matcher.take(text));
  try {
    const { promise: endedFirst, resolve } = Promise.withResolvers<false>();
    signal.addEventListener('abort', () => resolve(false), { once: true });
    if (signal.aborted) return false;
    // Output that was printed before following began.
    matcher.take(started.read(0, Number.MAX_SAFE_INTEGER).output);
    return await Promise.race([matcher.seen.then(() => true), endedFirst]);
  } finally {
    stop();
  }
}

async function isPortAnswering(port: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await portAnswers(port)) return true;
    await wait(betweenTriesMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

// Finds out whether the expected text was printed: as plain text or, line by line, as a regular expression. Expressions are matched on
// a worker thread, so a hostile one delays nobody and is given up after a while.
const windowChars = 4096;
const maxWaiting = 256 * 1024;
const maxMs = 3000;

type ReadyPattern = AsyncDisposable & {
  /** Receives the output piece by piece. */
  take(text: string): void;
  /** Resolves when the text was printed; rejects when the expression takes too long. */
  seen: Promise<void>;
};

function readyPattern(pattern: string, signal: AbortSignal): ReadyPattern {
  const { promise: matchSeen, resolve, reject } = Promise.withResolvers<void>();
  // The caller may have stopped waiting, so the rejection is handled here.
  matchSeen.catch(() => undefined);
  const expression = compile(pattern);
  const worker = expression && startPatternWorker(expression, signal, maxMs);
  let carried = '';
  let lastLine = '';
  let unread = '';
  let isMatching = false;

  async function match(): Promise<void> {
    if (worker === undefined || isMatching) return;
    isMatching = true;
    try {
      while (unread !== '') {
        const text = lastLine + unread;
        unread = '';
        // A line may arrive in several pieces.
        lastLine = text.slice(text.lastIndexOf('\n') + 1).slice(-windowChars);
        if ((await worker.match(text, 1)).length > 0) resolve();
      }
    } catch {
      reject(tooSlow());
    } finally {
      isMatching = false;
    }
  }

  return {
    seen: matchSeen,
    take(text) {
      const printed = carried + text;
      if (printed.includes(pattern)) return resolve();
      carried = printed.slice(-windowChars);
      unread = (unread + text).slice(-maxWaiting);
      void match();
    },
    [Symbol.asyncDispose]: async () => await worker?.[Symbol.asyncDispose](),
  };
}

/** Undefined for plain text or an invalid expression: then the pattern is searched literally. */
function compile(pattern: string): RegExp | undefined {
  if (/^[\w\s:/,;=@#%&!~<>'"-]*$/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'm');
  } catch {
    return undefined;
  }
}

function tooSlow(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    '`ready_pattern` takes too long to match. Use a simpler expression or plain text.',
    { field: 'ready_pattern' },
  );
}

/** Whether a process on this machine listens on a port. */
const mostMs = 500;

export async function portAnswers(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => answersAt(host, port)));
  return answers.includes(true);
}

function answersAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: mostMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
