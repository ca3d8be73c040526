// Plans writing to a running process: for a shell the input is a command line, for an interpreter code that cannot be judged.
import { because, type CommandPart, englishText, highestRisk, phrase, ToolError } from '@codelab/protocol';
import { checkText } from '../policy/shell/check-text.ts';
import { readLine } from '../policy/shell/read-line.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { riskOf } from './plan-command.ts';

export async function planInput(
  id: string,
  input: string,
  context: PlanContext,
): Promise<Planned<undefined>> {
  const { command, isInterpreter, confinement } = context.processes().find(id, context.session);
  const parts = isInterpreter ? await judgeCode(input, context) : [plainInput(id, input)];
  return {
    plan: {
      summary: phrase('plan.writeProcess', {
        process: id,
        command: command.slice(0, 200),
        input: JSON.stringify(input.slice(0, 300)),
      }),
      ...riskOf(parts),
      touches: [],
      notes: [],
      command: { line: input, cwd: '.', parts, confinement },
      basis: [],
    },
    intents: [],
    isUnforeseeable: true,
    prepared: undefined,
  };
}

// The shell may be in another folder, and its words may have been redefined, so nothing about the input is proven.
async function judgeCode(input: string, { workspace }: PlanContext): Promise<CommandPart[]> {
  const fault = checkText(input);
  if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', englishText(fault), { field: 'input' });
  const { parts } = await readLine(input, { workspace, cwd: '' });
  const deniedParts = parts.filter(({ verdict }) => verdict === 'deny');
  const code: CommandPart = {
    text: input,
    words: [],
    isDynamic: true,
    verdict: 'ask',
    mustAsk: true,
    risk: highestRisk(['high', ...parts.map(({ risk }) => risk)]),
    ...because(phrase('command.input')),
  };
  return [code, ...deniedParts];
}

function plainInput(id: string, input: string): CommandPart {
  return {
    text: input,
    words: ['write_process', id],
    isDynamic: false,
    verdict: 'ask',
    mustAsk: false,
    risk: 'medium',
    ...because(phrase('command.plainInput')),
    // A rule would cover every later process of this id, and any input to it.
    execution: { runs: [], files: [], unknown: 'What the process does with its input, only it knows.' },
  };
}
