// What a peer sent, checked against a schema; a misfit is refused by the name of its field.
import { checkPlain, describeIssue, ToolError } from '@codelab/protocol';
import type * as z from 'zod/mini';

const maxDepth = 64;

export function readInput<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  checkPlain(value, maxDepth);
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') throw misfit(String(issue.keys[0]), 'is not known here');
  throw misfit(issue?.path.join('.') || 'body', issue ? describeIssue(issue, value) : 'does not fit');
}

function misfit(field: string, fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}
