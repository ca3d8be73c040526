// The conversation with one result for every call: providers refuse a call without one, as an interrupted turn leaves behind.
import type { ModelMessage } from '../../model.ts';
import type { OptionalParts } from './optional-parts.ts';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

const missing = 'The call was not run: the turn was interrupted.';

export function pairedMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const paired: ModelMessage[] = [];
  let i = 0;
  const takeResults = (): ToolMessage[] => {
    const results: ToolMessage[] = [];
    for (let next = messages[i]; next?.role === 'tool'; next = messages[++i]) results.push(next);
    return results;
  };
  while (i < messages.length) {
    const message = messages[i];
    if (message === undefined) break;
    if (message.role === 'tool') {
      paired.push(...takeResults().map(asText));
      continue;
    }
    i++;
    paired.push(message);
    if (message.role === 'assistant') paired.push(...answersTo(message.reply.calls, takeResults()));
  }
  return paired;
}

/** The templates of many models require user and assistant to alternate; a turn that ended early leaves two user messages in a row. */
export function joinUserRuns(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') joined[joined.length - 1] = join(last, message);
    else joined.push(message);
  }
  return joined;
}

type UserMessage = Extract<ModelMessage, { role: 'user' }>;

const madeOf = new WeakMap<ModelMessage, { next: ModelMessage; joined: UserMessage }>();

/** The same two messages give the same object, so that a wire finds its cached form. */
function join(first: UserMessage, next: UserMessage): UserMessage {
  const cached = madeOf.get(first);
  if (cached?.next === next) return cached.joined;
  const images = [...(first.images ?? []), ...(next.images ?? [])];
  const text = `${first.text}\n\n${next.text}`;
  const joined: UserMessage = { role: 'user', text, ...(images.length > 0 && { images }) };
  madeOf.set(first, { next, joined });
  return joined;
}

function answersTo(calls: readonly { id: string; tool: string }[], results: ToolMessage[]): ModelMessage[] {
  const answers = calls.map(
    ({ id, tool }): ModelMessage =>
      results.find(({ callId }) => callId === id) ?? {
        role: 'tool',
        callId: id,
        tool,
        text: missing,
        isError: true,
      },
  );
  const strays = results.filter(({ callId }) => !calls.some(({ id }) => id === callId));
  return [...answers, ...strays.map(asText)];
}

/** The call was cut away, so only its text is left. */
function asText({ tool, text, images }: ToolMessage): ModelMessage {
  return { role: 'user', text: `${tool}: ${text}`, ...(images && { images }) };
}

/**
 * The conversation without the reasoning that its provider requires back, once that was refused: a session that continues with another
 * account, or on another server, would otherwise be refused every time.
 */
const withoutCalls = new WeakMap<ModelMessage, ModelMessage>();

export function withThoughts(
  messages: readonly ModelMessage[],
  parts: OptionalParts,
): readonly ModelMessage[] {
  if (!messages.some(hasThoughts) || parts.use('thoughts')) return messages;
  return messages.map(withoutThoughts);
}

function hasThoughts(message: ModelMessage): boolean {
  return message.role === 'assistant' && message.reply.opaque !== undefined;
}

/** The same message gives the same object, so that a wire finds its cached form. */
function withoutThoughts(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || message.reply.opaque === undefined) return message;
  const cached = withoutCalls.get(message);
  if (cached !== undefined) return cached;
  const { opaque: _opaque, ...reply } = message.reply;
  const stripped: ModelMessage = { ...message, reply };
  withoutCalls.set(message, stripped);
  return stripped;
}
