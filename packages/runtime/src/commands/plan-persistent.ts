// What starting a long-running process would do: the same as running its line, and it goes on after the call.
import { ToolError } from '@codelab/protocol';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { isInterpreter } from './is-interpreter.ts';
import type { Asked, PreparedCommand } from './plan-command.ts';
import { planLine } from './plan-line.ts';

type Prepared = PreparedCommand & { isInterpreter: boolean };

export async function planPersistent(
  line: string,
  { ready_port: port, ...asked }: Asked & { ready_port?: number | undefined },
  context: PlanContext,
): Promise<Planned<Prepared>> {
  const planned = await planLine(line, asked, context);
  const { confinement } = planned.prepared;
  if (port !== undefined && !confinement.network)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'The sandbox has a network of its own, where nobody can reach `ready_port`. Ask for `network: true`, or use `ready_pattern`.',
      { field: 'ready_port' },
    );
  const notes = [
    ...planned.plan.notes,
    'It goes on after this call; what it changes is not recorded for undo.',
  ];
  const parts = planned.plan.command?.parts ?? [];
  return {
    ...planned,
    isUnforeseeable: true,
    plan: { ...planned.plan, summary: planned.plan.summary.replace(/^Run/, 'Start'), notes },
    prepared: { ...planned.prepared, isInterpreter: isInterpreter(parts) },
  };
}
