// The calls a peer has heard of and that have not ended: how each was asked, so that its answer is spelled alike.
import type { AskedCall, Dialect, Json } from '@codelab/dialects';
import type { ApprovalRequest, Outcome, ToolCall } from '@codelab/protocol';

export type KnownCalls = {
  /** The peer itself has asked it: it is not told of it once more. */
  remember(asked: AskedCall): void;
  has(callId: string): boolean;
  /** `isTold`: the peer heard of it before, on an earlier line. */
  know(call: Pick<ToolCall, 'id' | 'tool' | 'args' | 'requiresApproval'>, isTold?: boolean): void;
  /** That the call is made, unless the peer knows. */
  announce(callId: string): Json[];
  question(approval: ApprovalRequest): Json;
  progress(callId: string, data: Json): Json[];
  /** After this the call is forgotten. */
  result(outcome: Outcome, asked?: AskedCall): Json;
};

type Known = { asked: AskedCall; dialect: Dialect; isAnnounced: boolean };

export function createKnownCalls(dialectNow: () => Dialect): KnownCalls {
  const calls = new Map<string, Known>();

  function find(id: string, tool: string, args: Json, requiresApproval?: boolean): Known {
    const before = calls.get(id);
    if (before !== undefined) return before;
    const dialect = dialectNow();
    const asked = dialect.spell({ id, tool, args, requiresApproval });
    const known = { asked, dialect, isAnnounced: false };
    calls.set(id, known);
    return known;
  }

  return {
    remember: (asked) => void calls.set(asked.id, { asked, dialect: dialectNow(), isAnnounced: true }),
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
  return {
    approval_id: id,
    description: plan.summary,
    risk_level: verdict.risk,
    reason: verdict.reason,
    expires_at: new Date(deadline).toISOString(),
    ...(again !== undefined && { again }),
    plan: shown,
  };
}
