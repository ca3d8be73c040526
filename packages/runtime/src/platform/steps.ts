// Long work in small pieces: a generator pauses after each piece, and a driver decides what happens in the pauses.
import { setImmediate as otherWork } from 'node:timers/promises';

type Progress = { files: number; bytes: number };

/** Work that reports its progress after every piece. */
export type Steps<T, P = Progress> = Generator<P, T, void>;

type Turns<P> = { signal?: AbortSignal | undefined; onProgress?: ((progress: P) => void) | undefined };

/** Runs the work to its end without yielding. */
export function runNow<T, P>(work: Steps<T, P>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the work, and yields to the event loop at each pause. When the signal aborts, the work stops where it is. */
export async function runInTurns<T, P>(work: Steps<T, P>, { signal, onProgress }: Turns<P> = {}): Promise<T> {
  const ending: Steps<T | undefined, P> = work;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = work.next();
      if (step.done === true) return step.value;
      onProgress?.(step.value);
      await otherWork();
    }
  } finally {
    ending.return(undefined);
  }
}

export type Pauses = {
  /** Whether other work has waited long enough. */
  isDue(): boolean;
  /** Yields to other work. */
  rest(): Promise<void>;
  /** How long the work itself has taken: its time on a processor, and a tenth of what it waited for the disk or a busy machine. */
  workedMs(): number;
};

/** For work that is not a generator: check it after every small piece. */
export function createPauses(): Pauses {
  let [since, cpu, worked] = [performance.now(), process.threadCpuUsage(), 0];
  const inPiece = (): number => performance.now() - since;
  return {
    isDue: () => inPiece() >= maxMs,
    async rest() {
      const { user, system } = process.threadCpuUsage(cpu);
      const onProcessor = (user + system) / 1000;
      worked += onProcessor + Math.max(0, inPiece() - onProcessor) / 10;
      await otherWork();
      [since, cpu] = [performance.now(), process.threadCpuUsage()];
    },
    workedMs: () => worked + inPiece(),
  };
}

// A piece takes about 10 ms at most: an entry of a tree takes some 100 µs, a disk in use writes 200 MB/s. On a slow disk the clock decides.
const maxEntries = 64;
const maxBytes = 2 * 1024 * 1024;
const maxMs = 8;

export type Pieces = {
  /** The progress of the work, updated by the work itself. */
  readonly done: Progress;
  /** Called after this much work: pauses once a whole piece is done. */
  pause(entries: number, bytes?: number): Steps<void>;
};

export function countPieces(): Pieces {
  const done: Progress = { files: 0, bytes: 0 };
  let sum = { entries: 0, bytes: 0 };
  let since = performance.now();
  return {
    done,
    *pause(entries, bytes = 0) {
      sum.entries += entries;
      sum.bytes += bytes;
      if (sum.entries < maxEntries && sum.bytes < maxBytes && performance.now() - since < maxMs) return;
      yield { ...done };
      sum = { entries: 0, bytes: 0 };
      // Time spent by others in the pause is not counted; otherwise a busy loop would leave the work one entry per turn.
      since = performance.now();
    },
  };
}
