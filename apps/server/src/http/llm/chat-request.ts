// A request for a chat completion as OpenAI's clients write it. What is read here is checked; what a provider alone understands passes.
import { CompletionRequest } from '@codelab/api';
import { describeIssue } from '@codelab/protocol';
import * as z from 'zod/mini';
import { ProxyError } from './proxy-error.ts';

/** What the proxy itself must know of a request that is passed on. */
const Envelope = () =>
  z.looseObject({ model: z.string().check(z.minLength(1)), stream: z.nullish(z.boolean()) });
export type Envelope = z.infer<ReturnType<typeof Envelope>>;

export function readEnvelope(value: unknown): Envelope {
  return check(Envelope(), value);
}

export function readChatRequest(value: unknown): CompletionRequest {
  return check(CompletionRequest(), value);
}

function check<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue === undefined) throw new ProxyError('INVALID_REQUEST', 'The request does not fit.');
  const field = issue.path.join('.') || 'the request';
  throw new ProxyError('INVALID_REQUEST', `\`${field}\` ${describeIssue(issue, value)}.`);
}
