// Checks a call's arguments against the tool's schema; the message names the field and what is wrong with it.
import { describeIssue, type Limits, ToolError } from '@codelab/protocol';
import type { Tool } from './define-tool.ts';

export function parseArgs(tool: Tool, args: Record<string, unknown>, limits: Limits): unknown {
  const size = roughSize(args, limits.argsBytes);
  if (size > limits.argsBytes)
    throw new ToolError('INVALID_ARGUMENTS', `The arguments are larger than ${limits.argsBytes} bytes.`);
  const parsed = tool.input().safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new ToolError('INVALID_ARGUMENTS', `${tool.name}: wrong arguments.`);
  if (issue.code === 'unrecognized_keys') {
    const field = issue.keys.join(', ').slice(0, 200);
    throw new ToolError('INVALID_ARGUMENTS', `${tool.name} does not take \`${field}\`.`, { field });
  }
  const field = issue.path.map(String).join('.');
  throw new ToolError('INVALID_ARGUMENTS', `${tool.name}: \`${field}\` ${describeIssue(issue, args)}.`, {
    field,
  });
}

function roughSize(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let total = 2;
  for (const [key, item] of Object.entries(value)) {
    total += key.length + roughSize(item, enough);
    if (total > enough) break;
  }
  return total;
}
