// The parse step: the tool that a call names, as far as its roles show it, and its arguments, checked against the tool's schema.
import { describeIssue, ToolError } from '@codelab/protocol';
import type { Tool } from '../tool/define-tool.ts';
import type { Profile } from '../tool/profile.ts';
import { shows } from '../tool/shows.ts';
import { relativePath } from '../workspace/relative-path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Args, CallView } from './call-run.ts';
import type { Host } from './host.ts';

export async function parseCall(view: CallView, args: Args): Promise<{ tool: Tool; input: unknown }> {
  const { host, call, roles, signal } = view;
  const tool = await findTool(host, roles, call.tool, signal);
  if (tool === undefined) {
    throw new ToolError(
      'TOOL_NOT_FOUND',
      `There is no tool ${JSON.stringify(call.tool)} here. \`codelab tools\` lists them.`,
    );
  }
  return { tool, input: parseArgs(view, tool, args) };
}

async function findTool(
  { tools, foreign }: Host,
  roles: readonly Profile[],
  name: string,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  const own = tools.get(name);
  if (own !== undefined) return shows(roles, own) ? own : undefined;
  // Asking others may start a program: not about what the roles hide.
  if (foreign === undefined || !shows(roles, { name, kind: foreign.kind })) return undefined;
  return await foreign.find(name, signal);
}

const none: readonly Tool[] = [];

/** The tools of others that an agent's roles show; the same list again while nothing has changed. */
export async function listForeign(
  { foreign }: Host,
  roles: readonly Profile[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  // Listing may start programs: not for those who could not use them.
  if (foreign === undefined || !roles.every(({ kinds }) => kinds.includes(foreign.kind))) return none;
  const tools = await foreign.list(signal);
  const shown = tools.filter((tool) => shows(roles, tool));
  return shown.length === tools.length ? tools : shown;
}

/** The message of a refusal names the field and what is wrong with it. */
export function parseArgs({ limits, host }: CallView, tool: Tool, args: Args): unknown {
  const size = roughSize(args, limits.argsBytes);
  if (size > limits.argsBytes)
    throw new ToolError('INVALID_ARGUMENTS', `The arguments are larger than ${limits.argsBytes} bytes.`);
  const parsed = tool.input().safeParse(args);
  if (parsed.success) return isForeign(tool) ? parsed.data : withRelativePaths(parsed.data, host.workspace);
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
