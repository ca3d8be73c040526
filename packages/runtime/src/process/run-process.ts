// Runs a program to its end: spawn → take in what it prints → stop it at its limits → leave nothing of it behind.

import { type Captured, captureOutput, type Stream } from './capture-output.ts';
import { clearUp } from './clear-up.ts';
import { endFamily, killAtOnce } from './family.ts';
import { type Excess, limitFamily } from './limit-family.ts';
import { type Child, type Exit, type SpawnOrder, spawnChild } from './spawn-child.ts';
import { type Activity, watchFamily } from './watch-family.ts';

/** Why it was ended from outside. */
type Stop = 'timeout' | 'cancelled' | 'flood' | 'disk' | Excess;

export type Ended = Captured &
  Exit & { stop: Stop | undefined; cause: unknown; durationMs: number; activity: Activity | undefined };

export type ProcessOrder = Omit<SpawnOrder, 'onBytes' | 'takesInput'> & {
  /** For its standard input, which is closed after it; without it there is none. */
  input?: string | undefined;
  timeoutMs: number;
  /** Between asking and killing. */
  graceMs: number;
  signal: AbortSignal;
  outputBytes: number;
  outputFileBytes: number;
  outputFile: string;
  /** Where it may write, when it is to be known afterwards at what time it did. */
  watched: string | undefined;
  onBytes?(stream: Stream, bytes: Buffer): void;
  /** Sees to it that it ends with this process. */
  guard(child: Child): Disposable;
};

const survivorGraceMs = 400;

export async function runProcess(order: ProcessOrder): Promise<Ended> {
  order.signal.throwIfAborted();
  const stopping = Promise.withResolvers<{ stop: Stop; cause: unknown }>();
  let child: Child | undefined;
  let hasExited = false;
  let full: { stop: Stop; cause: unknown } | undefined;
  const capture = captureOutput({
    memoryBytes: order.outputBytes,
    fileBytes: order.outputFileBytes,
    file: order.outputFile,
    onDrain: () => child?.resume(),
    onFull(cause) {
      full = { stop: cause === undefined ? 'flood' : 'disk', cause };
      stopping.resolve(full);
    },
  });
  const startedAt = performance.now();
  using watch = order.watched === undefined ? undefined : watchFamily(order.watched);
  child = await spawnChild({
    ...order,
    takesInput: order.input !== undefined,
    onBytes(stream, bytes) {
      order.onBytes?.(stream, bytes);
      // The little that is still in the pipes is not waited with.
      return capture.push(stream, bytes) || hasExited;
    },
  });
  using _guard = order.guard(child);
  child.stdin?.end(order.input);
  watch?.follow(child);
  using _limits = watchLimits(order, stopping.resolve);
  using _most =
    order.most &&
    limitFamily(child.pid, order.most, (stop) => {
      killAtOnce(child);
      stopping.resolve({ stop, cause: undefined });
    });
  const first = await Promise.race([child.exited, stopping.promise]);
  const stopped = 'stop' in first ? first : undefined;
  if (stopped !== undefined) await endFamily(child, order);
  const exit = await child.exited;
  hasExited = true;
  child.resume();
  await clearUp(child, survivorGraceMs);
  const activity = watch?.end();
  const captured = await capture.end();
  // The last of what it printed may be read after its end.
  const why = stopped ?? full;
  return {
    ...captured,
    ...exit,
    stop: why?.stop,
    cause: why?.cause,
    durationMs: Math.round(performance.now() - startedAt),
    activity,
  };
}

function watchLimits(
  { signal, timeoutMs }: ProcessOrder,
  stop: (why: { stop: Stop; cause: unknown }) => void,
): Disposable {
  const timer = setTimeout(() => stop({ stop: 'timeout', cause: undefined }), timeoutMs);
  const onAbort = (): void => {
    const cause: unknown = signal.reason;
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
    stop({ stop: isTimeout ? 'timeout' : 'cancelled', cause });
  };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
