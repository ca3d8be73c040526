// Starts a long-running process under an id, and waits until it is ready.
import * as z from 'zod/mini';
import type { PreparedCommand } from '../../commands/plan-command.ts';
import { ProcessId } from '../../process/supervised/supervisor.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    process_id: ProcessId(),
    cwd: z._default(z.string(), '.'),
    env: z._default(z.record(z.string(), z.string()), {}),
    network: z._default(z.boolean(), false),
    sandbox: z._default(z.enum(['auto', 'off']), 'auto'),
    ready_pattern: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
    ready_port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
    ready_timeout_ms: z._default(z.int().check(z.positive(), z.maximum(300_000)), 30_000),
    pty: z._default(z.boolean(), false),
  });

const Output = () =>
  z.strictObject({
    process_id: z.string(),
    pid: z.int(),
    status: z.enum(['running', 'exited']),
    ready: z.boolean(),
    notes: z.optional(z.array(z.string())),
  });

const endsWithHost =
  'The process ends with this command. In a chat or a gateway (`codelab serve`) it continues to run.';

type Prepared = PreparedCommand & { isInterpreter: boolean };

export const runPersistentTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  Prepared
>({
  name: 'run_persistent',
  kind: 'execute',
  summary:
    'Start a long-running process under an id, with a terminal when asked, and wait until it is ready.',
  input: Input,
  output: Output,

  async plan({ command, process_id, ready_port, ...options }, context) {
    context.processes().checkFree(process_id);
    const { planPersistent } = await import('../../commands/plan-line.ts');
    return await planPersistent(command, { ...options, ready_port }, context);
  },

  async run(input, prepared, context) {
    const { runPersistent: start } = await import('../../commands/run-persistent.ts');
    const { pid, isRunning, isReady } = await start(input, prepared, context);
    const { endsAfter } = context.processes();
    // A process that ends with its call has exited by the time the result is read.
    const status = isRunning && endsAfter !== 'call' ? 'running' : 'exited';
    const data = { process_id: input.process_id, pid, status, ready: isReady } as const;
    const isEnding = isRunning && endsAfter !== undefined;
    return { data: isEnding ? { ...data, notes: [endsWithHost] } : data, effects: [] };
  },

  tell: ({ process_id, pid, status, ready, notes = [] }) =>
    [`${process_id} (pid ${pid}) is ${status}${ready ? ' and ready' : ', not ready'}.`, ...notes].join(' '),
});
