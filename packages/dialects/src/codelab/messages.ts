// The messages of seed 000: `args`, a result object, an error with a code and a message.

import { present } from '../shared/values.ts';
import { decisionFields, type MessageWriter } from '../shared/write-message.ts';

export const codelabWriter: MessageWriter = {
  call: ({ id, wire, requiresApproval }) =>
    present({
      type: 'tool_call',
      tool_name: wire.tool,
      call_id: id,
      args: wire.args,
      requires_approval: requiresApproval || undefined,
    }),
  approval: ({ id, wire }, _approval, args) => ({
    type: 'tool_call',
    tool_name: wire.tool,
    call_id: id,
    args,
    requires_approval: true,
  }),
  decision: (callId, decision) => ({
    type: 'hitl_decision',
    call_id: callId,
    ...decisionFields(decision, { args: 'modified_arguments', feedback: 'feedback' }),
  }),
  completed: ({ id }, { result, changedBy }) => ({
    type: 'tool_result',
    call_id: id,
    result,
    ...(changedBy && { changed_by: changedBy }),
  }),
  progress: ({ id }, result) => ({ type: 'tool_result', call_id: id, result }),
  endedBadly: ({ id }, { error }) => ({ type: 'tool_result', call_id: id, error: present({ ...error }) }),
};
