// Calls of a session that no turn carries out: those that peers made themselves, and those whose caller may be gone since a restart.
import {
  type Actor,
  type ApprovalRequest,
  cancellation,
  hasExpired,
  longestTimerMs,
  type Outcome,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import {
  endedBadly,
  expireUnanswered,
  finishCall,
  type Host,
  type LiveSession,
  runCall,
  runConsented,
  waitsForAnswer,
} from '@codelab/runtime';

/** Calls that peers made directly, run by this gateway. They continue when the peer is gone; cancelling ends them all. */
export type PeerCalls = {
  /** `consent`: this person makes the call themselves, and is asked nothing. */
  run(
    call: ToolCall,
    options?: { consent?: Actor | undefined; signal?: AbortSignal | undefined },
  ): Promise<Outcome>;
  isRunning(callId: string): boolean;
  readonly count: number;
  /** Cancels all calls but `except`. Resolves when they have ended, or take too long. */
  cancel(options?: { except?: ReadonlySet<string>; by?: Actor }): Promise<void>;
};

type Running = { stop: AbortController; ended: Promise<unknown> };

const patienceMs = 3000;

export function createPeerCalls(host: Host): PeerCalls {
  const running = new Map<string, Set<Running>>();
  return {
    async run(call, { consent, signal } = {}) {
      const stop = new AbortController();
      const takeBack = (): void => stop.abort();
      if (signal?.aborted) takeBack();
      signal?.addEventListener('abort', takeBack, { once: true });
      const ended =
        consent === undefined
          ? runCall(host, call, stop.signal)
          : runConsented(host, call, consent, stop.signal);
      const runningCall = { stop, ended };
      const same = running.get(call.id) ?? new Set();
      running.set(call.id, same.add(runningCall));
      try {
        return await ended;
      } finally {
        signal?.removeEventListener('abort', takeBack);
        same.delete(runningCall);
        if (same.size === 0) running.delete(call.id);
      }
    },
    isRunning: (callId) => running.has(callId),
    get count() {
      return running.size;
    },
    async cancel({ except, by } = {}) {
      const runningCalls = [...running].flatMap(([id, calls]) => (except?.has(id) ? [] : [...calls]));
      if (runningCalls.length === 0) return;
      for (const { stop } of runningCalls) stop.abort(by && cancellation(by));
      const { promise: tooLong, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs).unref();
      await Promise.race([Promise.allSettled(runningCalls.map(({ ended }) => ended)), tooLong]);
      clearTimeout(timer);
    },
  };
}

// Calls that were already waiting when the session was opened, and whose caller may be gone: a decision starts its call, and an expired
// approval ends it. Opening a session starts nothing, because reading opens it as well.
type AdoptOptions = {
  /** Starts the call whose approval was decided, unless another process does. */
  wake(approvalId: string): void;
  /** An unattended call of a turn has expired. */
  onExpired(): void;
  onFault(error: unknown): void;
};

type OrphanedCalls = Disposable & {
  /** Starts the calls that were decided before the session was opened. */
  startDecided(): void;
};

// A caller that waits for the decision ends its call at the deadline; a little later there is no such caller.
const expiryGraceMs = 1000;
/** A decision is no longer acted on when its deadline was longer ago than this. */
export const lateMs = 60_000;

export function adoptOrphanedCalls(
  live: LiveSession,
  { wake, onExpired, onFault }: AdoptOptions,
): OrphanedCalls {
  const timers: NodeJS.Timeout[] = [];
  const waiting = new Set<string>();
  const decided = new Set<string>();

  function expireLater(approval: ApprovalRequest, call: ToolCall): void {
    if (approval.deadline === undefined) return;
    const remainingMs = Math.max(0, approval.deadline - Date.now()) + expiryGraceMs;
    // A turn that waits for the answer is continued by the person who wants the question again.
    const next = waitsForAnswer(call) ? () => undefined : onExpired;
    const end = (): void => void expireUnanswered(live, approval).then(next).catch(onFault);
    timers.push(setTimeout(end, Math.min(remainingMs, longestTimerMs)).unref());
  }

  for (const state of live.openCalls.values()) {
    if (state.state === 'awaiting_approval') {
      waiting.add(state.approval.id);
      expireLater(state.approval, state.call);
    }
    if (state.state !== 'approved') continue;
    // The call was not started and will not be: it expired too long ago.
    if (hasExpired(state.approval, Date.now() - lateMs) && state.call.turn === undefined)
      void giveUp(live, state.call).catch(onFault);
    else decided.add(state.approval.id);
  }
  // Includes decisions made by another process, which does not run the call itself.
  const stop = live.watch(({ body }) => {
    if (body.type === 'approval.decided' && waiting.delete(body.approvalId)) wake(body.approvalId);
  });
  return {
    startDecided() {
      for (const id of decided) wake(id);
      decided.clear();
    },
    [Symbol.dispose]() {
      stop();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

async function giveUp(live: LiveSession, call: ToolCall): Promise<void> {
  const late = new ToolError(
    'APPROVAL_EXPIRED',
    'It was approved, but CodeLab ended before it began, and its time is over. Nothing was done; ask for it again.',
  );
  const outcome = endedBadly({ call, startedAt: Date.now() }, late);
  await finishCall(
    live,
    { call, outcome },
    { onlyIf: () => live.openCalls.get(call.id)?.state === 'approved' },
  );
}
