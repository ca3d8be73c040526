// Runs one call while somebody here answers what it asks. The same question may also be answered elsewhere.
import type { ApprovalRequest, Outcome, ToolCall } from '@codelab/protocol';
import { pendingApprovals } from './approvals.ts';
import type { Host } from './host.ts';
import { runCall } from './run-call.ts';

/** Returns once it has decided, or once `signal` says that nothing is left to decide. */
export type Answer = (approval: ApprovalRequest, signal: AbortSignal) => Promise<void>;

type Options = {
  host: Host;
  call: ToolCall;
  answer: Answer;
  /** What ends the call; `fail` ends it for a reason. */
  interruption: { signal: AbortSignal; fail(reason: unknown): void };
};

export async function runAnswered({ host, call, answer, interruption }: Options): Promise<Outcome> {
  const finished = new AbortController();
  const answering = answerAll(host, call, answer, AbortSignal.any([interruption.signal, finished.signal]));
  // A question that can't be put must not leave the call waiting for its deadline.
  answering.catch((error: unknown) => interruption.fail(error));
  try {
    return await runCall(host, call, interruption.signal);
  } finally {
    finished.abort();
    await answering.catch(() => undefined);
  }
}

async function answerAll(host: Host, call: ToolCall, answer: Answer, signal: AbortSignal): Promise<void> {
  const session = await host.session(call.session);
  const seen = new Set<string>();
  const next = (): ApprovalRequest | undefined =>
    pendingApprovals(session).find(({ id, callId }) => callId === call.id && !seen.has(id));
  while (!signal.aborted) {
    const approval = await session.waitFor(next, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (approval === undefined) return;
    seen.add(approval.id);
    await answer(approval, signal);
  }
}
