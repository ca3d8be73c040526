// The clock and the timers of a process that shares a log with others. In a simulation each node has its own clock.
import { setTimeout as rest } from 'node:timers/promises';

export type Clock = {
  /** Grows steadily; only differences mean something. */
  now(): number;
  /** Milliseconds since 1970. */
  time(): number;
  /** With `ref: false` the timer does not keep the process alive. */
  rest(ms: number, options?: { ref: boolean }): Promise<void>;
  /** Calls `work` once; returns how to stop it before. */
  after(ms: number, work: () => void): () => void;
  /** Calls `work` again and again; returns how to stop. Does not keep the process from ending. */
  every(ms: number, work: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => performance.now(),
  time: () => Date.now(),
  rest: (ms, options) => rest(ms, undefined, options),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  every(ms, work) {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
