// The line below the input: which model works how, what it has cost, and what goes on right now.
import { visibleLine } from '@codelab/protocol';
import { cutToWidth } from '../../output/cut-to-width.ts';
import { displayWidth } from '../../output/display-width.ts';
import type { Paint } from '../../output/paint.ts';

export type Status = {
  model: string;
  profile: string;
  mode: string;
  tokens: number;
  cost: number | undefined;
  /** Of the model's window, from 0 to 1. */
  context: number;
  /** What goes on, if anything does. */
  doing: string;
};

export function statusLine(status: Status, { columns, paint }: { columns: number; paint: Paint }): string {
  const { model, profile, mode, tokens, cost, context, doing } = status;
  const facts = [
    model === 'demo' ? 'demo (no AI)' : visibleLine(model),
    visibleLine(profile),
    mode,
    ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
    ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
    `${Math.round(context * 100)}% context`,
  ];
  const right = cutToWidth(doing, Math.floor(columns * 0.6));
  const left = cutToWidth(`  ${facts.join(' · ')}`, Math.max(1, columns - displayWidth(right) - 1));
  const gap = ' '.repeat(Math.max(1, columns - displayWidth(left) - displayWidth(right)));
  if (right === '') return paint('dim', left);
  return `${paint('dim', left)}${gap}${paint('cyan', right)}`;
}

function shortCount(n: number): string {
  if (n < 1000) return String(n);
  return n < 1_000_000 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** In dollars; small sums with more digits. */
export function money(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
