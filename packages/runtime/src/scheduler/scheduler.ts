// Decides when a call may run. Each call waits only for calls it conflicts with, and for its share: a few at once for each session, and
// for the machine a bound in each lane, handed out in turns among the people and sessions that want it. Calls that read, calls that
// change files and commands have a lane each, so that reading never waits for a command.
import { availableParallelism } from 'node:os';
import { ToolError } from '@codelab/protocol';
import type { Planned, Tool } from '../tool/define-tool.ts';
import {
  type CallDemand,
  conflict,
  createShares,
  type Lane,
  type ScheduledCall,
  type Shares,
} from './shares.ts';

export type LaneState = { running: number; waiting: number; oldestWaitMs: number };

export type Scheduler = {
  /** Waits for a place, runs, frees the place. `isLate`: since it was planned others may have changed what it touches. */
  run<T>(demand: CallDemand, work: (isLate: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
  state(): Record<Lane, LaneState>;
};

/** `session`: how many of one session run at once in each lane; the others: how many in all. */
export type SchedulerLimits = { session: number } & Record<Lane, number>;

/** What holds unless the settings say otherwise: a read takes a moment, a command a processor. */
export function schedulerLimits(session: number, own: Partial<SchedulerLimits> = {}): SchedulerLimits {
  return { session, read: 64, change: 16, command: Math.max(8, 4 * availableParallelism()), ...own };
}

// Behind others that only read, a wait this short is no more than the time between planning and running without one.
const shortMs = 5;

export function createScheduler(limits: SchedulerLimits): Scheduler {
  const calls = createLiveCalls(limits);

  /** Until its turn has come; most calls have it at once. */
  async function waitForPlace(call: ScheduledCall, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    call.start = resolve;
    const giveUp = (): void => (call.isRunning ? undefined : reject(signal.reason));
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.catch((error: unknown) => {
      calls.remove(call);
      throw error;
    });
    signal.removeEventListener('abort', giveUp);
  }

  return {
    async run(demand, work, signal) {
      signal.throwIfAborted();
      const waiting = { blockers: 0, blocked: [], isRunning: false, start: startsAtOnce };
      const call: ScheduledCall = { ...demand, ...waiting, askedAt: performance.now() };
      const before = calls.turns + (demand.changes ? 1 : 0);
      const wereChanging = calls.changing;
      calls.add(call);
      let isLate = false;
      if (!call.isRunning) {
        await waitForPlace(call, signal);
        const isAlone = calls.turns === before && wereChanging === 0;
        isLate = !isAlone || performance.now() - call.askedAt > shortMs;
      }
      try {
        return await work(isLate);
      } finally {
        calls.remove(call);
      }
    },
    state: () => stateOf(calls.live),
  };
}

function startsAtOnce(): void {}

type LiveCalls = {
  readonly live: ReadonlySet<ScheduledCall>;
  /** How often a call that may change things has begun or ended. */
  readonly turns: number;
  /** How many calls that may change things are running. */
  readonly changing: number;
  add(call: ScheduledCall): void;
  /** The call has ended, or nobody waits for it any more. */
  remove(call: ScheduledCall): void;
};

/** The calls that run or wait; each starts once no earlier call conflicts with it and its lane has a place. */
function createLiveCalls(limits: SchedulerLimits): LiveCalls {
  const live = new Set<ScheduledCall>();
  const shares = sharesOf(limits);
  let turns = 0;
  let changing = 0;

  function count(call: ScheduledCall, by: 1 | -1): void {
    if (!call.changes) return;
    turns++;
    changing += by;
  }

  function begin(call: ScheduledCall): void {
    call.isRunning = true;
    count(call, 1);
    call.start();
  }

  return {
    live,
    get turns() {
      return turns;
    },
    get changing() {
      return changing;
    },
    add(call) {
      for (const earlier of live) {
        if (!conflict(earlier, call)) continue;
        earlier.blocked.push(call);
        call.blockers++;
      }
      live.add(call);
      if (call.blockers === 0) shares[call.lane].add(call, begin);
    },
    remove(call) {
      live.delete(call);
      if (call.isRunning) count(call, -1);
      shares[call.lane].remove(call, begin);
      for (const later of call.blocked)
        if (--later.blockers === 0 && live.has(later)) shares[later.lane].add(later, begin);
    },
  };
}

function sharesOf({ session, read, change, command }: SchedulerLimits): Record<Lane, Shares> {
  return {
    read: createShares(session, read),
    change: createShares(session, change),
    command: createShares(session, command),
  };
}

function stateOf(live: ReadonlySet<ScheduledCall>): Record<Lane, LaneState> {
  const now = performance.now();
  const empty = (): LaneState => ({ running: 0, waiting: 0, oldestWaitMs: 0 });
  const states = { read: empty(), change: empty(), command: empty() };
  for (const { lane, isRunning, askedAt } of live) {
    const state = states[lane];
    if (isRunning) state.running++;
    else {
      state.waiting++;
      state.oldestWaitMs = Math.max(state.oldestWaitMs, Math.round(now - askedAt));
    }
  }
  return states;
}

// What a planned call asks of the scheduler.

/** The session that a call belongs to, and whom that belongs to. */
type Caller = { id: string; owner: string | undefined };

export function demandOf({ id: session, owner }: Caller, tool: Tool, planned: Planned<unknown>): CallDemand {
  const changes = isEffectful(planned);
  return { lane: laneOf(tool, changes), session, owner, touches: planned.plan.touches, changes };
}

export function isEffectful({ intents, isUnforeseeable, hasLaterSets }: Planned<unknown>): boolean {
  return intents.length > 0 || isUnforeseeable === true || hasLaterSets === true;
}

function laneOf({ kind }: Tool, changes: boolean): Lane {
  if (kind === 'execute') return 'command';
  return changes ? 'change' : 'read';
}

// How many calls of one session are under way, whether they run, wait for a place or for a human. One too many is refused before
// anything is recorded of it: it costs nothing, and the same call can be made again.
export type Admissions = {
  /** Counts a call until it is disposed of. */
  enter(session: string, most: number): Disposable;
};

export function createAdmissions(): Admissions {
  const counts = new Map<string, number>();
  return {
    enter(session, most) {
      const count = counts.get(session) ?? 0;
      if (count >= most)
        throw new ToolError(
          'CONCURRENT_LIMIT_EXCEEDED',
          `${count} calls of this session are under way. Wait for some to finish, then send this one again; nothing was recorded of it.`,
          { limit: most },
        );
      counts.set(session, count + 1);
      return {
        [Symbol.dispose]() {
          const left = (counts.get(session) ?? 1) - 1;
          if (left > 0) counts.set(session, left);
          else counts.delete(session);
        },
      };
    },
  };
}
