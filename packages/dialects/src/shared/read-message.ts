// Reads leniently, for every dialect alike: removes an envelope, determines the kind of message, and passes it on.
import { Decision, type Outcome, ToolError } from '@codelab/protocol';
import type { Dialect, DialectMessage, Json, WireCall, WireTool } from '../dialect.ts';
import { readWireResult } from './read-result.ts';
import { isJson, readField, readId, readObjectField, readTextField, short } from './values.ts';

type Table = { ask: Dialect['ask']; findRow(name: string): WireTool | undefined };

export function readMessage(wire: unknown, { ask, findRow }: Table): DialectMessage {
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
      return readWireResult(message, readId(message));
    case 'backend_only':
      return readBackendOnly(message, findRow);
    case 'ok':
      return readWireResult(message, typeof message.id === 'string' ? message.id : '');
    default:
      throw new ToolError('INVALID_FORMAT', `Unknown message type: ${short(type)}`);
  }
}

// Some forms have no type: they are recognised by their fields.
function typeOf(message: Json): string {
  const type = message.type ?? message.event_type;
  if (type != null) return String(type);
  if (typeof message.ok === 'boolean') return 'ok';
  if (typeof message.status === 'string') return 'tool.result';
  return 'tool_name' in message ? 'tool_call' : '(none)';
}

const argumentKeys = ['args', 'arguments', 'tool_params', 'input'];

/** A call of any dialect: name, arguments and approval flag under every key a peer may use. */
function readCall(message: Json, asks: boolean, ask: Dialect['ask']): WireCall {
  const tool = readTextField(message, ['tool_name', 'tool_type', 'tool', 'name']);
  if (tool === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`tool_name` is missing.', { field: 'tool_name' });
  }
  const args = readObjectField(readField(message, argumentKeys) ?? {}, presentKey(message));
  return ask({ id: readId(message), tool, args, requiresApproval: asks || wantsApproval(message) });
}

function presentKey(message: Json): string {
  return argumentKeys.find((key) => message[key] != null) ?? 'args';
}

// A peer's flag can only add an approval: any value of the flag except a plain no is refused or asks.
function wantsApproval(message: Json): boolean {
  const flag = readField(message, ['requires_approval']);
  if (flag !== undefined && typeof flag !== 'boolean') {
    throw new ToolError('INVALID_ARGUMENTS', '`requires_approval` must be true or false.', {
      field: 'requires_approval',
    });
  }
  const context = readField(message, ['execution_context']);
  const approved =
    context === undefined ? undefined : readObjectField(context, 'execution_context').user_approved;
  return flag === true || approved === false;
}

/** Kode's answer: the tool's result, or the failure in its place. */
function readBackendOnly(message: Json, findRow: (name: string) => WireTool | undefined): DialectMessage {
  const id = readId(message);
  const tool = readTextField(message, ['tool_name']) ?? '';
  const data = readField(message, ['data']);
  if (data === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`data` is missing.', { field: 'data' });
  }
  // Only a tool whose results are objects can report a failure as a bare text.
  const fault = typeof data === 'string' ? findRow(tool)?.failed && data : (data as Json).error;
  const ended = { callId: id, tool, startedAt: 0, durationMs: 0, effects: [] };
  const outcome: Outcome =
    typeof fault === 'string' && fault !== ''
      ? { ...ended, status: 'failed', error: { code: 'EXECUTION_FAILED', message: fault } }
      : { ...ended, status: 'completed', data: typeof data === 'object' ? (data as Json) : { output: data } };
  return { type: 'result', asked: { id, wire: { tool, args: {} } }, outcome };
}

/** Removes the envelope that the plugin's server may put around a message. */
function unwrap(message: Json): Json {
  if (typeof message.event_type !== 'string' || message.payload == null) return message;
  return { ...readObjectField(message.payload, 'payload'), type: message.event_type };
}

/** A human's decision in any dialect's words. A contradictory decision is refused: it must never be guessed. */
const words: Record<string, Decision['kind']> = {
  approve: 'approve',
  approved: 'approve',
  confirm: 'approve',
  allow_once: 'approve',
  y: 'approve',
  edit: 'edit',
  modify: 'edit',
  modified: 'edit',
  reject: 'reject',
  rejected: 'reject',
  deny: 'reject',
  n: 'reject',
  hunks: 'hunks',
  answer: 'answer',
};

/** `wordKey` is the field with the decision: `hitl_response`, the older form, calls it `action`. */
function readDecision(message: Json, wordKey: 'decision' | 'action'): Decision {
  const kind = readKind(message, wordKey);
  const args = readField(message, ['modified_arguments', 'edited_arguments', 'modified_args']);
  const take = readField(message, ['take']);
  const edits = readField(message, ['edits']);
  const action = wordKey === 'action' ? undefined : readField(message, ['action']);
  refuseStray('modified_arguments', args, kind === 'edit');
  refuseStray('take', take, kind === 'hunks');
  refuseStray('action', action, kind === 'answer');
  const fields = {
    kind,
    args,
    take,
    edits,
    action,
    feedback: hasFeedback(kind) ? readTextField(message, ['feedback', 'reason']) : undefined,
    cause: readField(message, ['cause']),
    remember: readField(message, ['remember']),
  };
  return check(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}

function readKind(message: Json, wordKey: string): Decision['kind'] {
  const approved = readField(message, ['approved']);
  const word =
    readTextField(message, [wordKey]) ?? (typeof approved === 'boolean' ? (approved ? 'y' : 'n') : '');
  const kind = Object.hasOwn(words, word.toLowerCase()) ? words[word.toLowerCase()] : undefined;
  if (kind !== undefined && (approved === undefined || approved === (kind !== 'reject'))) return kind;
  const fault =
    kind === undefined ? 'must be approve, edit, reject, hunks or answer' : 'and `approved` disagree';
  throw new ToolError('INVALID_ARGUMENTS', `\`${wordKey}\` ${fault}.`, { field: wordKey });
}

// An approval has no feedback to keep.
function hasFeedback(kind: Decision['kind']): boolean {
  return kind === 'reject' || kind === 'edit' || kind === 'hunks';
}

function refuseStray(field: string, value: unknown, isWanted: boolean): void {
  if (isWanted === (value !== undefined)) return;
  const fault = isWanted ? 'is missing' : 'does not belong to this decision';
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}

const wireNames: Record<string, string> = { args: 'modified_arguments' };

function check(fields: Json): Decision {
  const parsed = Decision().safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]);
  const field = wireNames[name] ?? name;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` does not fit this decision.`, { field });
}
