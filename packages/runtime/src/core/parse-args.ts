// Checks a call's arguments against the tool's schema; the message names the field and what is wrong with it.
import { describeIssue, type Limits, ToolError } from '@codelab/protocol';
import { relativePath } from '../workspace/relative-path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Tool } from './define-tool.ts';

type Room = { limits: Limits; workspace: Workspace };

export function parseArgs(tool: Tool, args: Record<string, unknown>, { limits, workspace }: Room): unknown {
  const size = roughSize(args, limits.argsBytes);
  if (size > limits.argsBytes)
    throw new ToolError('INVALID_ARGUMENTS', `The arguments are larger than ${limits.argsBytes} bytes.`);
  const parsed = tool.input().safeParse(args);
  if (parsed.success) return isForeign(tool) ? parsed.data : withRelativePaths(parsed.data, workspace);
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

// What the arguments of others' tools mean is not known here.
function isForeign(tool: Tool): boolean {
  return tool.jsonSchema !== undefined;
}

const pathFields = new Set(['path', 'from', 'to', 'cwd', 'files', 'paths']);

function withRelativePaths(input: unknown, { root }: Workspace): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const relative = (value: unknown): unknown =>
    typeof value === 'string' ? relativePath(root, value) : value;
  const fields = Object.entries(input).map(([name, value]) => {
    if (!pathFields.has(name)) return [name, value];
    return [name, Array.isArray(value) ? value.map(relative) : relative(value)];
  });
  return Object.fromEntries(fields);
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
