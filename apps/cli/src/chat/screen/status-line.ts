// The line below the input: model, role and mode, cost, and the current activity.
import { type PolicyMode, visibleLine } from '@codelab/protocol';
import { modeHints } from '../../mode/mode-words.ts';
import type { Paint } from '../../output/paint.ts';
import { cutToWidth, displayWidth } from '../../output/text-width.ts';

export type Status = {
  model: string;
  profile: string;
  mode: PolicyMode;
  tokens: number;
  cost: number | undefined;
  /** The used part of the model's context window, from 0 to 1. */
  context: number;
  /** Git's branch, if there is one. */
  branch: string | undefined;
  /** Lines that the session added and removed, as the files are now. */
  changes: { added: number; removed: number } | undefined;
  /** The current activity, if any. */
  doing: string;
};

export function statusLine(status: Status, { columns, paint }: { columns: number; paint: Paint }): string {
  const { model, profile, mode, tokens, cost, context, branch, changes, doing } = status;
  const isPlanning = profile === 'plan';
  const facts = (hasHints: boolean): string[] => [
    model === 'demo' ? 'demo (no AI)' : visibleLine(model),
    isPlanning && hasHints ? 'plan: changes nothing' : visibleLine(profile),
    hasHints && !isPlanning ? `${mode}: ${modeHints[mode]}` : mode,
    ...(branch === undefined ? [] : [`⎇ ${visibleLine(branch)}`]),
    ...(changes === undefined ? [] : [`+${changes.added} −${changes.removed}`]),
    ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
    ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
    `${Math.round(context * 100)}% context`,
  ];
  const right = cutToWidth(doing, Math.floor(columns * 0.6));
  const room = Math.max(1, columns - displayWidth(right) - 1);
  const long = `  ${facts(true).join(' · ')}`;
  const left = displayWidth(long) <= room ? long : cutToWidth(`  ${facts(false).join(' · ')}`, room);
  const gap = ' '.repeat(Math.max(1, columns - displayWidth(left) - displayWidth(right)));
  if (right === '') return paint('dim', left);
  return `${paint('dim', left)}${gap}${paint('cyan', right)}`;
}

/** 950, 1.2k, 3.4M. */
export function shortCount(n: number): string {
  if (n < 1000) return String(n);
  return n < 1_000_000 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** In dollars; small sums with more digits. */
export function money(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
