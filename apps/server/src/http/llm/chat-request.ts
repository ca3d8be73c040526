// A request for a chat completion as OpenAI's clients write it. What is read here is checked; what a provider alone understands passes.
import { describeIssue } from '@codelab/protocol';
import * as z from 'zod/mini';
import { ProxyError } from './proxy-error.ts';

const part = () => z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const content = () => z.nullish(z.union([z.string(), z.array(part())]));

const wantedCall = () =>
  z.looseObject({
    id: z.string(),
    function: z.looseObject({ name: z.string(), arguments: z.string() }),
  });

const chatMessage = () =>
  z.looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: z.optional(content()),
    tool_calls: z.nullish(z.array(wantedCall())),
    tool_call_id: z.optional(z.string()),
  });
export type ChatMessage = z.infer<ReturnType<typeof chatMessage>>;

const chatTool = () =>
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: z.string(),
      description: z.optional(z.string()),
      parameters: z.optional(z.record(z.string(), z.unknown())),
    }),
  });

export const ChatRequest = () =>
  z.looseObject({
    model: z.string().check(z.minLength(1)),
    messages: z.array(chatMessage()).check(z.minLength(1)),
    tools: z.nullish(z.array(chatTool())),
    stream: z.nullish(z.boolean()),
    stream_options: z.nullish(z.looseObject({ include_usage: z.optional(z.boolean()) })),
    max_tokens: z.nullish(z.int().check(z.positive())),
    max_completion_tokens: z.nullish(z.int().check(z.positive())),
  });
export type ChatRequest = z.infer<ReturnType<typeof ChatRequest>>;

/** What the proxy itself must know of a request that is passed on. */
const Envelope = () =>
  z.looseObject({ model: z.string().check(z.minLength(1)), stream: z.nullish(z.boolean()) });
export type Envelope = z.infer<ReturnType<typeof Envelope>>;

export function readEnvelope(value: unknown): Envelope {
  return check(Envelope(), value);
}

export function readChatRequest(value: unknown): ChatRequest {
  return check(ChatRequest(), value);
}

function check<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue === undefined) throw new ProxyError('INVALID_REQUEST', 'The request does not fit.');
  const field = issue.path.join('.') || 'the request';
  throw new ProxyError('INVALID_REQUEST', `\`${field}\` ${describeIssue(issue, value)}.`);
}
