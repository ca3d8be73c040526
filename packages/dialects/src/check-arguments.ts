// Checks a call's arguments against its row; the message names the field as the wire does and says what is wrong with it.
import { ToolError } from '@codelab/protocol';
import type * as z from 'zod/mini';
import type { Json, WireTool } from './dialect.ts';
import { short } from './short.ts';

type Issue = z.core.$ZodIssue;

export function checkArguments(row: WireTool, args: Json): Json {
  const parsed = row.input.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new ToolError('INVALID_ARGUMENTS', `${row.name}: wrong arguments.`);
  if (issue.code === 'unrecognized_keys') {
    const field = short(issue.keys.join(', '));
    const known = Object.keys(row.input.shape).join(', ');
    throw new ToolError('INVALID_ARGUMENTS', `${row.name} does not take \`${field}\`; it takes: ${known}.`, {
      field,
    });
  }
  const field = issue.path.map(String).join('.');
  throw new ToolError('INVALID_ARGUMENTS', `${row.name}: \`${field}\` ${faultOf(issue, args)}.`, { field });
}

function faultOf(issue: Issue, args: Json): string {
  if (valueAt(args, issue.path) === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.inclusive ? `must have at least ${issue.minimum}` : `must be more than ${issue.minimum}`;
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
