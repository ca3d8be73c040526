// Says what is wrong with an argument in words a model can act on. `zod/mini` brings none of its own.
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** For the message `tool: field …`. */
export function describeIssue(issue: Issue, args: unknown): string {
  if (valueAt(args, issue.path) === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.inclusive ? `must have at least ${issue.minimum}` : `must be more than ${issue.minimum}`;
    case 'too_big':
      return issue.inclusive ? `must have at most ${issue.maximum}` : `must be less than ${issue.maximum}`;
    default:
      return 'does not fit';
  }
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    args,
  );
}
