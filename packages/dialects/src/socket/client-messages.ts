// What a peer says to a gateway at a socket.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { anything, type MessageOf, maybe, readFields, rowOf, text, writeFields } from '../shared/fields.ts';
import { isJson } from '../shared/values.ts';
import { isSpoken, readSpoken, type Spelling, type Spoken, writeSpoken } from './tool-messages.ts';

const table = {
  user_message: {
    content: text('content'),
    role: maybe(text('role')),
    agentType: maybe(text('agent_type')),
    messageId: maybe(text('message_id')),
  },
  switch_agent: {
    agentType: text('agent_type'),
    content: maybe(text('content')),
    reason: maybe(text('reason')),
  },
  plan_decision: {
    approvalRequestId: text('approval_request_id', 'plan_id'),
    decision: text('decision'),
    feedback: maybe(text('feedback')),
  },
  context_update: {
    action: text('action'),
    path: maybe(text('data.path')),
    content: maybe(text('data.content')),
    sessionId: maybe(text('session_id')),
  },
  cancel: { callId: maybe(text('call_id')) },
  ping: { id: maybe(anything('id')) },
};

type Plain = MessageOf<typeof table>;

export type ClientMessage = Plain | Spoken;

const spokenTypes: readonly unknown[] = ['tool_call', 'tool_result', 'hitl_decision', 'hitl_response'];

export function encodeClientMessage(message: ClientMessage, spelling: Spelling = 'agent'): Json {
  if (isSpoken(message)) return writeSpoken(message, spelling);
  return { type: message.type, ...writeFields(rowOf(table, message.type), message) };
}

/** Throws INVALID_FORMAT for a type that is not known, INVALID_ARGUMENTS for a field that does not fit. */
export function decodeClientMessage(wire: unknown): ClientMessage {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  if (spokenTypes.includes(wire.type)) return readSpoken(wire);
  return { type: wire.type, ...readFields(rowOf(table, wire.type), wire) } as Plain;
}
