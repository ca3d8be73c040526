// Waits until a process that was just started can be used: its port answers, or it has printed what tells so.
import { setTimeout as wait } from 'node:timers/promises';
import { portAnswers } from './port-answers.ts';
import { readyPattern } from './ready-pattern.ts';
import type { Supervised } from './supervised.ts';

export type Readiness = { pattern?: string | undefined; port?: number | undefined; withinMs: number };

const betweenTriesMs = 100;

/** False when it ended before, or when the time is up. Without a sign to wait for it is ready when it is started. */
export async function waitReady(
  started: Supervised,
  { pattern, port, withinMs }: Readiness,
  signal: AbortSignal,
): Promise<boolean> {
  if (pattern === undefined && port === undefined) return started.exit === undefined;
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal, AbortSignal.timeout(withinMs)]);
  try {
    const signs = [
      ...(pattern === undefined ? [] : [printed(started, pattern, stop)]),
      ...(port === undefined ? [] : [answered(port, stop)]),
    ];
    const ended = started.ended.then(() => false);
    const isReady = await Promise.race([Promise.all(signs).then((seen) => seen.every(Boolean)), ended]);
    signal.throwIfAborted();
    return isReady;
  } finally {
    over.abort();
  }
}

async function printed(started: Supervised, pattern: string, signal: AbortSignal): Promise<boolean> {
  await using wanted = readyPattern(pattern, signal);
  const stop = started.follow((text) => wanted.take(text));
  try {
    const { promise: over, resolve } = Promise.withResolvers<false>();
    signal.addEventListener('abort', () => resolve(false), { once: true });
    if (signal.aborted) return false;
    // What it printed before anybody could follow.
    wanted.take(started.read(0, Number.MAX_SAFE_INTEGER).output);
    return await Promise.race([wanted.seen.then(() => true), over]);
  } finally {
    stop();
  }
}

async function answered(port: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await portAnswers(port)) return true;
    await wait(betweenTriesMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
