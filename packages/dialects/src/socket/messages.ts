// The messages of clients and gateways at a socket: the fields of each, in both directions.
import { lazily, ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import {
  aliasedField,
  anyField,
  countField,
  flagField,
  jsonField,
  listField,
  type MessageOf,
  optionalField,
  readWireFields,
  rowOf,
  textField,
  type WireOf,
  writeFields,
} from '../shared/fields.ts';
import { isJson, isNumber } from '../shared/values.ts';
import {
  isTool,
  readToolMessage,
  type Spelling,
  type ToolMessage,
  type ToolWire,
  writeToolMessage,
} from './tool-messages.ts';

/** Messages of a gateway. Read leniently, also in the spelling of older gateways; fields beyond the table are dropped. */
const aboutPlan = lazily(() => ({
  planId: optionalField(textField('plan_id')),
  approvalRequestId: optionalField(textField('approval_request_id')),
  summary: optionalField(jsonField('plan_summary')),
  feedback: optionalField(textField('feedback')),
  content: optionalField(textField('content')),
  metadata: optionalField(jsonField('metadata')),
}));
const stepDone = lazily(() => ({
  ...aboutPlan(),
  stepId: optionalField(textField('step_id')),
  result: optionalField(anyField('result')),
}));

const planFields = lazily(() => ({
  plan_created: aboutPlan(),
  plan_approval_required: aboutPlan(),
  plan_rejected: aboutPlan(),
  plan_modification_requested: aboutPlan(),
  plan_update: {
    ...aboutPlan(),
    steps: listField('steps'),
    currentStep: optionalField(anyField('current_step')),
  },
  plan_progress: { ...stepDone(), status: optionalField(textField('status')) },
  subtask_completed: stepDone(),
  execution_completed: stepDone(),
  plan_notification: aboutPlan(),
  plan_approval: aboutPlan(),
  agent_chain_update: aboutPlan(),
}));

const serverFields = lazily(() => ({
  session_info: {
    sessionId: textField('session_id'),
    role: optionalField(textField('role')),
    agentType: optionalField(textField('agent_type')),
    dialect: optionalField(textField('dialect')),
    executorId: optionalField(textField('executor_id')),
    lastSeq: optionalField(countField('last_seq')),
  },
  /** The receipt for a `user_message` with an id. On the wire it has no type. */
  ack: { messageId: textField('message_id') },
  user_message: { content: textField('content'), role: optionalField(textField('role')) },
  assistant_message: {
    content: optionalField(textField('content')),
    token: optionalField(textField('token')),
    isFinal: optionalField(flagField('is_final')),
  },
  agent_status: { status: textField('status'), message: optionalField(textField('message')) },
  agent_switched: {
    content: optionalField(textField('content')),
    from: optionalField(aliasedField(textField('from_agent', 'metadata.from_agent'))),
    to: aliasedField(textField('to_agent', 'metadata.to_agent')),
    reason: optionalField(aliasedField(textField('reason', 'metadata.reason'))),
    confidence: optionalField(aliasedField(textField('confidence', 'metadata.confidence'))),
    timestamp: optionalField(aliasedField(textField('timestamp', 'metadata.timestamp'))),
  },
  status: { content: textField('content'), metadata: optionalField(jsonField('metadata')) },
  context_update: {
    action: textField('action'),
    path: optionalField(textField('data.path')),
    sessionId: optionalField(textField('session_id')),
  },
  /** To an executor: stop this call. */
  cancel: { callId: textField('call_id') },
  error: {
    code: optionalField(aliasedField(textField('error_code', 'code'))),
    message: aliasedField(textField('message', 'content', 'error')),
    callId: optionalField(textField('call_id')),
    details: optionalField(jsonField('details')),
    metadata: optionalField(jsonField('metadata')),
  },
  done: { status: optionalField(textField('status')), turn: optionalField(countField('turn')) },
  pong: { id: optionalField(anyField('id')) },
  ...planFields(),
}));

type PlainServerMessage = MessageOf<ReturnType<typeof serverFields>>;

/** Messages that a client receives, by type. `error` of a failed call is a text in the dialect `agent`, an object in `codelab`. */
export type ServerWire = Omit<WireOf<ReturnType<typeof serverFields>>, 'ack'> & ToolWire;

/**
 * Whether a message without a number is sent again after a break. An entry of the log may be several messages, of which only the
 * last has its number: the others are sent again with it. Orders are not among them: the executor must remember those.
 */
export function isRedelivered({ type, state, redelivered, error_code }: Json): boolean {
  if (type === 'tool_call') return state === undefined && redelivered === undefined;
  return type === 'error' && (error_code === 'AGENT_ERROR' || error_code === 'LLM_ERROR');
}

/** `seq` is set for entries of the log: reconnect with `?since=` the last one. */
export type ServerMessage = (PlainServerMessage | Exclude<ToolMessage, { type: 'hitl_decision' }>) & {
  seq?: number;
};

export function encodeServerMessage(message: ServerMessage, spelling: Spelling = 'agent'): Json {
  const { seq } = message;
  return { ...write(message, spelling), ...(seq !== undefined && { seq }) };
}

/** Throws INVALID_FORMAT for an unknown type, INVALID_ARGUMENTS for an invalid field. */
export function decodeServerMessage(wire: unknown): ServerMessage {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  const { seq } = wire;
  return { ...read(wire), ...(isNumber(seq) && { seq }) };
}

function write(message: ServerMessage, spelling: Spelling): Json {
  if (isTool(message)) return writeToolMessage(message, spelling);
  const { type } = message;
  const fields = writeFields(rowOf(serverFields(), type), message);
  return type === 'ack' ? { status: 'received', ...fields } : { type, ...fields };
}

function read(wire: Json): PlainServerMessage | Exclude<ToolMessage, { type: 'hitl_decision' }> {
  const { type = wire.status === 'received' ? 'ack' : undefined } = wire;
  if (type === 'tool_call' || type === 'tool_result') {
    const message = readToolMessage(wire);
    if (message.type !== 'hitl_decision') return message;
  }
  return { type, ...readWireFields(rowOf(serverFields(), type), wire) } as PlainServerMessage;
}

/** Messages of a peer to a gateway. */
const clientFields = lazily(() => ({
  user_message: {
    content: textField('content'),
    role: optionalField(textField('role')),
    agentType: optionalField(textField('agent_type')),
    messageId: optionalField(textField('message_id')),
    delivery: optionalField(textField('delivery')),
  },
  switch_agent: {
    agentType: textField('agent_type'),
    content: optionalField(textField('content')),
    reason: optionalField(textField('reason')),
  },
  plan_decision: {
    approvalRequestId: textField('approval_request_id', 'plan_id'),
    decision: textField('decision'),
    feedback: optionalField(textField('feedback')),
  },
  context_update: {
    action: textField('action'),
    path: optionalField(textField('data.path')),
    content: optionalField(textField('data.content')),
    sessionId: optionalField(textField('session_id')),
  },
  cancel: { callId: optionalField(textField('call_id')) },
  ping: { id: optionalField(anyField('id')) },
}));

type PlainClientMessage = MessageOf<ReturnType<typeof clientFields>>;

export type ClientMessage = PlainClientMessage | ToolMessage;

const toolTypes: readonly unknown[] = ['tool_call', 'tool_result', 'hitl_decision', 'hitl_response'];

/** Calls, results and decisions: their arguments have a meaning only in a dialect. */
export function isToolMessage({ type }: Json): boolean {
  return toolTypes.includes(type);
}

export function encodeClientMessage(message: ClientMessage, spelling: Spelling = 'agent'): Json {
  if (isTool(message)) return writeToolMessage(message, spelling);
  return { type: message.type, ...writeFields(rowOf(clientFields(), message.type), message) };
}

/** Throws INVALID_FORMAT for an unknown type, INVALID_ARGUMENTS for an invalid field. */
export function decodeClientMessage(wire: unknown): ClientMessage {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  if (isToolMessage(wire)) return readToolMessage(wire);
  return { type: wire.type, ...readWireFields(rowOf(clientFields(), wire.type), wire) } as PlainClientMessage;
}
