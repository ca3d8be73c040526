// The plugin's stream: events of a session become events of seed 002, and a client's messages about a call are read.
import {
  type AgentSignal,
  type ApprovalRequest,
  type Decision,
  type EventBody,
  type Failure,
  type Outcome,
  type SessionEvent,
  type SessionMessage,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import type { Dialect, Json, WireCall } from '../dialect.ts';
import { findDialect } from '../dialects.ts';
import { executionSignal, type Receipt, receiptOf } from './messages.ts';
import type { PluginEvent, PluginEventType } from './stream.ts';

type ApprovedBy = Parameters<typeof executionSignal>[1];

export type PluginEncoder = {
  encode(message: SessionMessage): PluginEvent[];
  /** The order to run a call now. */
  order(call: { callId: string; tool: string; args: Json }, approved: ApprovedBy): PluginEvent;
  /** The receipt for a client's result. Without a number, so that a stream that breaks right after it is resumed before it. */
  receipt(toolId: string, receipt: Receipt): PluginEvent;
  heartbeat(): PluginEvent;
};

/** Remembers which calls were sent, so that their ends have the plugin's spelling. `acks`: the client runs the calls. */
export function createPluginEncoder({
  session,
  acks = false,
}: {
  session: string;
  acks?: boolean;
}): PluginEncoder {
  const plugin = findDialect('plugin');
  const calls = new Map<string, ToolCall>();
  const event = (type: string, payload: Json, time = Date.now()): PluginEvent =>
    ({
      type: type as PluginEventType,
      timestamp: new Date(time).toISOString(),
      session_id: session,
      ...payload,
    }) as PluginEvent;

  function encodeEvent(entry: SessionEvent): PluginEvent[] {
    const { body, seq, time } = entry;
    if (body.type === 'call.received') calls.set(body.call.id, body.call);
    const events = payloadsOf(plugin, entry, calls).map(({ type, ...payload }) => ({
      ...event(String(type), payload, time),
      session_id: entry.session,
      seq,
    }));
    if (body.type !== 'call.finished') return events;
    calls.delete(body.callId);
    if (!acks) return events;
    const { outcome } = body;
    return [event('tool.result_ack', receiptPayload(outcome.callId, receiptOf(outcome)), time), ...events];
  }

  return {
    encode(message) {
      switch (message.type) {
        case 'event':
          return encodeEvent(message.event);
        case 'signal':
          return signalPayloads(message.signal).map(({ type, ...payload }) => event(String(type), payload));
        case 'switched': {
          const { from, to, reason = null } = message;
          return [event('agent_switched', { from, to, reason })];
        }
        case 'notice':
          return [event('notice', { message: message.text })];
        // The listeners have received the tokens, or get the whole reply.
        case 'live':
          return [];
      }
    },
    order({ callId: id, tool, args }, approved) {
      const { type, ...payload } = executionSignal(plugin.spell({ id, tool, args }), approved);
      return event(String(type), payload);
    },
    receipt: (toolId, receipt) => event('tool.result_ack', receiptPayload(toolId, receipt)),
    heartbeat: () => event('heartbeat', {}),
  };
}

// `status` is the older server's name, and it had only one value.
function receiptPayload(tool_id: string, { status: receipt_status, message }: Receipt): Json {
  return { tool_id, receipt_status, status: 'received', ...(message !== undefined && { message }) };
}

function signalPayloads(signal: AgentSignal): Json[] {
  switch (signal.type) {
    case 'text':
      return [{ type: 'message_chunk', role: 'assistant', content: signal.delta }];
    case 'status':
      return [{ type: 'agent_status_changed', status: signal.status }];
    case 'progress':
      return [{ type: 'task_progress', tool_id: signal.callId, progress: signal.progress }];
    default:
      return [];
  }
}

function payloadsOf(
  plugin: Dialect,
  { body, seq }: SessionEvent,
  calls: ReadonlyMap<string, ToolCall>,
): Json[] {
  switch (body.type) {
    case 'turn.started':
      return body.agent === undefined && body.again === undefined
        ? [chatMessage(seq, 'user', body.text)]
        : [];
    case 'turn.steered':
      return [chatMessage(seq, 'user', body.text)];
    case 'model.replied':
      return body.agent !== undefined || body.reply.text === ''
        ? []
        : [chatMessage(seq, 'assistant', body.reply.text)];
    case 'turn.ended':
      return body.agent === undefined ? [turnEnd(body)] : [];
    case 'approval.requested':
      return [approvalOf(plugin, body.approval)];
    case 'approval.warned':
      return [{ type: 'approval_timeout_warning', ...approvalIds(body), seconds_left: body.secondsLeft }];
    case 'approval.expired':
      return [{ type: 'approval_timeout', ...approvalIds(body) }];
    case 'approval.decided': {
      const { decision, by } = body;
      const decided = { decision: decision.kind, decided_by: by.who };
      return [{ type: 'approval_resolved', ...approvalIds(body), ...decided }];
    }
    case 'call.finished':
      return [callEnd(plugin, body.outcome, calls.get(body.callId))];
    default:
      return [];
  }
}

function chatMessage(seq: number, role: string, content: string): Json {
  return { type: 'message_created', message_id: seq, role, content };
}

function turnEnd({ end, message, turn, code }: Extract<EventBody, { type: 'turn.ended' }>): Json {
  if (end === 'completed') return { type: 'task_completed', turn, status: end };
  const failed = code === 'LLM_ERROR' ? code : 'AGENT_ERROR';
  const error_code = end === 'cancelled' ? 'CANCELLED' : failed;
  return { type: 'error', turn, error_code, message: message ?? end };
}

function approvalIds({ approvalId, callId }: { approvalId: string; callId: string }): Json {
  return { approval_id: approvalId, tool_id: callId };
}

function approvalOf(plugin: Dialect, approval: ApprovalRequest): Json {
  const { callId: id, tool, args } = approval;
  return plugin.encode({ type: 'approval', asked: plugin.spell({ id, tool, args }), approval });
}

function callEnd(plugin: Dialect, outcome: Outcome, call: ToolCall | undefined): Json {
  // The call itself may have been sent before the stream began.
  const wireCall = plugin.spell(call ?? { id: outcome.callId, tool: outcome.tool, args: {} });
  const message = plugin.encode({ type: 'result', asked: wireCall, outcome });
  return { ...message, type: outcome.status === 'completed' ? 'tool_result' : 'tool_error' };
}

/** A client's message about a call that it ran, in the form of seed 002 or the server's older one. */
export function readPluginResult(
  toolId: string,
  { status, result, ...rest }: Json,
): { wireResult: Json } | { error: Failure } {
  const words: Record<string, string> = { completed: 'success', failed: 'error' };
  const normalized: Json = { ...rest, status: words[String(status)] ?? status };
  if (normalized.output === undefined && result !== undefined) normalized.output = result;
  const exitCode = normalized.exitCode ?? normalized.exit_code;
  // A program that failed has ended nevertheless, and so has one that was stopped.
  if (normalized.status === 'success' || typeof exitCode === 'number') return { wireResult: normalized };
  const message = findDialect('plugin').decode({ ...normalized, type: 'tool.result', tool_id: toolId });
  if (message.type !== 'result' || message.outcome.status === 'completed') return { wireResult: normalized };
  return { error: message.outcome.error };
}

/** A call that a peer makes over REST. Throws when it is not a call, or does not match its tool. */
export function readPluginCall(wire: Json): WireCall {
  const message = findDialect('plugin').decode(
    { ...wire, type: 'tool.execution_signal' },
    { isLasting: true },
  );
  if (message.type === 'call') return message.call;
  throw new ToolError('INVALID_FORMAT', 'This is not a call.');
}

/** A human's decision about a call, as the core takes it; a tool that the plugin does not have keeps its own arguments. */
export function readPluginDecision(call: ToolCall, wire: Json): Decision {
  const plugin = findDialect('plugin');
  const message = plugin.decode({ ...wire, type: 'tool.approval_decision', tool_id: call.id });
  if (message.type !== 'decision') throw new ToolError('INVALID_FORMAT', 'This is not a decision.');
  const isKnown = plugin.tools.some((row) => row.tool === call.tool);
  return isKnown ? plugin.settle(plugin.spell(call), message.decision) : message.decision;
}
