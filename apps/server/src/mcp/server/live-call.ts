// A call on its way, as whoever serves an MCP client follows it: what is asked about it now, how far it is, how it ended. It goes on
// between the requests of a client that answers a question by asking again.
import type { Actor, ApprovalRequest, Outcome, ToolCall } from '@codelab/protocol';
import type { SharedSession } from '../../sessions/gateway.ts';

type CallListener = {
  /** `settled` aborts when it was decided, by anyone, or can't be any more. */
  asked(approval: ApprovalRequest, settled: AbortSignal): void;
  progress(data: Record<string, unknown>): void;
};

export type LiveCall = {
  id: string;
  outcome: Promise<Outcome>;
  /** Its client wants it no more: what is asked is withdrawn, what runs is ended. */
  cancel(): void;
  /** Tells at once what is asked now; returns how to stop. */
  hear(listener: CallListener): () => void;
};

export type BeginOptions = {
  by: Actor;
  /** It was made before, so that a question may wait already. */
  isAgain: boolean;
  onFault(error: unknown): void;
};

type Question = { approval: ApprovalRequest; settled: AbortController };

export async function beginCall(
  session: SharedSession,
  call: Omit<ToolCall, 'session' | 'by'>,
  { by, isAgain, onFault }: BeginOptions,
): Promise<LiveCall> {
  const listeners = new Set<CallListener>();
  const done = new AbortController();
  const stop = new AbortController();
  let question: Question | undefined;

  function settle(): void {
    question?.settled.abort();
    question = undefined;
  }
  function ask(approval: ApprovalRequest): void {
    if (question?.approval.id === approval.id) return;
    settle();
    question = { approval, settled: new AbortController() };
    for (const listener of listeners) listener.asked(approval, question.settled.signal);
  }
  async function follow(since: number): Promise<void> {
    for await (const heard of session.listen({ since, signal: done.signal })) {
      if (heard.type === 'signal' && heard.signal.type === 'progress' && heard.signal.callId === call.id)
        for (const listener of listeners) listener.progress(heard.signal.progress);
      if (heard.type !== 'event') continue;
      const { body } = heard.event;
      if (body.type === 'approval.requested' && body.callId === call.id) ask(body.approval);
      const isOver = body.type === 'approval.decided' || body.type === 'approval.expired';
      if (isOver && body.approvalId === question?.approval.id) settle();
    }
  }

  const since = await session.head();
  // One that was asked about before is joined: nothing new is said about it.
  const waiting = isAgain ? (await session.pending()).find(({ callId }) => callId === call.id) : undefined;
  const outcome = session.call(call, by, { signal: stop.signal }).finally(() => {
    settle();
    done.abort();
  });
  // Whoever waits for it hears of a defect; when nobody does any more, it must not end the process.
  outcome.catch(() => undefined);
  follow(since).catch(onFault);
  if (waiting !== undefined) ask(waiting);
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
