// Reads leniently, for every dialect alike: takes off an envelope, finds out what kind of message it is, and hands it on.
import { type Outcome, ToolError } from '@codelab/protocol';
import type { AskedCall, Dialect, Json, Message, WireTool } from '../dialect.ts';
import { readDecision } from './read-decision.ts';
import { readField, readId, readObject, readText } from './read-fields.ts';
import { readResult } from './read-result.ts';
import { isJson, short } from './values.ts';

type Table = { ask: Dialect['ask']; findRow(name: string): WireTool | undefined };

export function readMessage(wire: unknown, { ask, findRow }: Table): Message {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object.');
  const message = unwrap(wire);
  const type = typeOf(message);
  switch (type) {
    case 'tool_call':
    case 'tool.execution_signal':
    case 'call':
    case 'tool_use':
      return { type: 'call', call: readCall(message, false, ask) };
    case 'tool.approval_request':
    case 'approval':
    case 'can_use_tool':
      return { type: 'call', call: readCall(message, true, ask) };
    case 'hitl_response':
      return { type: 'decision', callId: readId(message), decision: readDecision(message, 'action') };
    case 'hitl_decision':
    case 'tool.approval_decision':
    case 'decision':
      return { type: 'decision', callId: readId(message), decision: readDecision(message, 'decision') };
    case 'tool_result':
    case 'tool.result':
      return readResult(message, readId(message));
    case 'backend_only':
      return readBackendOnly(message, findRow);
    case 'ok':
      return readResult(message, typeof message.id === 'string' ? message.id : '');
    default:
      throw new ToolError('INVALID_FORMAT', `Unknown message type: ${short(type)}`);
  }
}

// Some forms carry no type: they are known by what they hold.
function typeOf(message: Json): string {
  const type = message.type ?? message.event_type;
  if (type != null) return String(type);
  if (typeof message.ok === 'boolean') return 'ok';
  if (typeof message.status === 'string') return 'tool.result';
  return 'tool_name' in message ? 'tool_call' : '(none)';
}

const argumentKeys = ['args', 'arguments', 'tool_params', 'input'];

/** A call of any dialect: names, arguments and the wish for approval under every key a peer may use. */
function readCall(message: Json, asks: boolean, ask: Dialect['ask']): AskedCall {
  const tool = readText(message, ['tool_name', 'tool_type', 'tool', 'name']);
  if (tool === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`tool_name` is missing.', { field: 'tool_name' });
  }
  const args = readObject(readField(message, argumentKeys) ?? {}, presentKey(message));
  return ask({ id: readId(message), tool, args, requiresApproval: asks || wantsApproval(message) });
}

function presentKey(message: Json): string {
  return argumentKeys.find((key) => message[key] != null) ?? 'args';
}

// The peer's word can only add an approval: anything but a plain no in a flag that is there is refused or asks.
function wantsApproval(message: Json): boolean {
  const flag = readField(message, ['requires_approval']);
  if (flag !== undefined && typeof flag !== 'boolean') {
    throw new ToolError('INVALID_ARGUMENTS', '`requires_approval` must be true or false.', {
      field: 'requires_approval',
    });
  }
  const context = readField(message, ['execution_context']);
  const approved = context === undefined ? undefined : readObject(context, 'execution_context').user_approved;
  return flag === true || approved === false;
}

/** Kode's answer: what the tool returned, or, in its place, what went wrong. */
function readBackendOnly(message: Json, findRow: (name: string) => WireTool | undefined): Message {
  const id = readId(message);
  const tool = readText(message, ['tool_name']) ?? '';
  const data = readField(message, ['data']);
  if (data === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`data` is missing.', { field: 'data' });
  }
  // Only a tool whose results are objects can tell a failure by a bare text.
  const fault = typeof data === 'string' ? findRow(tool)?.failed && data : (data as Json).error;
  const ended = { callId: id, tool, startedAt: 0, durationMs: 0, effects: [] };
  const outcome: Outcome =
    typeof fault === 'string' && fault !== ''
      ? { ...ended, status: 'failed', error: { code: 'EXECUTION_FAILED', message: fault } }
      : { ...ended, status: 'completed', data: typeof data === 'object' ? (data as Json) : { output: data } };
  return { type: 'result', asked: { id, wire: { tool, args: {} } }, outcome };
}

/** Takes a message out of the envelope that the plugin's server may put around it. */
function unwrap(message: Json): Json {
  if (typeof message.event_type !== 'string' || message.payload == null) return message;
  return { ...readObject(message.payload, 'payload'), type: message.event_type };
}
