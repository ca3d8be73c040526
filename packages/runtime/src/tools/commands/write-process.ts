// Writes to a long-running process. To a shell or an interpreter that is running a command, and judged so.
import * as z from 'zod/mini';
import { ProcessId } from '../../process/supervised/supervisor.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({ process_id: ProcessId(), input: z.string().check(z.minLength(1), z.maxLength(65_536)) });

const Output = () => z.strictObject({ process_id: z.string(), bytes: z.int() });

export const writeProcessTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'write_process',
  kind: 'execute',
  summary: 'Write to the input of a long-running process.',
  input: Input,
  output: Output,

  async plan({ process_id, input }, context) {
    const { planInput } = await import('../../commands/plan-input.ts');
    return await planInput(process_id, input, context);
  },

  async run({ process_id, input }, _prepared, { processes, session }) {
    const bytes = await processes().find(process_id, session).process.write(input);
    return { data: { process_id, bytes }, effects: [] };
  },

  tell: ({ process_id, bytes }) => `Wrote ${bytes} bytes to ${process_id}.`,
});
