// Seed 002's CommandExecutor: one program of the allowed list with its arguments, without a shell, through the runtime.
import { findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { createRegistry, randomId } from '@codelab/runtime';
import type { ToolResult } from '../api/tool-calls.ts';
import { type ExecutorOptions, runPluginCall } from './run-plugin-call.ts';
import { type Validation, validation } from './validation.ts';

export class CommandExecutor {
  readonly #options: ExecutorOptions;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /** `timeout` in milliseconds; after it the program and all it has started are ended. */
  executeCommand(
    command: string,
    args: readonly string[] = [],
    timeout?: number,
    more: { cwd?: string; signal?: AbortSignal } = {},
  ): Promise<ToolResult> {
    const { cwd, signal } = more;
    const given = {
      command,
      args: [...args],
      ...(timeout !== undefined && { timeout }),
      ...(cwd && { cwd }),
    };
    const call = { id: randomId(), tool: 'execute_command', args: given };
    return runPluginCall(this.#options, { ...call, ...(signal && { signal }) });
  }

  /** Whether it may run at all: its form, the list of programs, and the rules. Nothing is run. */
  validate(args: Record<string, unknown>): Promise<Validation> {
    const { host, session } = this.#options;
    return validation(async () => {
      const asked = findDialect('plugin').ask({ id: 'validate', tool: 'execute_command', args });
      const registry = await createRegistry(host, { session, dialect: 'plugin' });
      const { verdict } = await registry.approvalRequest(asked.tool, asked.args);
      if (verdict.verdict === 'deny')
        throw new ToolError('PERMISSION_DENIED', verdict.reason, { rule: verdict.rule });
    });
  }
}
