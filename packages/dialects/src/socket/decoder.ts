// The requests of a peer of a socket: messages of its dialect, and those that control the conversation. Further fields are ignored.
import { type Decision, type Delivery, parseJson, ToolError } from '@codelab/protocol';
import type { Dialect, DialectMessage, Json } from '../dialect.ts';
import { findDialect } from '../dialects.ts';
import { isJson } from '../shared/values.ts';
import { type ClientMessage, decodeClientMessage, isToolMessage } from './messages.ts';

export const maxMessageBytes = 10 * 1024 * 1024;
const maxContent = 10_000;
const maxMessageId = 200;
const maxDepth = 64;

type ContextOp = 'add_file' | 'remove_file' | 'clear';

export type SocketCommand =
  | { type: 'say'; content: string; agentType?: string; messageId?: string; delivery?: Delivery }
  | { type: 'switch'; agentType: string; content?: string; reason?: string }
  /** `content` is the text of an unsaved buffer; `sessionId` is the peer's idea of the session. */
  | { type: 'context'; op: ContextOp; path?: string; content?: string; sessionId?: string }
  | { type: 'plan'; approvalId: string; decision: Decision }
  | { type: 'cancel' }
  | { type: 'ping'; id?: unknown }
  /** `approvalId` names the approval of a call; without it, the pending one is meant. */
  | { type: 'tool'; message: DialectMessage; approvalId?: string };

export function parseSocketText(text: string): Json {
  const wire = parseJson(text, { bytes: maxMessageBytes, depth: maxDepth });
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
  // Some peers send a call with only its name and arguments.
  return 'type' in wire || !('tool_name' in wire) ? wire : { ...wire, type: 'tool_call' };
}

/** The dialect of a message: the previous one, unless a call's name for its arguments shows another. */
export function dialectOf(wire: Json, before: Dialect, root: string): Dialect {
  if (wire.type !== 'tool_call') return before;
  const name = 'arguments' in wire ? 'agent' : 'args' in wire ? 'codelab' : before.name;
  return name === before.name ? before : findDialect(name, { root });
}

/** Throws INVALID_FORMAT for an unknown type, INVALID_ARGUMENTS for an invalid field. */
export function decodeSocketMessage(wire: Json, dialect: Dialect): SocketCommand {
  if (isToolMessage(wire)) {
    const message = dialect.decode(wire, { isLasting: true });
    return {
      type: 'tool',
      message,
      ...(typeof wire.approval_id === 'string' && { approvalId: wire.approval_id }),
    };
  }
  return commandOf(decodeClientMessage(wire));
}

function commandOf(message: ClientMessage): SocketCommand {
  switch (message.type) {
    case 'user_message':
      return sayCommand(message);
    case 'switch_agent': {
      const { agentType, content, reason } = message;
      checkLength('content', content ?? '', maxContent);
      return {
        type: 'switch',
        agentType,
        ...(content !== undefined && { content }),
        ...(reason !== undefined && { reason }),
      };
    }
    case 'context_update':
      return contextCommand(message);
    case 'plan_decision':
      return planCommand(message);
    case 'cancel':
      return { type: 'cancel' };
    case 'ping':
      return message;
    default:
      throw new ToolError('INVALID_FORMAT', `Unknown message type: ${message.type}`);
  }
}

type Of<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;

function sayCommand({ content, role, agentType, messageId, delivery }: Of<'user_message'>): SocketCommand {
  if (delivery !== undefined && delivery !== 'step' && delivery !== 'turn')
    throw misfit('delivery', 'must be step or turn');
  if (role !== undefined && role !== 'user') throw misfit('role', 'must be user');
  checkLength('content', content, maxContent);
  checkLength('message_id', messageId ?? '', maxMessageId);
  if (content.trim() === '') throw misfit('content', 'is empty');
  return {
    type: 'say',
    content,
    ...(agentType !== undefined && { agentType }),
    ...(messageId !== undefined && { messageId }),
    ...(delivery !== undefined && { delivery }),
  };
}

function contextCommand({ action, path, content, sessionId }: Of<'context_update'>): SocketCommand {
  if (action !== 'add_file' && action !== 'remove_file' && action !== 'clear')
    throw misfit('action', 'must be add_file, remove_file or clear');
  if (action !== 'clear' && !path) throw misfit('data.path', 'is missing');
  return {
    type: 'context',
    op: action,
    ...(path !== undefined && { path }),
    ...(content !== undefined && { content }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

// A plan with requested changes is not approved: the agent reads the feedback and proposes again.
function planCommand({ approvalRequestId, decision, feedback }: Of<'plan_decision'>): SocketCommand {
  if (!['approve', 'reject', 'modify', 'edit'].includes(decision))
    throw misfit('decision', 'must be approve, reject, modify or edit');
  const why = feedback === undefined ? {} : { feedback };
  return {
    type: 'plan',
    approvalId: approvalRequestId,
    decision: decision === 'approve' ? { kind: 'approve' } : { kind: 'reject', ...why },
  };
}

function checkLength(field: string, text: string, most: number): void {
  // Counts characters, not UTF-16 units; a text is counted only when it may be too long.
  const count = text.length > most ? [...text].length : text.length;
  if (count > most) throw misfit(field, `has ${count} characters; at most ${most} are taken`);
}

function misfit(field: string, fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}
