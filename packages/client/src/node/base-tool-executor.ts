// What every executor of seed 002 has: a set of tools, a check without effects, and carrying out through the runtime.
import { findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { createRegistry, randomId } from '@codelab/runtime';
import type { ToolResult } from '../api/tool-calls.ts';
import type { ToolHandlerOptions } from '../tools/tool-config.ts';
import { requireSuccess } from '../tools/tool-errors.ts';
import { type ExecutorOptions, runPluginCall } from './run-plugin-call.ts';
import { type Validation, validation } from './validation.ts';

type Json = Record<string, unknown>;

export abstract class BaseToolExecutor {
  protected readonly options: ExecutorOptions;

  constructor(options: ExecutorOptions) {
    this.options = options;
  }

  /** Names of the tools it carries out. */
  abstract readonly tools: readonly string[];

  /** Whether arguments would be accepted. Nothing is carried out. */
  abstract validate(args: Json): Promise<Validation>;

  /** The result in the spec's shape, however it ended. */
  async execute(tool: string, args: Json, signal?: AbortSignal): Promise<ToolResult> {
    if (!this.tools.includes(tool))
      throw new ToolError(
        'TOOL_NOT_FOUND',
        `This executor has no tool ${tool}. It has: ${this.tools.join(', ')}.`,
      );
    return await runPluginCall(this.options, { id: randomId(), tool, args, ...(signal && { signal }) });
  }

  /** The same, but a failure is thrown: as a PathValidationError, FileOperationError, CommandExecutionError, TimeoutError or
   * ApprovalDeniedError. */
  async executeOrThrow(tool: string, args: Json, signal?: AbortSignal): Promise<ToolResult> {
    return requireSuccess(await this.execute(tool, args, signal));
  }

  /** What the rules of this machine say to a call: its form, where its paths lead, the list of programs. */
  protected check(tool: string, args: Json): Promise<Validation> {
    return validation(() => checkCall(this.options, tool, args));
  }
}

/** For a ToolHandler's `validate`: no dialog is shown for what this machine would refuse. */
export function validateHere(
  options: Pick<ExecutorOptions, 'host' | 'session'>,
): NonNullable<ToolHandlerOptions['validate']> {
  return (tool, args) => checkCall(options, tool, args);
}

async function checkCall(
  { host, session }: Pick<ExecutorOptions, 'host' | 'session'>,
  tool: string,
  args: Json,
): Promise<void> {
  const asked = findDialect('plugin').ask({ id: 'validate', tool, args });
  const registry = await createRegistry(host, { session, dialect: 'plugin' });
  const { verdict } = await registry.approvalRequest(asked.tool, asked.args);
  if (verdict.verdict === 'deny')
    throw new ToolError('PERMISSION_DENIED', verdict.reason, { rule: verdict.rule });
}
