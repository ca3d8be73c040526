// A chat completion request in OpenAI's format. Fields that are used here are checked; fields that only a provider understands are passed on.
import { CompletionEnvelope, CompletionRequest } from '@codelab/api';
import { describeIssue } from '@codelab/protocol';
import type * as z from 'zod/mini';
import { ProxyError } from './proxy-error.ts';

export function readCompletionEnvelope(value: unknown): CompletionEnvelope {
  return check(CompletionEnvelope(), value);
}

export function readChatRequest(value: unknown): CompletionRequest {
  return check(CompletionRequest(), value);
}

function check<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue === undefined) throw new ProxyError('INVALID_REQUEST', 'The request is not valid.');
  const field = issue.path.join('.') || 'the request';
  throw new ProxyError('INVALID_REQUEST', `\`${field}\` ${describeIssue(issue, value)}.`);
}
