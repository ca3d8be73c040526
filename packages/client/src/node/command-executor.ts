// Seed 002's CommandExecutor: one program of the allowed list with its arguments, without a shell, through the runtime.
import type { ToolResult } from '../api/tool-calls.ts';
import { BaseToolExecutor } from './base-tool-executor.ts';
import type { Validation } from './validation.ts';

export class CommandExecutor extends BaseToolExecutor {
  readonly tools = ['execute_command'];

  /** `timeout` in milliseconds; after it the program and all it has started are ended. */
  executeCommand(
    command: string,
    args: readonly string[] = [],
    timeout?: number,
    { cwd, signal }: { cwd?: string; signal?: AbortSignal } = {},
  ): Promise<ToolResult> {
    const given = {
      command,
      args: [...args],
      ...(timeout !== undefined && { timeout }),
      ...(cwd && { cwd }),
    };
    return this.execute('execute_command', given, signal);
  }

  /** Whether it may run at all: its form, the list of programs, and the rules. Nothing is run. */
  validate(args: Record<string, unknown>): Promise<Validation> {
    return this.check('execute_command', args);
  }
}
