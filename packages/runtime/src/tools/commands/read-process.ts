// Reads the output of a supervised process since a cursor. Any number of readers can do so, each with its own cursor.
import { phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import { ProcessId } from '../../process/supervised/supervisor.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    process_id: ProcessId(),
    cursor: z._default(z.int().check(z.nonnegative()), 0),
    max_bytes: z._default(z.int().check(z.positive()), 65_536),
  });

const Output = () =>
  z.strictObject({
    process_id: z.string(),
    status: z.enum(['running', 'exited']),
    exit_code: z.nullable(z.int()),
    output: z.string(),
    cursor: z.int(),
    dropped: z.int(),
  });

export const readProcessTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'read_process',
  kind: 'read',
  summary: 'Read what a long-running process printed since a cursor, and whether it still runs.',
  input: Input,
  output: Output,

  plan({ process_id }, { processes, session }) {
    const { command } = processes().find(process_id, session);
    return {
      plan: {
        summary: phrase('plan.readProcess', { process: process_id, command: command.slice(0, 200) }),
        risk: 'low',
        riskReason: phrase('risk.onlyOutput'),
        touches: [],
        notes: [],
        basis: [],
      },
      intents: [],
      prepared: undefined,
    };
  },

  async run({ process_id, cursor, max_bytes }, _prepared, { processes, session, limits }) {
    const { exitCode } = await import('../../process/spawn-child.ts');
    const { process: found } = processes().find(process_id, session);
    const { exit } = found;
    const output = found.read(cursor, Math.min(max_bytes, limits.outputBytes));
    const status = exit === undefined ? 'running' : 'exited';
    const code = exit === undefined ? null : exitCode(exit);
    return { data: { process_id, status, exit_code: code, ...output }, effects: [] };
  },

  tell: ({ output, status, exit_code, dropped }) =>
    [
      ...(dropped > 0 ? [`[… ${dropped} bytes were printed before and are gone …]`] : []),
      output,
      status === 'running' ? '[still running]' : `[ended with exit code ${exit_code}]`,
    ].join('\n'),
});
