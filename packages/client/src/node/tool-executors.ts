// Shared by the executors of seed 002: a set of tools, a check without effects, and running calls through the runtime.
import { findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { createRegistry, randomId } from '@codelab/runtime';
import type { ToolResult } from '../api/tool-calls.ts';
import type { ToolHandlerOptions } from '../tools/tool-config.ts';
import { requireSuccess } from '../tools/tool-errors.ts';
import { PathValidator, type Validation, validation } from './path-validator.ts';
import { type PluginCallOptions, runPluginCall } from './run-plugin-call.ts';

type Json = Record<string, unknown>;

export abstract class BaseToolExecutor {
  protected readonly options: PluginCallOptions;

  constructor(options: PluginCallOptions) {
    this.options = options;
  }

  /** Names of the tools that it runs. */
  abstract readonly tools: readonly string[];

  /** Whether arguments would be accepted. Nothing is run. */
  abstract validate(args: Json): Promise<Validation>;

  /** The result in the shape of the specification, however the call ended. */
  async execute(tool: string, args: Json, signal?: AbortSignal): Promise<ToolResult> {
    if (!this.tools.includes(tool))
      throw new ToolError(
        'TOOL_NOT_FOUND',
        `This executor has no tool ${tool}. It has: ${this.tools.join(', ')}.`,
      );
    return await runPluginCall(this.options, { id: randomId(), tool, args, ...(signal && { signal }) });
  }

  /**
   * Like `execute`, but throws a failure: as a PathValidationError, FileOperationError, CommandExecutionError, TimeoutError or
   * ApprovalDeniedError.
   */
  async executeOrThrow(tool: string, args: Json, signal?: AbortSignal): Promise<ToolResult> {
    return requireSuccess(await this.execute(tool, args, signal));
  }

  /** The verdict of this machine's rules on a call: its form, its paths, and the list of programs. */
  protected check(tool: string, args: Json): Promise<Validation> {
    return validation(() => checkCall(this.options, tool, args));
  }
}

/** For a ToolHandler's `validate`: no dialog is shown for a call that this machine would refuse. */
export function validateHere(
  options: Pick<PluginCallOptions, 'host' | 'session'>,
): NonNullable<ToolHandlerOptions['validate']> {
  return (tool, args) => checkCall(options, tool, args);
}

async function checkCall(
  { host, session }: Pick<PluginCallOptions, 'host' | 'session'>,
  tool: string,
  args: Json,
): Promise<void> {
  const wireCall = findDialect('plugin').ask({ id: 'validate', tool, args });
  const registry = await createRegistry(host, { session, dialect: 'plugin' });
  const { verdict } = await registry.approvalRequest(wireCall.tool, wireCall.args);
  if (verdict.verdict === 'deny')
    throw new ToolError('PERMISSION_DENIED', verdict.reason, { rule: verdict.rule });
}

/** The FileSystemExecutor of seed 002: reads, writes and lists through the runtime. */
export class FileSystemExecutor extends BaseToolExecutor {
  readonly tools = ['read_file', 'write_file', 'list_directory'];
  readonly #paths: PathValidator;

  constructor(options: PluginCallOptions) {
    super(options);
    this.#paths = new PathValidator(options.host);
  }

  /** `encoding` is utf-8, utf-16le or latin1. A file that is not UTF-8 can be read, but not written. */
  executeReadFile(path: string, encoding = 'utf-8', signal?: AbortSignal): Promise<ToolResult> {
    return this.execute('read_file', { path, encoding }, signal);
  }

  /** With `createIfMissing: false` only an existing file is written. Its folder must exist. */
  executeWriteFile(
    path: string,
    content: string,
    options: { encoding?: string; createIfMissing?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    return this.execute('write_file', { path, content, ...options }, signal);
  }

  executeListDirectory(
    path: string,
    options: { recursive?: boolean; pattern?: string } = {},
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    return this.execute('list_directory', { path, ...options }, signal);
  }

  /** Whether this process may read or write the path. */
  checkPermissions(path: string, access: 'read' | 'write' = 'read'): Promise<Validation> {
    return this.#paths.checkPermissions(path, access);
  }

  /** Whether arguments of one of the three tools would be accepted: their form and their path. */
  async validate(args: Json): Promise<Validation> {
    const wireCall = { id: 'validate', tool: toolFor(args), args };
    const form = await validation(() => findDialect('plugin').ask(wireCall));
    return form.valid ? await this.#paths.validateWorkspaceBoundary(String(args.path)) : form;
  }
}

function toolFor(args: Json): string {
  if ('content' in args) return 'write_file';
  return 'recursive' in args || 'pattern' in args ? 'list_directory' : 'read_file';
}

/** The CommandExecutor of seed 002: one program of the allowed list with its arguments, without a shell, through the runtime. */
export class CommandExecutor extends BaseToolExecutor {
  readonly tools = ['execute_command'];

  /** `timeout` in milliseconds; after it the program and all its descendants are ended. */
  executeCommand(
    command: string,
    args: readonly string[] = [],
    timeout?: number,
    { cwd, signal }: { cwd?: string; signal?: AbortSignal } = {},
  ): Promise<ToolResult> {
    const wireArgs = {
      command,
      args: [...args],
      ...(timeout !== undefined && { timeout }),
      ...(cwd && { cwd }),
    };
    return this.execute('execute_command', wireArgs, signal);
  }

  /** Whether the command may run: its form, the list of programs, and the rules. Nothing is run. */
  validate(args: Record<string, unknown>): Promise<Validation> {
    return this.check('execute_command', args);
  }
}
