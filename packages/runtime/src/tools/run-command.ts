// Runs a shell line to its end and tells what it printed.
import * as z from 'zod/mini';
import type { PreparedCommand } from '../commands/plan-command.ts';
import { CommandOutput, tellCommand } from '../commands/report-output.ts';
import { defineTool } from '../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    cwd: z._default(z.string(), '.'),
    timeout_ms: z.optional(z.int().check(z.positive())),
    env: z._default(z.record(z.string(), z.string()), {}),
    network: z._default(z.boolean(), false),
    forbidden: z.optional(z.array(z.string())),
  });

export const runCommand = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof CommandOutput>>,
  PreparedCommand
>({
  name: 'run_command',
  kind: 'execute',
  summary: 'Run a shell line in the workspace, without input, and return what it printed and its exit code.',
  input: Input,
  output: CommandOutput,

  async plan({ command, ...asked }, context) {
    const { planLine } = await import('../commands/plan-line.ts');
    return await planLine(command, asked, context);
  },

  async run({ command, timeout_ms }, prepared, context) {
    const { runCommand: run } = await import('../commands/run-command.ts');
    return await run(['/bin/sh', '-c', command], prepared, timeout_ms, context);
  },

  tell: tellCommand,
});
