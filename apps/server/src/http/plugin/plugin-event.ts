// What happens in a session as the editor plugin hears it: a log entry or a signal becomes one of seed 002's events.
import { type Dialect, findDialect, type Json } from '@codelab/dialects';
import type { ApprovalRequest, EventBody, SessionEvent, SessionMessage, ToolCall } from '@codelab/protocol';

/** `seq` only for what is in the log: from there a stream can be taken up again. */
export type PluginEvent = { type: string; payload: Json; time: number; seq?: number };

export type PluginVoice = (heard: SessionMessage) => PluginEvent[];

/** Remembers which calls it has heard of, so that their ends can be told in the plugin's words. `acks`: the client carries them out. */
export function pluginVoice({ acks = false } = {}): PluginVoice {
  const plugin = findDialect('plugin');
  const calls = new Map<string, ToolCall>();
  return (heard) => {
    if (heard.type === 'switched')
      return [once('agent_switched', { from: heard.from, to: heard.to, reason: heard.reason ?? null })];
    if (heard.type === 'notice') return [once('notice', { message: heard.text })];
    if (heard.type === 'signal') return ofSignal(heard.signal);
    const { body, seq, time, session } = heard.event;
    if (body.type === 'call.received') calls.set(body.call.id, body.call);
    const told = ofBody(plugin, heard.event, calls).map(({ type, ...payload }) => ({
      type: String(type),
      payload: { ...payload, session_id: session },
      time,
      seq,
    }));
    if (body.type !== 'call.finished') return told;
    calls.delete(body.callId);
    return acks ? [ackOf(body, time), ...told] : told;
  };
}

// Without a number: a stream that breaks off right after it is taken up before it.
function ackOf({ outcome }: Extract<EventBody, { type: 'call.finished' }>, time: number): PluginEvent {
  const message = outcome.status === 'completed' ? undefined : outcome.error.message;
  const payload = { tool_id: outcome.callId, receipt_status: 'processed', status: 'received' };
  return {
    type: 'tool.result_ack',
    payload: message === undefined ? payload : { ...payload, message },
    time,
  };
}

function once(type: string, payload: Json): PluginEvent {
  return { type, payload, time: Date.now() };
}

function ofSignal(signal: Extract<SessionMessage, { type: 'signal' }>['signal']): PluginEvent[] {
  switch (signal.type) {
    case 'text':
      return [once('message_chunk', { role: 'assistant', content: signal.delta })];
    case 'status':
      return [once('agent_status_changed', { status: signal.status })];
    case 'progress':
      return [once('task_progress', { tool_id: signal.callId, progress: signal.progress })];
    default:
      return [];
  }
}

function ofBody(plugin: Dialect, { body, seq }: SessionEvent, calls: ReadonlyMap<string, ToolCall>): Json[] {
  switch (body.type) {
    case 'turn.started':
      return body.agent === undefined ? [message(seq, 'user', body.text)] : [];
    case 'model.replied':
      return body.agent !== undefined || body.reply.text === ''
        ? []
        : [message(seq, 'assistant', body.reply.text)];
    case 'turn.ended':
      return body.agent === undefined ? [endOf(body)] : [];
    case 'approval.requested':
      return [approvalRequest(plugin, body.approval)];
    case 'approval.warned':
      return [{ ...aboutApproval('approval_timeout_warning', body), seconds_left: body.secondsLeft }];
    case 'approval.expired':
      return [aboutApproval('approval_timeout', body)];
    case 'approval.decided':
      return [
        {
          ...aboutApproval('approval_resolved', body),
          decision: body.decision.kind,
          decided_by: body.by.who,
        },
      ];
    case 'call.finished':
      return [finished(plugin, body, calls.get(body.callId))];
    default:
      return [];
  }
}

function message(seq: number, role: string, content: string): Json {
  return { type: 'message_created', message_id: seq, role, content };
}

function endOf({ end, message: why, turn }: Extract<EventBody, { type: 'turn.ended' }>): Json {
  if (end === 'completed') return { type: 'task_completed', turn, status: end };
  const code = end === 'failed' ? 'AGENT_ERROR' : end === 'cancelled' ? 'CANCELLED' : 'AGENT_ERROR';
  return { type: 'error', turn, error_code: code, message: why ?? end };
}

function aboutApproval(type: string, { approvalId, callId }: { approvalId: string; callId: string }): Json {
  return { type, approval_id: approvalId, tool_id: callId };
}

function approvalRequest(plugin: Dialect, approval: ApprovalRequest): Json {
  const { callId: id, tool, args } = approval;
  const said = plugin.encode({ type: 'approval', asked: plugin.spell({ id, tool, args }), approval });
  return { ...said, estimated_duration_ms: approval.kind === 'execute' ? commandMs : fileMs };
}

// What such calls usually take: enough to tell a moment from a wait.
const fileMs = 100;
const commandMs = 5000;

function finished(
  plugin: Dialect,
  { outcome }: Extract<EventBody, { type: 'call.finished' }>,
  call: ToolCall | undefined,
): Json {
  // The call itself may have been told before the stream began.
  const asked = plugin.spell(call ?? { id: outcome.callId, tool: outcome.tool, args: {} });
  const said = plugin.encode({ type: 'result', asked, outcome });
  return { ...said, type: outcome.status === 'completed' ? 'tool_result' : 'tool_error' };
}
