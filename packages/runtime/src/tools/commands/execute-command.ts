// Runs one program of the allowed list with its arguments to its end, without any shell.
import * as z from 'zod/mini';
import type { PreparedArgv } from '../../commands/plan-line.ts';
import { CommandReport, tellCommand } from '../../commands/report-output.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    args: z._default(z.array(z.string()).check(z.maxLength(10_000)), []),
    cwd: z._default(z.string(), '.'),
    timeout_ms: z.optional(z.int().check(z.positive())),
  });

export const executeCommandTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof CommandReport>>,
  PreparedArgv
>({
  name: 'execute_command',
  kind: 'execute',
  summary: 'Run one program of a fixed list with its arguments, without a shell, and return what it printed.',
  input: Input,
  output: CommandReport,

  async plan({ command, args, cwd }, context) {
    const { planArgv } = await import('../../commands/plan-line.ts');
    return await planArgv([command, ...args], { cwd, env: {}, network: false }, context);
  },

  async run({ timeout_ms }, prepared, context) {
    const { runPlannedCommand } = await import('../../commands/run-command.ts');
    return await runPlannedCommand(prepared.argv, prepared, timeout_ms, context);
  },

  async recover(dead) {
    const { effectsAfterCrash } = await import('../../commands/effects-after-crash.ts');
    return await effectsAfterCrash(dead);
  },

  tell: tellCommand,
});
