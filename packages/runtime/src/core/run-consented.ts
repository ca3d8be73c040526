// Runs a call that a person makes themselves: asking for it is their consent, recorded under their name. A rule that denies still denies.
import { type DecidedBy, type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import { answerApproval } from './answer-approval.ts';
import type { Host } from './host.ts';
import { runAnswered } from './run-answered.ts';

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
