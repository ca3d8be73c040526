// What a peer says to a gateway at a socket.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { anything, type MessageOf, maybe, readFields, rowOf, text, writeFields } from '../shared/fields.ts';
import { isJson } from '../shared/values.ts';
import {
  isTool,
  readToolMessage,
  type Spelling,
  type ToolMessage,
  writeToolMessage,
} from './tool-messages.ts';

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

export type ClientMessage = Plain | ToolMessage;

const toolTypes: readonly unknown[] = ['tool_call', 'tool_result', 'hitl_decision', 'hitl_response'];

/** Calls, results and decisions: their arguments mean something only in a dialect. */
export function isToolMessage({ type }: Json): boolean {
  return toolTypes.includes(type);
}

export function encodeClientMessage(message: ClientMessage, spelling: Spelling = 'agent'): Json {
  if (isTool(message)) return writeToolMessage(message, spelling);
  return { type: message.type, ...writeFields(rowOf(table, message.type), message) };
}

/** Throws INVALID_FORMAT for a type that is not known, INVALID_ARGUMENTS for a field that does not fit. */
export function decodeClientMessage(wire: unknown): ClientMessage {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  if (isToolMessage(wire)) return readToolMessage(wire);
  return { type: wire.type, ...readFields(rowOf(table, wire.type), wire) } as Plain;
}
