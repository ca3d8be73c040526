// The messages of seed 004: `arguments`, a result object, an error as text with its code and details beside it.

import { present } from '../shared/values.ts';
import { decisionFields, type MessageWriter } from '../shared/write-message.ts';

export const agentWriter: MessageWriter = {
  call: ({ id, wire, requiresApproval }) => ({
    type: 'tool_call',
    call_id: id,
    tool_name: wire.tool,
    arguments: wire.args,
    requires_approval: requiresApproval,
  }),
  approval: ({ id, wire }, _approval, args) => ({
    type: 'tool_call',
    call_id: id,
    tool_name: wire.tool,
    arguments: args,
    requires_approval: true,
  }),
  decision: (callId, decision) => ({
    type: 'hitl_decision',
    call_id: callId,
    ...decisionFields(decision, { args: 'modified_arguments', feedback: 'feedback' }),
  }),
  completed: ({ id }, { result, ending, changedBy }) =>
    present({ type: 'tool_result', call_id: id, result, ...ending, changed_by: changedBy }),
  progress: ({ id }, result) => ({ type: 'tool_result', call_id: id, result }),
  endedBadly: ({ id }, { error }) =>
    present({
      type: 'tool_result',
      call_id: id,
      error: error.message,
      error_code: error.code,
      details: error.details,
    }),
};
