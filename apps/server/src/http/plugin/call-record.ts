// One call as the plugin's REST answers it: its state and its result.
import type { ToolRecord } from '@codelab/api';
import { findDialect, type Json } from '@codelab/dialects';
import { type CallState, nextCallState, type SessionEvent } from '@codelab/protocol';

export type CallEntry = {
  state: CallState;
  createdAt: number;
  completedAt: number | undefined;
  approvalId: string | undefined;
};

/** The calls of a session, in the order they were received. */
export function foldCalls(events: readonly SessionEvent[]): Map<string, CallEntry> {
  const calls = new Map<string, CallEntry>();
  for (const event of events) {
    const { body, time } = event;
    const id = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
    if (id === undefined) continue;
    const before = calls.get(id);
    const state = nextCallState(before?.state, event);
    if (state === undefined) continue;
    calls.set(id, {
      state,
      createdAt: before?.createdAt ?? time,
      completedAt: body.type === 'call.finished' ? time : before?.completedAt,
      approvalId: body.type === 'approval.requested' ? body.approval.id : before?.approvalId,
    });
  }
  return calls;
}

export function writeRecord({ state, createdAt, completedAt, approvalId }: CallEntry): ToolRecord {
  const plugin = findDialect('plugin');
  const spelled = plugin.spell(state.call);
  return {
    tool_id: state.call.id,
    tool_name: spelled.wire.tool,
    tool_params: spelled.wire.args,
    session_id: state.call.session,
    status: statusWord(state.state),
    requires_approval: approvalId !== undefined,
    ...(approvalId !== undefined && { approval_id: approvalId }),
    ...('outcome' in state &&
      endOf(plugin.encode({ type: 'result', asked: spelled, outcome: state.outcome }))),
    created_at: new Date(createdAt).toISOString(),
    ...(completedAt !== undefined && { completed_at: new Date(completedAt).toISOString() }),
  };
}

function endOf({ output, metadata, exitCode, error, changed_by }: Json): Json {
  const { message, code, details } = (error ?? {}) as Json;
  return Object.fromEntries(
    Object.entries({
      result: output,
      metadata,
      exit_code: exitCode,
      error: message,
      error_code: code,
      error_details: details,
      changed_by,
    }).filter(([, value]) => value !== undefined),
  );
}

function statusWord(state: CallState['state']): ToolRecord['status'] {
  switch (state) {
    case 'received':
    case 'planned':
      return 'pending';
    case 'unanswered':
      return 'awaiting_approval';
    case 'awaiting_approval':
    case 'approved':
    case 'completed':
    case 'failed':
    case 'rejected':
    case 'cancelled':
      return state;
    case 'running':
      return 'executing';
    case 'expired':
    case 'timed_out':
      return 'timeout';
  }
}
