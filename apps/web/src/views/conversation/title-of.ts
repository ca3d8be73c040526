// What a call is about, in one line: the command itself, else the plan's own words, else what it was asked for.
import { visibleLine } from '@codelab/protocol';
import type { CallView } from '../../session/session-model.ts';

const longest = 300;

export function titleOf({ call, plan }: CallView): string {
  if (plan?.command !== undefined) return spell(plan.command.line);
  // How many lines it changes stands beside it.
  if (plan !== undefined) return spell(plan.summary.replace(/ \(\+\d+ −\d+ lines?\)$/, ''));
  const given = Object.values(call.args).find((value) => typeof value === 'string');
  return spell(given === undefined ? call.tool : `${call.tool} ${given}`);
}

function spell(text: string): string {
  return visibleLine(text.slice(0, longest));
}
