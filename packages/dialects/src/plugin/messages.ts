// The messages of seed 002: execution signals, approval requests with a risk, results with a status and the spec's error names.
import { type EndedBadly, type Failure, type Outcome, pluginErrorName } from '@codelab/protocol';
import type { Json, WireCall } from '../dialect.ts';
import { present } from '../shared/values.ts';
import { decisionFields, type MessageWriter, riskInSeeds, secondsToDecide } from '../shared/write-message.ts';

export const pluginWriter: MessageWriter = {
  call: ({ id, wire, requiresApproval }) =>
    present({
      type: 'tool.execution_signal',
      tool_id: id,
      tool_type: wire.tool,
      args: wire.args,
      execution_context: requiresApproval ? { user_approved: false } : undefined,
    }),
  approval: ({ id, wire }, approval, args) =>
    present({
      type: 'tool.approval_request',
      tool_id: id,
      tool_name: wire.tool,
      args,
      risk_level: riskInSeeds(approval),
      timeout_seconds: secondsToDecide(approval),
      description: approval.plan.summary,
      estimated_duration_ms: approval.kind === 'execute' ? commandMs : fileMs,
      approval_id: approval.id,
      timestamp: new Date(approval.requestedAt).toISOString(),
      session_id: approval.session,
    }),
  decision: (callId, decision) => ({
    type: 'tool.approval_decision',
    tool_id: callId,
    ...decisionFields(decision, { args: 'modified_args', feedback: 'reason' }),
  }),
  completed: ({ id, wire }, { result, metadata, ending, changedBy, outcome }) =>
    present({
      tool_id: id,
      tool_type: wire.tool,
      status: 'success',
      output: result,
      metadata,
      changed_by: changedBy,
      ...timesOf(outcome),
      ...endingOf(ending),
    }),
  endedBadly: ({ id, wire }, outcome) => ({
    tool_id: id,
    tool_type: wire.tool,
    status: statusWord(outcome.status),
    error: errorOf(outcome.error),
    ...timesOf(outcome),
  }),
};

// Typical durations of such calls, enough to tell a short wait from a long one.
const fileMs = 100;
const commandMs = 5000;

/** The order to run a call, under both names that clients look for. A client runs only approved calls. */
export function executionSignal({ id, wire }: WireCall, approved: { at: number } | 'by_rule'): Json {
  return {
    type: 'tool.execution_signal',
    tool_id: id,
    tool_type: wire.tool,
    args: wire.args,
    tool_name: wire.tool,
    tool_params: wire.args,
    execution_context:
      approved === 'by_rule'
        ? { user_approved: true, approved_by: 'rule' }
        : {
            user_approved: true,
            approved_by: 'human',
            approval_time: new Date(approved.at).toISOString(),
          },
  };
}

/** The status of a client's result: received, recorded, or rejected because it does not match the tool. */
export type Receipt = { status: 'received' | 'processed' | 'rejected'; message?: string };

export function receiptOf(outcome: Outcome): Receipt {
  if (outcome.status === 'completed') return { status: 'processed' };
  const { message, details } = outcome.error;
  const isUnfit = typeof details?.field === 'string' && details.field.startsWith('result.');
  return { status: isUnfit ? 'rejected' : 'processed', message };
}

function statusWord(status: EndedBadly['status']): string {
  switch (status) {
    case 'timed_out':
      return 'timeout';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
    case 'rejected':
    case 'expired':
      return 'error';
  }
}

// The spec's name may be coarser or finer than our code, so the code itself is then in the details.
function errorOf({ code, message, details }: Failure): Json {
  const name = pluginErrorName(code, details?.reason);
  return present({ message, code: name, details: name === code ? details : { ...details, code } });
}

function endingOf(ending: Json | undefined): Json {
  const failure = ending?.error as Failure | undefined;
  return failure === undefined ? (ending ?? {}) : { ...ending, error: errorOf(failure) };
}

function timesOf({ startedAt, durationMs }: Outcome): Json {
  return { duration_ms: durationMs, timestamp: new Date(startedAt + durationMs).toISOString() };
}
