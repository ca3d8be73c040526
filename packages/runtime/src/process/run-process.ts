// Runs a program to its end: spawn → capture its output → stop it at its limits → end all its descendants.

import { type Captured, captureOutput, type Stream } from './capture-output.ts';
import type { Activity } from './family/activity.ts';
import { clearUp, endFamily, killAtOnce } from './family/family.ts';
import { type Excess, limitFamily } from './family/limit-family.ts';
import { type NoteSpan, watchFamily } from './family/watch-family.ts';
import { type Child, type Exit, type SpawnOrder, spawnChild } from './spawn-child.ts';

/** Why the program was stopped. */
type Stop = 'timeout' | 'cancelled' | 'flood' | 'disk' | Excess;

export type ProcessResult = Captured &
  Exit & { stop: Stop | undefined; cause: unknown; durationMs: number; activity: Activity | undefined };

export type ProcessOrder = Omit<SpawnOrder, 'onBytes' | 'takesInput'> & {
  /** Written to standard input, which is then closed; without it there is no standard input. */
  input?: string | undefined;
  timeoutMs: number;
  /** Time between SIGTERM and SIGKILL. */
  graceMs: number;
  signal: AbortSignal;
  outputBytes: number;
  outputFileBytes: number;
  outputFile: string;
  /** A folder the program may write to, when its activity must be known afterwards. */
  watched: string | undefined;
  onSpan?: NoteSpan | undefined;
  onBytes?(stream: Stream, bytes: Buffer): void;
  /** Makes sure that the program ends with this process. */
  guard(child: Child): Disposable;
};

const survivorGraceMs = 400;

type StopReason = { stop: Stop; cause: unknown };

export async function runProcess(order: ProcessOrder): Promise<ProcessResult> {
  order.signal.throwIfAborted();
  const stopping = Promise.withResolvers<StopReason>();
  let child: Child | undefined;
  let hasExited = false;
  let full: StopReason | undefined;
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
  using watch = order.watched === undefined ? undefined : watchFamily(order.watched, order.onSpan);
  child = await spawnChild({
    ...order,
    takesInput: order.input !== undefined,
    onBytes(stream, bytes) {
      order.onBytes?.(stream, bytes);
      // After the exit only little is left in the pipes, so reading does not pause.
      return capture.push(stream, bytes) || hasExited;
    },
  });
  using _guard = order.guard(child);
  child.stdin?.end(order.input);
  watch?.follow(child);
  using _limits = watchLimits(order, stopping.resolve);
  using _most = limitChild(child, order, stopping.resolve);
  const { exit, stopped } = await exitOf(child, order, stopping.promise);
  hasExited = true;
  child.resume();
  await clearUp(child, survivorGraceMs);
  const activity = watch?.end();
  const captured = await capture.end();
  // The last output may be read after the exit.
  const ending = stopped ?? full;
  return {
    ...captured,
    ...exit,
    stop: ending?.stop,
    cause: ending?.cause,
    durationMs: Math.round(performance.now() - startedAt),
    activity,
  };
}

/** Waits for the exit of the program, or ends all its processes when something stops it before. */
async function exitOf(
  child: Child,
  order: ProcessOrder,
  stopping: Promise<StopReason>,
): Promise<{ exit: Exit; stopped: StopReason | undefined }> {
  const first = await Promise.race([child.exited, stopping]);
  const stopped = 'stop' in first ? first : undefined;
  if (stopped !== undefined) await endFamily(child, order);
  return { exit: await child.exited, stopped };
}

function limitChild(
  child: Child,
  { limits }: ProcessOrder,
  stop: (reason: StopReason) => void,
): Disposable | undefined {
  return (
    limits &&
    limitFamily(child, limits, (excess) => {
      killAtOnce(child);
      stop({ stop: excess, cause: undefined });
    })
  );
}

function watchLimits({ signal, timeoutMs }: ProcessOrder, stop: (reason: StopReason) => void): Disposable {
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
