// Events of a session as messages of one socket connection. Messages from the log end with the number of their entry, to resume from
// after a break.
import type {
  AgentSignal,
  AgentStatus,
  ApprovalRequest,
  SessionEvent,
  SessionInfo,
  SessionMessage,
  ToolError,
} from '@codelab/protocol';
import type { Dialect, Json } from '../dialect.ts';
import { addressOf } from '../shared/values.ts';
import { refuse } from '../shared/write-message.ts';
import {
  agentStatus,
  agentSwitched,
  type CallEncoder,
  createCallEncoder,
  eventMessages,
  type PathSpeller,
} from './call-messages.ts';
import { encodeServerMessage, type ServerMessage } from './messages.ts';
import { writeAbout } from './tool-messages.ts';

/** An order to an executor: run a call, or stop it. */
type Order =
  | { type: 'execute'; job: OrderedCall; isAgain: boolean; approvalId: string | undefined }
  | { type: 'cancel'; job: OrderedCall };
type OrderedCall = { callId: string; tool: string; args: Json };

type Greeting = Omit<Extract<ServerMessage, { type: 'session_info' }>, 'type'> & { status: AgentStatus };

type NeutralGreeting = Required<Pick<Greeting, 'sessionId' | 'role' | 'agentType' | 'status' | 'lastSeq'>>;

export type SocketEncoder = {
  /** The spelling from now on. */
  dialect: Dialect;
  readonly calls: CallEncoder;
  /** For an executor, which runs every call that it receives: it gets calls of other peers, and approvals only while they are pending. */
  isAsked?(approval: ApprovalRequest): boolean;
  encode(message: SessionMessage): Json[];
  greeting(info: Greeting): Json[];
  order(order: Order): Json;
  pong(id?: unknown): Json;
  /** The receipt for a user's message. */
  receipt(messageId: string): Json;
  /** The answer to a refused message: a refused call gets one in the form of a result, so that its caller does not wait. */
  refusal(error: ToolError, wire: Json): Json;
  /** Records a path that the peer named, so that later messages have its spelling. Returns the core's path. */
  namePath(path: string): string;
};

export function createSocketEncoder(first: Dialect): SocketEncoder {
  const calls = createCallEncoder(() => encoder.dialect);
  const namedPaths = new Map<string, string>();
  const encoder: SocketEncoder = {
    dialect: first,
    calls,
    encode(message) {
      switch (message.type) {
        case 'event':
          return numbered(encodeEvent(message.event, encoder, pathOf), message.event.seq);
        case 'signal':
          return encodeSignal(message.signal, calls);
        case 'switched':
          return [write(agentSwitched(message))];
        case 'notice':
          return [write({ type: 'status', content: message.text })];
        // The listeners have received the tokens, or get the whole reply.
        case 'live':
          return [];
      }
    },
    greeting: ({ status, ...info }) => [write({ type: 'session_info', ...info }), write(agentStatus(status))],
    order: (order) => encodeOrder(order, encoder.dialect),
    pong: (id) => write({ type: 'pong', ...(id !== undefined && { id }) }),
    receipt: (messageId) => write({ type: 'ack', messageId }),
    refusal(error, wire) {
      const call = addressOf(wire);
      if (wire.type === 'tool_call' && call.id !== '') return encoder.dialect.encode(refuse(call, error));
      return encodeSocketError(error, call.id);
    },
    namePath(path) {
      const core = corePathIn(encoder.dialect, path);
      namedPaths.set(core, path);
      return core;
    },
  };
  const pathOf = (core: string): string => namedPaths.get(core) ?? spelledIn(encoder.dialect, core);
  return encoder;
}

function encodeOrder(order: Parameters<SocketEncoder['order']>[0], dialect: Dialect): Json {
  const { callId: id, tool, args } = order.job;
  if (order.type === 'cancel') return write({ type: 'cancel', callId: id });
  return {
    ...dialect.encode({ type: 'call', call: dialect.spell({ id, tool, args }) }),
    requires_approval: false,
    ...writeAbout({
      state: order.approvalId === undefined ? 'allowed' : 'approved',
      ...(order.approvalId !== undefined && { approvalId: order.approvalId }),
      ...(order.isAgain && { redelivered: true }),
    }),
  };
}

/** The first message of a socket with the neutral wire. */
export function encodeNeutralGreeting({
  sessionId,
  role,
  agentType,
  status,
  lastSeq,
}: NeutralGreeting): SessionInfo {
  return {
    type: 'session_info',
    session_id: sessionId,
    role,
    agent_type: agentType,
    status,
    last_seq: lastSeq,
  };
}

/** An error of the connection, or of the call `callId`. */
export function encodeSocketError({ code, message, details }: ToolError, callId = ''): Json {
  return write({
    type: 'error',
    code,
    message,
    ...(callId !== '' && { callId }),
    ...(details && { details }),
  });
}

const write = (message: ServerMessage): Json => encodeServerMessage(message);

/** A path as the row of the tool that reads files takes it. */
function corePathIn(dialect: Dialect, path: string): string {
  return String(dialect.ask({ id: 'path', tool: 'read_file', args: { path } }).args.path);
}

function spelledIn(dialect: Dialect, path: string): string {
  return String(dialect.spell({ id: 'path', tool: 'read_file', args: { path } }).wire.args.path);
}

function encodeEvent({ body }: SessionEvent, { calls, isAsked }: SocketEncoder, spell: PathSpeller): Json[] {
  switch (body.type) {
    case 'call.received':
      calls.know(body.call);
      return [];
    case 'call.planned':
      return isAsked !== undefined || body.verdict.verdict === 'ask' ? [] : calls.announce(body.callId);
    case 'approval.requested':
      return isAsked?.(body.approval) === false ? [] : [calls.question(body.approval)];
    case 'call.finished':
      return [...(isAsked === undefined ? calls.announce(body.callId) : []), calls.result(body.outcome)];
    default:
      return eventMessages(body, spell).map(write);
  }
}

function encodeSignal(signal: AgentSignal, calls: CallEncoder): Json[] {
  switch (signal.type) {
    case 'status':
      return [write(agentStatus(signal.status))];
    case 'text':
      return [write({ type: 'assistant_message', token: signal.delta, isFinal: false })];
    case 'retry':
      return [write({ type: 'status', content: signal.reason, metadata: { ...signal, type: 'retry' } })];
    case 'progress':
      return calls.progress(signal.callId, signal.progress);
    default:
      // Everything else is in the log as well, and sent from there.
      return [];
  }
}

// Only the last message of an entry has its number: a peer that has the number has all messages.
function numbered(messages: Json[], seq: number): Json[] {
  return messages.map((message, i) => (i === messages.length - 1 ? { ...message, seq } : message));
}
