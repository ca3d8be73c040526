// What a shell line would do. Characters that shells and screens read in different ways are not run at all.
import { ToolError } from '@codelab/protocol';
import { checkText } from '../policy/shell/check-text.ts';
import { readLine } from '../policy/shell/read-line.ts';
import type { PlanContext, Planned } from '../tool/define-tool.ts';
import { type Asked, type PreparedCommand, planCommand } from './plan-command.ts';

export async function planLine(
  line: string,
  asked: Asked,
  context: PlanContext,
): Promise<Planned<PreparedCommand>> {
  const fault = checkText(line);
  if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', fault, { field: 'command' });
  return await planCommand(line, (where) => readLine(line, where), asked, context);
}
