// A process that may be paused or killed: its code runs only in events that come through `run`, so that a paused one does nothing and a
// dead one never again. Its clock has its own offset and rate.
import type { Clock } from '../../../apps/server/src/log/clock.ts';
import type { Scheduler } from './scheduler.ts';

export type SimProcess = {
  readonly name: string;
  readonly clock: Clock;
  readonly isDead: boolean;
  readonly isPaused: boolean;
  /** Now, when it continues, or never. */
  run(work: () => void): void;
  pause(): void;
  resume(): void;
  kill(): void;
};

/** `skewMs`: its wall clock is ahead by so much; `rate`: its seconds pass so fast. */
type Options = { name: string; skewMs?: number; rate?: number };

/** Any day will do, as long as every run has the same. */
const startOfTime = Date.UTC(2026, 0, 1);

export function createProcess(scheduler: Scheduler, { name, skewMs = 0, rate = 1 }: Options): SimProcess {
  const state = { isDead: false, isPaused: false };
  let heldWork: (() => void)[] = [];

  function run(work: () => void): void {
    if (state.isDead) return;
    if (state.isPaused) heldWork.push(work);
    else work();
  }

  function after(ms: number, work: () => void): () => void {
    let isStopped = false;
    const stop = scheduler.after(ms / rate, () =>
      run(() => {
        if (!isStopped) work();
      }),
    );
    return () => {
      isStopped = true;
      stop();
    };
  }

  const clock: Clock = {
    now: () => scheduler.now * rate,
    time: () => Math.floor(startOfTime + scheduler.now * rate + skewMs),
    rest: (ms) => new Promise((resolve) => void after(ms, resolve)),
    after,
    every(ms, work) {
      let stop = (): void => undefined;
      const scheduleNext = (): void => {
        stop = after(ms, () => {
          scheduleNext();
          work();
        });
      };
      scheduleNext();
      return () => stop();
    },
  };
  return {
    name,
    clock,
    run,
    get isDead() {
      return state.isDead;
    },
    get isPaused() {
      return state.isPaused;
    },
    pause() {
      state.isPaused = true;
    },
    resume() {
      state.isPaused = false;
      const pendingWork = heldWork;
      heldWork = [];
      for (const work of pendingWork) run(work);
    },
    kill() {
      state.isDead = true;
      heldWork = [];
    },
  };
}
