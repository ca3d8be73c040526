// What clients and gateways say at a socket: the fields of every message, in both directions.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import {
  anything,
  count,
  flag,
  json,
  list,
  type MessageOf,
  maybe,
  readFields,
  rowOf,
  text,
  twice,
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

/** What a gateway says at a socket. Read leniently: also as older gateways spelled it; what a message has beyond its table is left out. */
const aboutPlan = {
  planId: maybe(text('plan_id')),
  approvalRequestId: maybe(text('approval_request_id')),
  summary: maybe(json('plan_summary')),
  feedback: maybe(text('feedback')),
  content: maybe(text('content')),
  metadata: maybe(json('metadata')),
};
const stepDone = { ...aboutPlan, stepId: maybe(text('step_id')), result: maybe(anything('result')) };

const serverFields = {
  session_info: {
    sessionId: text('session_id'),
    role: maybe(text('role')),
    agentType: maybe(text('agent_type')),
    dialect: maybe(text('dialect')),
    executorId: maybe(text('executor_id')),
    lastSeq: maybe(count('last_seq')),
  },
  /** That a `user_message` with an id was taken. On the wire it has no type. */
  ack: { messageId: text('message_id') },
  user_message: { content: text('content'), role: maybe(text('role')) },
  assistant_message: {
    content: maybe(text('content')),
    token: maybe(text('token')),
    isFinal: maybe(flag('is_final')),
  },
  agent_status: { status: text('status'), message: maybe(text('message')) },
  agent_switched: {
    content: maybe(text('content')),
    from: maybe(twice(text('from_agent', 'metadata.from_agent'))),
    to: twice(text('to_agent', 'metadata.to_agent')),
    reason: maybe(twice(text('reason', 'metadata.reason'))),
    confidence: maybe(twice(text('confidence', 'metadata.confidence'))),
    timestamp: maybe(twice(text('timestamp', 'metadata.timestamp'))),
  },
  status: { content: text('content'), metadata: maybe(json('metadata')) },
  context_update: {
    action: text('action'),
    path: maybe(text('data.path')),
    sessionId: maybe(text('session_id')),
  },
  /** To an executor: stop this call. */
  cancel: { callId: text('call_id') },
  error: {
    code: maybe(twice(text('error_code', 'code'))),
    message: twice(text('message', 'content', 'error')),
    callId: maybe(text('call_id')),
    details: maybe(json('details')),
    metadata: maybe(json('metadata')),
  },
  done: { status: maybe(text('status')), turn: maybe(count('turn')) },
  pong: { id: maybe(anything('id')) },
  plan_created: aboutPlan,
  plan_approval_required: aboutPlan,
  plan_rejected: aboutPlan,
  plan_modification_requested: aboutPlan,
  plan_update: { ...aboutPlan, steps: list('steps'), currentStep: maybe(anything('current_step')) },
  plan_progress: { ...stepDone, status: maybe(text('status')) },
  subtask_completed: stepDone,
  execution_completed: stepDone,
  plan_notification: aboutPlan,
  plan_approval: aboutPlan,
  agent_chain_update: aboutPlan,
};

type PlainServerMessage = MessageOf<typeof serverFields>;

/** What a client hears, by its type. `error` of a failed call is a text in the dialect `agent`, an object in `codelab`. */
export type ServerWire = Omit<WireOf<typeof serverFields>, 'ack'> & ToolWire;

/**
 * Whether a message without a number comes again after a break. An entry of the log may be told in several messages, of which only the
 * last has its number: the others come again with it. What is to be carried out is not among them: that is for the executor to remember.
 */
export function isToldAgain({ type, state, redelivered, error_code }: Json): boolean {
  if (type === 'tool_call') return state === undefined && redelivered === undefined;
  return type === 'error' && (error_code === 'AGENT_ERROR' || error_code === 'LLM_ERROR');
}

/** `seq` stands on what is in the log: connect again with `?since=` the last one. */
export type ServerMessage = (PlainServerMessage | Exclude<ToolMessage, { type: 'hitl_decision' }>) & {
  seq?: number;
};

export function encodeServerMessage(message: ServerMessage, spelling: Spelling = 'agent'): Json {
  const { seq } = message;
  return { ...write(message, spelling), ...(seq !== undefined && { seq }) };
}

/** Throws INVALID_FORMAT for a type that is not known, INVALID_ARGUMENTS for a field that does not fit. */
export function decodeServerMessage(wire: unknown): ServerMessage {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  const { seq } = wire;
  return { ...read(wire), ...(isNumber(seq) && { seq }) };
}

function write(message: ServerMessage, spelling: Spelling): Json {
  if (isTool(message)) return writeToolMessage(message, spelling);
  const { type } = message;
  const fields = writeFields(rowOf(serverFields, type), message);
  return type === 'ack' ? { status: 'received', ...fields } : { type, ...fields };
}

function read(wire: Json): PlainServerMessage | Exclude<ToolMessage, { type: 'hitl_decision' }> {
  const { type = wire.status === 'received' ? 'ack' : undefined } = wire;
  if (type === 'tool_call' || type === 'tool_result') {
    const said = readToolMessage(wire);
    if (said.type !== 'hitl_decision') return said;
  }
  return { type, ...readFields(rowOf(serverFields, type), wire) } as PlainServerMessage;
}

/** What a peer says to a gateway at a socket. */
const clientFields = {
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

type PlainClientMessage = MessageOf<typeof clientFields>;

export type ClientMessage = PlainClientMessage | ToolMessage;

const toolTypes: readonly unknown[] = ['tool_call', 'tool_result', 'hitl_decision', 'hitl_response'];

/** Calls, results and decisions: their arguments mean something only in a dialect. */
export function isToolMessage({ type }: Json): boolean {
  return toolTypes.includes(type);
}

export function encodeClientMessage(message: ClientMessage, spelling: Spelling = 'agent'): Json {
  if (isTool(message)) return writeToolMessage(message, spelling);
  return { type: message.type, ...writeFields(rowOf(clientFields, message.type), message) };
}

/** Throws INVALID_FORMAT for a type that is not known, INVALID_ARGUMENTS for a field that does not fit. */
export function decodeClientMessage(wire: unknown): ClientMessage {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  if (isToolMessage(wire)) return readToolMessage(wire);
  return { type: wire.type, ...readFields(rowOf(clientFields, wire.type), wire) } as PlainClientMessage;
}
