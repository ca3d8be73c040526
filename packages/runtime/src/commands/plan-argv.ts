// What a program with its arguments would do, started without any shell: every word is taken as it is.
import { ToolError } from '@codelab/protocol';
import { checkArgv } from '../policy/shell/argv-list.ts';
import { checkText } from '../policy/shell/check-text.ts';
import { readArgv } from '../policy/shell/read-argv.ts';
import { findProgram } from '../process/child-environment.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { type Asked, type PreparedCommand, planCommand } from './plan-command.ts';
import { quoteWord } from './quote-word.ts';

export type PreparedArgv = PreparedCommand & { argv: string[] };

export async function planArgv(
  [name = '', ...args]: readonly string[],
  asked: Asked,
  context: PlanContext,
): Promise<Planned<PreparedArgv>> {
  for (const word of [name, ...args]) {
    // A backslash at the end joins lines in a shell; here it is a character like any other.
    const fault = checkText(`${word} `);
    if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', fault, { field: 'args' });
  }
  checkArgv(name, args);
  const program = findProgram(name, context.workspace.root.real);
  const line = [name, ...args].map(quoteWord).join(' ');
  const planned = await planCommand(line, (where) => readArgv([name, ...args], where), asked, context);
  return { ...planned, prepared: { ...planned.prepared, argv: [program, ...args] } };
}
