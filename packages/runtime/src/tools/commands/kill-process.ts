// Ends a long-running process with everything it started. A process that has already ended is left as it is.
import { because, type CommandPart, phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import { ProcessId } from '../../process/supervised/supervisor.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    process_id: ProcessId(),
    signal: z._default(z.enum(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL']), 'SIGTERM'),
  });

const Output = () =>
  z.strictObject({
    process_id: z.string(),
    killed: z.boolean(),
    /** Null where a client ended the process and reported no code. */
    exit_code: z.nullable(z.int()),
    signal: z.nullable(z.string()),
  });

export const killProcessTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'kill_process',
  kind: 'execute',
  summary: 'End a long-running process of this session with everything it started.',
  input: Input,
  output: Output,

  plan({ process_id, signal }, { processes, session }) {
    const { command, confinement } = processes().find(process_id, session);
    const reason = phrase('command.endsOwn');
    const part: CommandPart = {
      text: `kill_process ${process_id}`,
      words: ['kill_process', process_id],
      isDynamic: false,
      verdict: 'allow',
      mustAsk: false,
      risk: 'low',
      ...because(reason),
    };
    return {
      plan: {
        summary: phrase('plan.endProcess', { process: process_id, command: command.slice(0, 200), signal }),
        risk: part.risk,
        riskReason: reason,
        touches: [],
        notes: [],
        command: {
          line: part.text,
          cwd: '.',
          parts: [part],
          confinement: { ...confinement, network: false },
        },
        basis: [],
      },
      intents: [],
      isUnforeseeable: true,
      prepared: undefined,
    };
  },

  async run({ process_id, signal }, _prepared, { processes, session, limits }) {
    const { endingSignal, exitCode } = await import('../../process/spawn-child.ts');
    const { process: found } = processes().find(process_id, session);
    const wasRunning = found.exit === undefined;
    const graceMs = signal === 'SIGKILL' ? 0 : limits.killGraceMs;
    const exit = await found.end({ graceMs, first: signal });
    return {
      data: {
        process_id,
        killed: wasRunning,
        exit_code: exitCode(exit),
        signal: endingSignal(exit),
      },
      effects: [],
    };
  },

  tell: ({ process_id, killed }) => `${process_id} ${killed ? 'was ended' : 'had ended before'}.`,
});
