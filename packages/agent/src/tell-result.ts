// What the model reads of a call: the result, what a human made of it field by field, and a hint when it turns in circles.
import type { Outcome, WantedCall } from '@codelab/protocol';
import { cutText } from './cut-text.ts';

type Told = { outcome: Outcome; wanted: WantedCall; told: string; hint: string | undefined };

const maxFieldChars = 400;

export function tellResult({ outcome, wanted, told, hint }: Told): string {
  const parts = [told];
  if (outcome.status === 'completed' && outcome.changedBy !== undefined)
    parts.unshift(tellChange(wanted.args, outcome.changedBy));
  if (hint !== undefined) parts.push(hint);
  return parts.join('\n');
}

type Change = NonNullable<Extract<Outcome, { status: 'completed' }>['changedBy']>;

function tellChange(asked: Record<string, unknown>, { kind, args, feedback }: Change): string {
  // Some fields have another name inside; those are not compared.
  const fields = Object.keys(asked)
    .filter((name) => name in args)
    .filter((name) => JSON.stringify(asked[name]) !== JSON.stringify(args[name]))
    .map((name) => `- ${name}: you wanted ${shown(asked[name])}, what ran was ${shown(args[name])}`);
  const how = kind === 'hunks' ? 'took only some hunks of this call' : 'edited this call before it ran';
  const said = feedback === undefined ? [] : [`They say: ${feedback}`];
  return [`A human ${how}:`, ...fields, ...said].join('\n');
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : cutText(JSON.stringify(value), maxFieldChars);
}
