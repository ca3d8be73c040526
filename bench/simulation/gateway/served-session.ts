// A session as a simulated gateway serves it. How calls are decided, started and ended is the product's own: the live session over the log, the
// wait for a decision, the decision itself. Only the model and the command are scripted.
import {
  type Decision,
  limitProfiles,
  type Owner,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import type { Clock } from '../../../apps/server/src/log/clock.ts';
import { decide, waitForDecision } from '../../../packages/runtime/src/core/approvals.ts';
import { LiveSession } from '../../../packages/runtime/src/core/session/live-session.ts';
import {
  approvalAsked,
  approvalOf,
  callEnded,
  callOf,
  callStarted,
  messageTaken,
  workspace,
} from './bodies.ts';

export type ServedSession = AsyncDisposable & {
  client: undefined;
  readonly isIdle: boolean;
  noteMoved(): void;
  startDecided(): void;
  catchUp(head: number): Promise<void>;
  /** Resolves when the message is in the log, however often it is sent. */
  take(callId: string, turn: number): Promise<void>;
  decide(callId: string, decision: Decision, by: string): Promise<void>;
  /** The following events; waits for them for a bounded time. */
  events(since: number): Promise<SessionEvent[]>;
};

export type Serving = {
  log: SessionLog;
  clock: Clock;
  owner: Owner;
  /** The command runs now, and for how long. */
  run(session: string, callId: string): number;
  onFault(error: unknown): void;
};

const pollMs = 20_000;

export async function recoverCalls(
  live: LiveSession,
  serving: Serving,
  isAlive: (owner: Owner) => boolean,
): Promise<void> {
  await live.catchUp();
  for (const state of [...live.openCalls.values()]) {
    if (state.state !== 'running' || isAlive(state.owner)) continue;
    await live.commit(() =>
      live.finished(state.call.id) === undefined
        ? callEnded(state.call, 'unknown', serving.clock.time())
        : [],
    );
  }
}

export function serveSession(live: LiveSession, serving: Serving): ServedSession {
  const { log, clock, onFault } = serving;
  const { id } = live;
  const stop = new AbortController();
  const polls = createPolls(clock);
  const state = { seen: 0, working: undefined as Promise<void> | undefined };
  const stopWatching = live.watch((event) => {
    state.seen = event.seq;
    polls.tell(event);
  });

  /** One at a time. */
  function startWork(): void {
    if (state.working !== undefined || stop.signal.aborted) return;
    state.working = workOn(live, serving, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) onFault(error);
      })
      .finally(() => {
        state.working = undefined;
      });
  }

  return {
    client: undefined,
    get isIdle() {
      return polls.count === 0 && state.working === undefined;
    },
    noteMoved: polls.end,
    startDecided: startWork,
    async catchUp(head) {
      if (head > state.seen) await live.catchUp();
    },
    async take(callId, turn) {
      const call = callOf(id, callId, turn);
      const isKnown = (): boolean => live.openCalls.has(callId) || live.finished(callId) !== undefined;
      await live.commit(() => (isKnown() ? [] : messageTaken(call)), { durable: true });
      startWork();
    },
    async decide(callId, decision, who) {
      startWork();
      await decide(live, { approvalId: approvalOf(callId), decision, by: { who, via: 'simulated' } });
    },
    async events(since) {
      if (live.openCalls.size > 0) startWork();
      for (;;) {
        const found = since < state.seen || state.seen === 0 ? await log.read(id, { since }) : [];
        if (found.length > 0) return found;
        const next = since < state.seen ? 'later' : await polls.next();
        if (next === undefined) return [];
        if (next !== 'later' && next.seq === since + 1) return [next];
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort(movedAway());
      stopWatching();
      polls.end();
      await state.working;
    },
  };
}

type Poll = { give(event: SessionEvent | undefined): void; refuse(error: Error): void };
type Polls = {
  /** The next event; undefined when none came in time. */
  next(): Promise<SessionEvent | undefined>;
  tell(event: SessionEvent): void;
  /** Ends all waits; their callers must ask another gateway. */
  end(): void;
  readonly count: number;
};

function createPolls(clock: Clock): Polls {
  const polls = new Set<Poll>();
  return {
    get count() {
      return polls.size;
    },
    async next() {
      const { promise, resolve, reject } = Promise.withResolvers<SessionEvent | undefined>();
      const poll: Poll = { give: resolve, refuse: reject };
      polls.add(poll);
      const cancel = clock.after(pollMs, () => resolve(undefined));
      return await promise.finally(() => {
        polls.delete(poll);
        cancel();
      });
    },
    tell(event) {
      for (const poll of polls) poll.give(event);
    },
    end() {
      for (const poll of polls) poll.refuse(movedAway());
    },
  };
}

export function movedAway(): ToolError {
  return new ToolError('STALE', 'The session is with another gateway now.', { moved: true });
}

/** Until no call is open: asks, waits for the decision, runs, records. */
async function workOn(live: LiveSession, serving: Serving, signal: AbortSignal): Promise<void> {
  const { clock, owner, run } = serving;
  for (;;) {
    signal.throwIfAborted();
    const [open] = live.openCalls.values();
    if (open === undefined) return;
    const { call } = open;
    const isIn = (state: string): boolean => live.openCalls.get(call.id)?.state === state;
    switch (open.state) {
      case 'received':
        await live.commit(() => (isIn('received') ? approvalAsked(call, clock.time()) : []));
        break;
      case 'awaiting_approval':
        await waitForDecision(live, open.approval, limitProfiles.codelab, signal);
        break;
      case 'approved': {
        const isYes = open.decision.kind === 'approve';
        const next = (): ReturnType<typeof callEnded> =>
          isYes ? [callStarted(call, owner)] : callEnded(call, 'rejected', clock.time());
        const written = await live.commit(() => (isIn('approved') ? next() : []), {
          durable: true,
          about: call.id,
        });
        if (!isYes || written.length === 0) break;
        await clock.rest(run(live.id, call.id));
        await live.commit(() => (isIn('running') ? callEnded(call, 'completed', clock.time()) : []));
        break;
      }
      // The call runs in another process, which is taking over the session.
      default:
        throw movedAway();
    }
  }
}

export async function openLive(log: SessionLog, id: string): Promise<LiveSession> {
  return await LiveSession.open(log, id, workspace);
}
