// The calls that one connection has been told of and that have not ended: how each was asked, so that its answer is spelled alike.
import type { ApprovalRequest, Outcome, ToolCall } from '@codelab/protocol';
import type { AskedCall, Dialect, Json } from '../dialect.ts';
import { writeAbout } from './tool-messages.ts';

export type CallEncoder = {
  /** The peer itself has asked it: it is not told of it once more. */
  remember(asked: AskedCall): void;
  has(callId: string): boolean;
  /** `isTold`: the peer heard of it before, on an earlier connection. */
  know(call: Pick<ToolCall, 'id' | 'tool' | 'args' | 'requiresApproval'>, isTold?: boolean): void;
  /** That the call is made, unless the peer knows. */
  announce(callId: string): Json[];
  question(approval: ApprovalRequest): Json;
  progress(callId: string, data: Json): Json[];
  /** After this the call is forgotten. */
  result(outcome: Outcome, asked?: AskedCall): Json;
};

type KnownCall = { asked: AskedCall; dialect: Dialect; isAnnounced: boolean };

/** `currentDialect` is how the peer spells at this moment; a call keeps the spelling it began with. */
export function createCallEncoder(currentDialect: () => Dialect): CallEncoder {
  const calls = new Map<string, KnownCall>();

  function find(id: string, tool: string, args: Json, requiresApproval?: boolean): KnownCall {
    const before = calls.get(id);
    if (before !== undefined) return before;
    const dialect = currentDialect();
    const asked = dialect.spell({ id, tool, args, requiresApproval });
    const known = { asked, dialect, isAnnounced: false };
    calls.set(id, known);
    return known;
  }

  return {
    remember: (asked) => void calls.set(asked.id, { asked, dialect: currentDialect(), isAnnounced: true }),
    has: (callId) => calls.has(callId),
    know({ id, tool, args, requiresApproval }, isTold = false) {
      const known = find(id, tool, args, requiresApproval);
      known.isAnnounced ||= isTold;
    },
    announce(callId) {
      const known = calls.get(callId);
      if (known === undefined || known.isAnnounced) return [];
      known.isAnnounced = true;
      return [known.dialect.encode({ type: 'call', call: known.asked })];
    },
    question(approval) {
      const known = find(approval.callId, approval.tool, approval.args);
      known.isAnnounced = true;
      return {
        ...known.dialect.encode({ type: 'approval', asked: known.asked, approval }),
        ...aboutQuestion(approval),
      };
    },
    progress(callId, data) {
      const known = calls.get(callId);
      if (known === undefined || !known.dialect.streams) return [];
      return [known.dialect.encode({ type: 'progress', asked: known.asked, data })];
    },
    result(outcome, asked) {
      const known = find(outcome.callId, outcome.tool, {});
      calls.delete(outcome.callId);
      return known.dialect.encode({ type: 'result', asked: asked ?? known.asked, outcome });
    },
  };
}

function aboutQuestion({ id, plan, verdict, deadline, again }: ApprovalRequest): Json {
  const { basis: _basis, ...shown } = plan;
  return writeAbout({
    approvalId: id,
    description: plan.summary,
    riskLevel: verdict.risk,
    reason: verdict.reason,
    expiresAt: new Date(deadline).toISOString(),
    ...(again !== undefined && { again }),
    plan: shown,
  });
}
