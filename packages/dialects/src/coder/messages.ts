// The messages of seed 003: `ok` objects. A refusal by a human or a rule is `denied`, every other failure is an error.
import type { EndedBadly, Failure } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { present, short } from '../shared/values.ts';
import { type CallRef, decisionFields, type MessageWriter, riskInSeeds } from '../shared/write-message.ts';

export const coderWriter: MessageWriter = {
  call: ({ id, wire, requiresApproval }) =>
    present({
      type: 'call',
      id,
      name: wire.tool,
      args: wire.args,
      requires_approval: requiresApproval || undefined,
    }),
  approval: ({ id, wire }, approval, args) => ({
    type: 'approval',
    id,
    name: wire.tool,
    args,
    reason: approval.verdict.reason,
    risk: riskInSeeds(approval),
  }),
  decision: (callId, decision) => ({
    type: 'decision',
    id: callId,
    ...decisionFields(decision, { args: 'modified_arguments', feedback: 'feedback' }),
  }),
  completed: (_asked, { result, changedBy }) =>
    present({ ok: true, ...fieldsOf(result), changed_by: changedBy }),
  endedBadly: (call, { status, error }) =>
    isDenied(status, error)
      ? { ok: false, denied: true, reason: error.message, code: error.code }
      : { ok: false, error: errorText(call, error), code: error.code },
};

function fieldsOf(result: Json | string): Json {
  return typeof result === 'string' ? { output: result } : result;
}

function isDenied(status: EndedBadly['status'], { code, details }: Failure): boolean {
  return (
    status === 'rejected' ||
    status === 'expired' ||
    (code === 'PERMISSION_DENIED' && details?.rule !== undefined)
  );
}

// Seed 003 names the kind of three errors in their text.
function errorText({ wire }: CallRef, { code, message, details }: Failure): string {
  switch (code) {
    case 'TOOL_NOT_FOUND':
      return `unknown tool: ${short(wire.tool)}`;
    case 'INVALID_ARGUMENTS':
      // The arguments of an edit that does not match the file are valid, so its message has no prefix.
      return details?.edit === undefined ? `args: ${message}` : message;
    case 'PATH_OUTSIDE_WORKSPACE':
      return `permission denied: ${message}`;
    default:
      return message;
  }
}
