// Checks of a call's text alone: whether a human may see it, and whether two calls are the same.
import { findDialect } from '@codelab/dialects';
import { checkProgram, leavesFolder, Risk, ToolError } from '@codelab/protocol';
import type { ToolConfig } from './tool-config.ts';
import type { ToolApprovalRequest } from './tool-events.ts';

type Json = Record<string, unknown>;

/** Throws a ToolError for a request that must not reach a human: it could not run, or must not. */
export function validateToolRequest(request: ToolApprovalRequest, config: ToolConfig): void {
  const { tool_name: tool, args, risk_level } = request;
  if (!Risk().safeParse(risk_level).success)
    throw new ToolError('INVALID_ARGUMENTS', '`risk_level` must be low, medium, high or critical.', {
      field: 'risk_level',
    });
  if (config.gatewayTools.includes(tool)) return;
  findDialect('plugin').ask({ id: 'request', tool, args });
  validateToolArguments(args, config);
}

function validateToolArguments(args: Json, { commands, maxFileBytes }: ToolConfig): void {
  for (const field of ['path', 'cwd'] as const)
    if (typeof args[field] === 'string') validatePath(args[field]);
  const size = typeof args.content === 'string' ? new TextEncoder().encode(args.content).length : 0;
  if (size > maxFileBytes)
    throw new ToolError(
      'FILE_TOO_LARGE',
      `The content has ${size} bytes; at most ${maxFileBytes} are written.`,
      {
        file_size: size,
        max_size: maxFileBytes,
      },
    );
  if (typeof args.command !== 'string') return;
  checkProgram(args.command, Array.isArray(args.args) ? args.args.map(String) : []);
  if (!commands.includes(args.command))
    throw new ToolError('COMMAND_NOT_WHITELISTED', `${args.command} is not on the list of this client.`);
}

function validatePath(path: string): void {
  if (path === '') throw new ToolError('INVALID_PATH', 'The path is empty.', { reason: 'empty' });
  if (path.includes('\0')) throw new ToolError('INVALID_PATH', 'The path holds a NUL character.');
  if (leavesFolder(path))
    throw new ToolError('PATH_OUTSIDE_WORKSPACE', `${path} leads out of the workspace.`, {
      reason: 'traversal',
    });
}

/** The meaning of a call as a text to compare: a gateway may spell an approved call differently, with other defaults or order. */
export function comparableCall(tool: string, args: Json): string {
  try {
    return sorted(withoutDefaults(findDialect('plugin').ask({ id: 'compare', tool, args }).args));
  } catch (error) {
    if (error instanceof ToolError) return sorted(withoutDefaults(args));
    throw error;
  }
}

// An empty argument list and the workspace's root are the defaults of a command.
function withoutDefaults(args: Json): Json {
  const isTelling = ([name, value]: [string, unknown]): boolean =>
    !(Array.isArray(value) && value.length === 0) && !(name === 'cwd' && value === '.');
  return Object.fromEntries(Object.entries(args).filter(isTelling));
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
