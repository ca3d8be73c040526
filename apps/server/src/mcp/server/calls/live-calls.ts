// Calls of MCP clients while they run: beginning one, joining it again by its id, and those set aside until a human decides.
import { type Actor, type ApprovalRequest, type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import type { SharedSession } from '../../../sessions/gateway.ts';

// A running call as the server of an MCP client follows it: its pending approval, its progress, its outcome. It continues between the
// requests of a client that answers an approval with a new request.
type CallListener = {
  /** `settled` aborts when the approval was decided by anyone, or can no longer be decided. */
  asked(approval: ApprovalRequest, settled: AbortSignal): void;
  progress(data: Record<string, unknown>): void;
};

export type LiveCall = {
  id: string;
  outcome: Promise<Outcome>;
  /** The client cancels the call: its approval is withdrawn, a running call is ended. */
  cancel(): void;
  /** Reports a pending approval immediately; returns a function that stops listening. */
  hear(listener: CallListener): () => void;
};

type BeginOptions = {
  by: Actor;
  /** The call was made before, so an approval may already be pending. */
  isAgain: boolean;
  onFault(error: unknown): void;
};

type Question = { approval: ApprovalRequest; settled: AbortController };

async function beginCall(
  session: SharedSession,
  call: Omit<ToolCall, 'session' | 'by'>,
  { by, isAgain, onFault }: BeginOptions,
): Promise<LiveCall> {
  const listeners = new Set<CallListener>();
  const finished = new AbortController();
  const stop = new AbortController();
  let question: Question | undefined;

  function endQuestion(): void {
    question?.settled.abort();
    question = undefined;
  }
  function openQuestion(approval: ApprovalRequest): void {
    if (question?.approval.id === approval.id) return;
    endQuestion();
    question = { approval, settled: new AbortController() };
    for (const listener of listeners) listener.asked(approval, question.settled.signal);
  }
  async function follow(since: number): Promise<void> {
    for await (const message of session.listen({ since, signal: finished.signal })) {
      const signal = message.type === 'signal' ? message.signal : undefined;
      if (signal?.type === 'progress' && signal.callId === call.id)
        for (const listener of listeners) listener.progress(signal.progress);
      if (message.type !== 'event') continue;
      const { body } = message.event;
      if (body.type === 'approval.requested' && body.callId === call.id) openQuestion(body.approval);
      const isOver = body.type === 'approval.decided' || body.type === 'approval.expired';
      if (isOver && body.approvalId === question?.approval.id) endQuestion();
    }
  }

  const since = await session.head();
  // A call that was asked about before is joined: nothing new is recorded about it.
  const pending = isAgain ? (await session.pending()).find(({ callId }) => callId === call.id) : undefined;
  const outcome = session.call(call, by, { signal: stop.signal }).finally(() => {
    endQuestion();
    finished.abort();
  });
  // A caller that waits for the outcome gets the error; without a caller, the rejection must not end the process.
  outcome.catch(() => undefined);
  follow(since).catch(onFault);
  if (pending !== undefined) openQuestion(pending);
  return {
    id: call.id,
    outcome,
    cancel: () => stop.abort(),
    hear(listener) {
      listeners.add(listener);
      if (question !== undefined) listener.asked(question.approval, question.settled.signal);
      return () => void listeners.delete(listener);
    },
  };
}

// The running calls of MCP clients, found again by session and id, limited per person.
export type LiveCalls = {
  /** The running call, or a new one: the same id with the same arguments never runs twice. */
  begin(
    session: SharedSession,
    call: Omit<ToolCall, 'session' | 'by'>,
    options: { by: Actor; isAgain: boolean },
  ): Promise<LiveCall>;
};

type OwnedCall = { who: string; call: Promise<LiveCall> };

const mostForOne = 64;

export function createLiveCalls(onFault: (error: unknown) => void): LiveCalls {
  const calls = new Map<string, OwnedCall>();
  return {
    async begin(session, call, { by, isAgain }) {
      const { who } = by;
      const key = JSON.stringify([session.id, call.id]);
      const before = calls.get(key);
      if (before !== undefined) return await before.call;
      if (calls.values().reduce((sum, call) => sum + Number(call.who === who), 0) >= mostForOne)
        throw new ToolError(
          'CONCURRENT_LIMIT_EXCEEDED',
          `${mostForOne} of your calls are running or waiting for a decision. Wait for some to end.`,
        );
      const startedCall = beginCall(session, call, { by, isAgain, onFault });
      calls.set(key, { who, call: startedCall });
      const forget = (): void => void calls.delete(key);
      startedCall.then(({ outcome }) => outcome).then(forget, forget);
      return await startedCall;
    },
  };
}

// Calls that wait for a decision although their client, which can't prompt its user, already got a response. The client's next call with
// the same tool and arguments joins the pending one, so that nothing is asked or run twice.
export type DeferredCalls = {
  /** The id of the call that was set aside under this key. */
  find(key: string): string | undefined;
  keep(key: string, call: LiveCall): void;
  /** The outcome was delivered: the next call is a new one. */
  forget(key: string): void;
  /** Cancels all calls, because no client can join them any more. */
  cancelAll(): void;
};

const maxDeferred = 256;
// An outcome that was not fetched for this long is not reused for a new call.
const keptMs = 10 * 60_000;

export function createDeferredCalls(): DeferredCalls {
  const deferred = new Map<string, LiveCall>();

  function forget(key: string, call: LiveCall): void {
    if (deferred.get(key) === call) deferred.delete(key);
  }
  function ended(key: string, call: LiveCall, outcome: Outcome): void {
    // An expired or cancelled call had no effect, so the next one asks again.
    if (outcome.status === 'expired' || outcome.status === 'cancelled') forget(key, call);
    else setTimeout(() => forget(key, call), keptMs).unref();
  }
  return {
    find: (key) => deferred.get(key)?.id,
    keep(key, call) {
      if (deferred.get(key)?.id === call.id) return;
      deferred.set(key, call);
      if (deferred.size > maxDeferred) deferred.delete(deferred.keys().next().value ?? key);
      call.outcome.then(
        (outcome) => ended(key, call, outcome),
        () => forget(key, call),
      );
    },
    forget: (key) => void deferred.delete(key),
    cancelAll() {
      for (const call of deferred.values()) call.cancel();
      deferred.clear();
    },
  };
}
