// What a session tells, as the messages of one socket connection. Those that come from the log end with its entry's number, to go on from
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
import { addressOf } from '../shared/fields.ts';
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

/** What an executor is to do with a call: carry it out, or stop. */
type Order =
  | { type: 'execute'; job: OrderedCall; isAgain: boolean; approvalId: string | undefined }
  | { type: 'cancel'; job: OrderedCall };
type OrderedCall = { callId: string; tool: string; args: Json };

type Greeting = Omit<Extract<ServerMessage, { type: 'session_info' }>, 'type'> & { status: AgentStatus };

type NeutralGreeting = Required<Pick<Greeting, 'sessionId' | 'role' | 'agentType' | 'status' | 'lastSeq'>>;

export type SocketEncoder = {
  /** The spelling of what is written from now on. */
  dialect: Dialect;
  readonly calls: CallEncoder;
  /**
   * For an executor, which takes every call it hears of for one to carry out: it hears of those from elsewhere, and of questions only
   * while they wait.
   */
  isAsked?(approval: ApprovalRequest): boolean;
  encode(message: SessionMessage): Json[];
  greeting(info: Greeting): Json[];
  order(order: Order): Json;
  pong(id?: unknown): Json;
  /** That a user's message was taken. */
  receipt(messageId: string): Json;
  /** The answer to a message that was refused: a call gets its answer in the form of one, so that whoever waits for it learns of it. */
  refusal(error: ToolError, wire: Json): Json;
  /** A path that the peer named, so that it is told of it in its own spelling. Returns the core's. */
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
        // Those who listen here have heard the tokens, or are told the whole reply.
        case 'live':
          return [];
      }
    },
    greeting: ({ status, ...info }) => [write({ type: 'session_info', ...info }), write(agentStatus(status))],
    order: (order) => encodeOrder(order, encoder.dialect),
    pong: (id) => write({ type: 'pong', ...(id !== undefined && { id }) }),
    receipt: (messageId) => write({ type: 'ack', messageId }),
    refusal(error, wire) {
      const asked = addressOf(wire);
      if (wire.type === 'tool_call' && asked.id !== '') return encoder.dialect.encode(refuse(asked, error));
      return encodeSocketError(error, asked.id);
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

/** The first message of a socket that tells in the log's own words. */
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

/** An error that belongs to the connection, or to the call `callId`. */
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
      // Everything else is in the log as well, and told from there.
      return [];
  }
}

// Only the last message of an entry says its number: whoever has it has all of them.
function numbered(messages: Json[], seq: number): Json[] {
  return messages.map((message, i) => (i === messages.length - 1 ? { ...message, seq } : message));
}
