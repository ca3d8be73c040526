// Helpers for zod schemas: lazy schemas, and issues in a sentence.
import type * as z from 'zod/mini';

// Makes a value at its first use, such as a schema: making all schemas would cost a short command more than its work.
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Says what is wrong with an argument in words a model can act on. `zod/mini` brings none of its own. */
type Issue = z.core.$ZodIssue;

/** The rest of the message `tool: field …`. */
export function describeIssue(issue: Issue, args: unknown): string {
  if (valueAt(args, issue.path) === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    // A format has no words of its own: its schema says what fits.
    case 'invalid_format':
      return issue.message.startsWith('must ') ? issue.message : 'does not fit';
    default:
      return 'does not fit';
  }
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' };

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  const unit = units[origin];
  if (unit === undefined) return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
  return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit}`;
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  const unit = units[origin];
  if (unit === undefined) return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
  return `must have at most ${maximum} ${unit}`;
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    args,
  );
}
