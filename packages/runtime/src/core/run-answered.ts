// Runs one call while somebody here answers what it asks, or has consented by asking for it. The same question may also be answered
// in another process.
import {
  type ApprovalRequest,
  type DecidedBy,
  type Outcome,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { pendingApprovals } from './approvals.ts';
import { answerApproval } from './ask-human.ts';
import type { Host } from './host.ts';
import { runCall } from './run-call.ts';

/** Returns once it has decided, or once `signal` says that nothing is left to decide. */
export type AnswerApproval = (approval: ApprovalRequest, signal: AbortSignal) => Promise<void>;

type Options = {
  host: Host;
  call: ToolCall;
  answer: AnswerApproval;
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

async function answerAll(
  host: Host,
  call: ToolCall,
  answer: AnswerApproval,
  signal: AbortSignal,
): Promise<void> {
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

/** A person makes the call: asking for it is their consent, recorded under their name. A rule that denies still denies. */
export async function runConsented(
  host: Host,
  call: ToolCall,
  by: DecidedBy,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const failed = new AbortController();
  const { id, session } = call;
  let isGiven = false;
  return await runAnswered({
    host,
    // Also where nobody would be asked: the record must say whose doing it was.
    call: { ...call, requiresApproval: true },
    interruption: {
      signal: AbortSignal.any([signal, failed.signal]),
      fail: (reason) => failed.abort(reason),
    },
    async answer(approval) {
      // They agreed to what was there when they asked, not to whatever it has become since.
      if (isGiven) throw changedMeanwhile(id);
      isGiven = true;
      const given = { session, approvalId: approval.id, decision: { kind: 'approve' as const }, by };
      await answerApproval(host, given).catch(unlessDecided);
    },
  });
}

// Somebody else saw the question and was first; theirs holds.
function unlessDecided(error: unknown): void {
  if (!(error instanceof ToolError && error.code === 'ALREADY_DECIDED')) throw error;
}

function changedMeanwhile(id: string): ToolError {
  return new ToolError(
    'STALE',
    `What the call ${id} touches was changed in the meantime, so it was not carried out. Look again.`,
  );
}
