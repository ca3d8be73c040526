// Virtual time: events in order of their moment. All promises that can settle do so before time passes, so that a run is the same for the
// same seed on any machine.

export type Scheduler = {
  /** Virtual milliseconds since the start. */
  readonly now: number;
  readonly events: number;
  /** Returns how to take it back. */
  after(ms: number, work: () => void): () => void;
  /** Until this moment, or until nothing is left to do or `isOver` returns true. */
  run(until: number, isOver?: () => boolean): Promise<void>;
};

type Event = { at: number; order: number; work: (() => void) | undefined };

/** Moments are rounded up to this, so that fewer rounds of promises are needed. */
const tickMs = 0.125;

export function createScheduler(): Scheduler {
  const heap = createHeap();
  const state = { now: 0, events: 0, order: 0 };
  return {
    get now() {
      return state.now;
    },
    get events() {
      return state.events;
    },
    after(ms, work) {
      const at = Math.ceil((state.now + Math.max(0, ms)) / tickMs) * tickMs;
      const event: Event = { at, order: state.order++, work };
      heap.push(event);
      return () => {
        event.work = undefined;
      };
    },
    async run(until, isOver = () => false) {
      await promisesSettled();
      for (let next = heap.peek(); next !== undefined && next.at <= until && !isOver(); next = heap.peek()) {
        state.now = next.at;
        while (heap.peek()?.at === state.now) {
          const work = heap.pop()?.work;
          if (work === undefined) continue;
          state.events++;
          work();
        }
        await promisesSettled();
      }
    },
  };
}

/** Node calls this only when no promise and no `nextTick` is pending. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

type Heap = { push(event: Event): void; pop(): Event | undefined; peek(): Event | undefined };

function createHeap(): Heap {
  const all: Event[] = [];
  const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
  function sink(event: Event): void {
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      const [left, right] = [all[child], all[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child++;
      const least = all[child] as Event;
      if (!isBefore(least, event)) break;
      all[i] = least;
      i = child;
    }
    all[i] = event;
  }
  return {
    peek: () => all[0],
    push(event) {
      let i = all.length;
      all.push(event);
      for (let parent = (i - 1) >> 1; i > 0 && isBefore(event, all[parent] as Event); parent = (i - 1) >> 1) {
        all[i] = all[parent] as Event;
        i = parent;
      }
      all[i] = event;
    },
    pop() {
      const [first] = all;
      const last = all.pop();
      if (last !== undefined && all.length > 0) sink(last);
      return first;
    },
  };
}

export type Random = {
  /** At least 0, less than 1. */
  next(): number;
  between(least: number, greatest: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Exponential, with this mean. */
  wait(mean: number): number;
};

/** A counter stepped by an odd constant and mixed by multiplications and shifts. */
export function createRandom(seed: number): Random {
  let state = Math.imul(2 * seed + 1, 0x2545f491) >>> 0;
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    between: (least, greatest) => least + (greatest - least) * next(),
    chance: (share) => next() < share,
    pick<T>(list: readonly T[]): T {
      return list[Math.floor(next() * list.length)] as T;
    },
    wait: (mean) => -mean * Math.log(1 - next()),
  };
}
