// Checks a call's arguments against its row; the message names the field as the wire does and says what is wrong with it.
import { describeIssue, ToolError } from '@codelab/protocol';
import type { Json, WireTool } from './dialect.ts';
import { short } from './short.ts';

export function checkArguments(row: WireTool, args: Json): Json {
  const parsed = row.input().safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new ToolError('INVALID_ARGUMENTS', `${row.name}: wrong arguments.`);
  if (issue.code === 'unrecognized_keys') {
    const field = short(issue.keys.join(', '));
    const known = Object.keys(row.input().shape).join(', ');
    throw new ToolError('INVALID_ARGUMENTS', `${row.name} does not take \`${field}\`; it takes: ${known}.`, {
      field,
    });
  }
  const field = issue.path.map(String).join('.');
  throw new ToolError('INVALID_ARGUMENTS', `${row.name}: \`${field}\` ${describeIssue(issue, args)}.`, {
    field,
  });
}
