// Decides when a call may run. A call waits only for calls it conflicts with, and for its share: a few concurrent calls per session, and a
// bound per lane for the machine, shared in turns among the people and sessions that are waiting. Reading, changing files and running
// commands are separate lanes, so that reading never waits for a command.
import { availableParallelism } from 'node:os';
import {
  type CallDemand,
  conflict,
  type Lane,
  type LaneState,
  lanesIn,
  type ScheduledCall,
} from './scheduled-call.ts';

export type Scheduler = {
  /** Waits for a place, runs, frees the place. `isLate`: other calls may have changed what it touches since it was planned. */
  run<T>(demand: CallDemand, work: (isLate: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
  state(): Record<Lane, LaneState>;
};

/** `session`: concurrent calls per lane for one session; the others: concurrent calls in all. */
export type SchedulerLimits = { session: number } & Record<Lane, number>;

/** The defaults: a read takes a moment, a command takes a processor. */
export function schedulerLimits(session: number, overrides: Partial<SchedulerLimits> = {}): SchedulerLimits {
  return { session, read: 64, change: 16, command: Math.max(8, 4 * availableParallelism()), ...overrides };
}

// Behind other readers, a wait this short is no longer than the time between planning and running without one.
const shortMs = 5;

export function createScheduler(limits: SchedulerLimits): Scheduler {
  const calls = createLiveCalls(limits);

  /** Waits until it is the call's turn; most calls start immediately. */
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
    state: () => lanesIn(calls.live),
  };
}

function startsAtOnce(): void {}

type LiveCalls = {
  readonly live: ReadonlySet<ScheduledCall>;
  /** Counts the starts and ends of calls that may change things. */
  readonly turns: number;
  /** The number of running calls that may change things. */
  readonly changing: number;
  add(call: ScheduledCall): void;
  /** The call has ended, or its caller no longer waits. */
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

// The places of one lane, shared in turns: first to the person with the fewest running calls, then to their sessions in turn.
type Shares = {
  add(job: ScheduledCall, begin: (job: ScheduledCall) => void): void;
  remove(job: ScheduledCall, begin: (job: ScheduledCall) => void): void;
};

/** `servedAt` counts started calls; `ready` are the sessions with a call to start and a free place for it. */
type Session = { id: string; running: number; servedAt: number; queue: Set<ScheduledCall> };
type Ready = { owner: Owner; session: Session; job: ScheduledCall };
type Owner = { running: number; servedAt: number; sessions: Map<string, Session>; ready: Set<Session> };

/** Most calls find a free place that nobody waits for, and start without the queue. */
function createShares(perSession: number, most: number): Shares {
  const owners = new Map<string | undefined, Owner>();
  let running = 0;
  let waiting = 0;
  let served = 0;

  function start({ owner, session, job }: Ready, begin: (job: ScheduledCall) => void): void {
    for (const counter of [session, owner]) {
      counter.running++;
      counter.servedAt = ++served;
    }
    running++;
    noteReady(owner, session, perSession);
    begin(job);
  }

  function startWhatCan(begin: (job: ScheduledCall) => void): void {
    while (waiting > 0 && running < most) {
      const owner = next(owners.values(), ({ ready }) => ready.size > 0);
      const session = owner && next(owner.ready);
      const [job] = session?.queue ?? [];
      if (owner === undefined || session === undefined || job === undefined) return;
      session.queue.delete(job);
      waiting--;
      start({ owner, session, job }, begin);
    }
  }

  return {
    add(job, begin) {
      const owner = ownerOf(owners, job);
      const session = sessionOf(owner, job);
      if (waiting === 0 && running < most && session.running < perSession)
        return start({ owner, session, job }, begin);
      session.queue.add(job);
      waiting++;
      noteReady(owner, session, perSession);
      startWhatCan(begin);
    },
    remove(job, begin) {
      const owner = ownerOf(owners, job);
      const session = sessionOf(owner, job);
      if (job.isRunning) {
        session.running--;
        owner.running--;
        running--;
      } else if (session.queue.delete(job)) waiting--;
      noteReady(owner, session, perSession);
      if (owner.sessions.size === 0) owners.delete(job.owner);
      startWhatCan(begin);
    },
  };
}

/** Notes whether a call of the session can start; a session without calls is forgotten. */
function noteReady(owner: Owner, session: Session, most: number): void {
  if (session.queue.size > 0 && session.running < most) owner.ready.add(session);
  else owner.ready.delete(session);
  if (session.queue.size === 0 && session.running === 0) owner.sessions.delete(session.id);
}

function ownerOf(owners: Map<string | undefined, Owner>, { owner }: ScheduledCall): Owner {
  const shares = owners.get(owner) ?? { running: 0, servedAt: 0, sessions: new Map(), ready: new Set() };
  owners.set(owner, shares);
  return shares;
}

function sessionOf(owner: Owner, { session }: ScheduledCall): Session {
  const sessionShare = owner.sessions.get(session) ?? {
    id: session,
    running: 0,
    servedAt: 0,
    queue: new Set(),
  };
  owner.sessions.set(session, sessionShare);
  return sessionShare;
}

/** The one with the fewest running calls; of these the one that has waited longest. */
function next<T extends { running: number; servedAt: number }>(
  candidates: Iterable<T>,
  isWaiting: (one: T) => boolean = () => true,
): T | undefined {
  let best: T | undefined;
  for (const candidate of candidates) {
    if (!isWaiting(candidate)) continue;
    if (best === undefined || candidate.running < best.running || isEarlier(candidate, best))
      best = candidate;
  }
  return best;
}

function isEarlier<T extends { running: number; servedAt: number }>(first: T, other: T): boolean {
  return first.running === other.running && first.servedAt < other.servedAt;
}
