// What a peer of a socket may say: messages of its dialect, and those that steer the conversation. Lenient about what else they hold.
import { type Dialect, findDialect, type Message } from '@codelab/dialects';
import { type Decision, parseJson, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { readInput } from '../edge/read-input.ts';
import type { ContextOp } from '../sessions/gateway.ts';

export const maxMessageBytes = 10 * 1024 * 1024;
const maxContent = 10_000;
const maxDepth = 64;

export type ClientMessage =
  | { type: 'say'; content: string; agentType?: string | undefined; messageId?: string | undefined }
  | { type: 'switch'; agentType: string; content?: string | undefined; reason?: string | undefined }
  | { type: 'context'; op: ContextOp; path?: string | undefined }
  | { type: 'plan'; approvalId: string; decision: Decision }
  | { type: 'cancel' }
  | { type: 'ping'; id?: unknown }
  /** `approvalId` names which question of a call was answered; without it, the one that waits. */
  | { type: 'spoken'; dialect: Dialect; message: Message; approvalId?: string | undefined };

export function parseClientText(text: string): Record<string, unknown> {
  const wire = parseJson(text, { bytes: maxMessageBytes, depth: maxDepth });
  if (typeof wire === 'object' && wire !== null && !Array.isArray(wire)) {
    // Some spell a call by its name and arguments alone.
    const isCall = !('type' in wire) && 'tool_name' in wire;
    return { ...wire, ...(isCall && { type: 'tool_call' }) };
  }
  throw new ToolError('INVALID_FORMAT', 'A message is one JSON object with a `type`.');
}

export function readClientMessage(wire: Record<string, unknown>, dialect: Dialect): ClientMessage {
  const type = typeof wire.type === 'string' ? wire.type : '(none)';
  switch (type) {
    case 'user_message':
      return readUserMessage(wire);
    case 'switch_agent': {
      const { agent_type, content, reason } = readInput(SwitchAgent(), wire);
      return {
        type: 'switch',
        agentType: agent_type,
        content: content ?? undefined,
        reason: reason ?? undefined,
      };
    }
    case 'context_update': {
      const { action, data } = readInput(ContextUpdate(), wire);
      if (action !== 'clear' && !data?.path)
        throw new ToolError('INVALID_ARGUMENTS', '`data.path` is missing.', { field: 'data.path' });
      return { type: 'context', op: action, path: data?.path };
    }
    case 'plan_decision':
      return readPlanDecision(wire);
    case 'cancel':
      return { type: 'cancel' };
    case 'ping':
      return { type: 'ping', id: wire.id };
    case 'tool_call':
    case 'tool_result':
    case 'hitl_decision':
    case 'hitl_response':
      return readSpoken(wire, dialect);
    default:
      throw new ToolError('INVALID_FORMAT', `Unknown message type: ${type.slice(0, 100)}`);
  }
}

const text = () => z.nullish(z.string());
const content = () => z.string().check(z.maxLength(maxContent));
const UserMessage = () =>
  z.object({
    content: content(),
    role: z.nullish(z.literal('user')),
    agent_type: text(),
    message_id: z.nullish(z.string().check(z.maxLength(200))),
  });
const SwitchAgent = () => z.object({ agent_type: z.string(), content: z.nullish(content()), reason: text() });
const ContextUpdate = () =>
  z.object({
    action: z.enum(['add_file', 'remove_file', 'clear']),
    data: z.optional(z.object({ path: z.optional(z.string()) })),
  });
const PlanDecision = () =>
  z.object({
    approval_request_id: z.string(),
    decision: z.enum(['approve', 'reject', 'modify', 'edit']),
    feedback: text(),
  });

function readUserMessage(wire: Record<string, unknown>): ClientMessage {
  const said = readInput(UserMessage(), wire);
  if (said.content.trim() === '')
    throw new ToolError('INVALID_ARGUMENTS', '`content` is empty.', { field: 'content' });
  const { agent_type, message_id } = said;
  return {
    type: 'say',
    content: said.content,
    agentType: agent_type ?? undefined,
    messageId: message_id ?? undefined,
  };
}

// Whoever wants a plan changed has not approved it: the agent reads why and proposes again.
function readPlanDecision(wire: Record<string, unknown>): ClientMessage {
  const { approval_request_id, decision, feedback } = readInput(PlanDecision(), wire);
  const why = feedback == null ? {} : { feedback };
  return {
    type: 'plan',
    approvalId: approval_request_id,
    decision: decision === 'approve' ? { kind: 'approve' } : { kind: 'reject', ...why },
  };
}

function readSpoken(wire: Record<string, unknown>, dialect: Dialect): ClientMessage {
  const message = dialect.decode(wire, { isLasting: true });
  const approvalId = typeof wire.approval_id === 'string' ? wire.approval_id : undefined;
  return { type: 'spoken', dialect, message, approvalId };
}

/** What the peer spoke before, unless a call that names its arguments otherwise shows another dialect. */
export function spokenBy(wire: Record<string, unknown>, before: Dialect, root: string): Dialect {
  if (wire.type !== 'tool_call') return before;
  const name = 'arguments' in wire ? 'agent' : 'args' in wire ? 'codelab' : before.name;
  return name === before.name ? before : findDialect(name, { root });
}
