// Lists the long-running processes that this session has started.
import { phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () => z.strictObject({});

const Output = () =>
  z.strictObject({
    processes: z.array(
      z.strictObject({
        process_id: z.string(),
        pid: z.int(),
        command: z.string(),
        status: z.enum(['running', 'exited']),
        started_at: z.string(),
      }),
    ),
  });

export const listProcessesTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'list_processes',
  kind: 'read',
  summary: 'List the long-running processes of this session.',
  input: Input,
  output: Output,

  plan: () => ({
    plan: {
      summary: phrase('plan.listProcesses'),
      risk: 'low',
      riskReason: phrase('risk.onlyNames'),
      touches: [],
      notes: [],
      basis: [],
    },
    intents: [],
    prepared: undefined,
  }),

  run: (_input, _prepared, { processes, session }) => ({
    data: {
      processes: processes()
        .list(session)
        .map(({ id, command, process: { pid, exit, startedAt } }) => ({
          process_id: id,
          pid,
          command,
          status: exit === undefined ? ('running' as const) : ('exited' as const),
          started_at: startedAt,
        })),
    },
    effects: [],
  }),

  tell: ({ processes }) =>
    processes
      .map((process) => `${process.process_id} ${process.status} (pid ${process.pid}): ${process.command}`)
      .join('\n') || 'No processes.',
});
