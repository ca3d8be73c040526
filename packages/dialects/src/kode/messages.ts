// The messages of seed 001: `backend_only` around the tool's answer, `tool_result` for a call that never reached its tool.
import type { Json } from '../dialect.ts';
import { present } from '../shared/values.ts';
import { type CallRef, decisionFields, type MessageWriter } from '../shared/write-message.ts';

export function kodeWriter(newUuid: () => string): MessageWriter {
  function envelope({ id, wire }: CallRef, data: Json | string): Json {
    return { type: 'backend_only', tool_name: wire.tool, tool_use_id: id, uuid: newUuid(), data };
  }

  return {
    call: ({ id, wire, requiresApproval }) =>
      present({
        type: 'tool_use',
        tool: wire.tool,
        input: wire.args,
        id,
        requires_approval: requiresApproval || undefined,
      }),
    approval: ({ id, wire }, { verdict }, args) => ({
      type: 'can_use_tool',
      tool_name: wire.tool,
      input: args,
      tool_use_id: id,
      decision_reason: verdict.reason,
    }),
    decision: (callId, decision) => ({
      type: 'decision',
      tool_use_id: callId,
      ...decisionFields(decision, { args: 'modified_arguments', feedback: 'feedback' }),
    }),
    completed: (call, { result, changedBy }) => present({ ...envelope(call, result), changed_by: changedBy }),
    endedBadly: (call, { error }, answer) =>
      answer === undefined
        ? { type: 'tool_result', tool_use_id: call.id, result: error.message, is_error: true }
        : envelope(call, answer),
  };
}
