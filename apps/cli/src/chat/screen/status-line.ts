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

type Detail = 'full' | 'names' | 'short';

/** A narrow window gets fewer words, never fewer facts: model, mode, branch, changes, cost and context stay in view. */
export function statusLine(status: Status, { columns, paint }: { columns: number; paint: Paint }): string {
  const { doing } = status;
  const shortDoing = doing.replace(/^(\S+) .*?(\d+s) .*$/, '$1 $2');
  const forms: readonly [Detail, string][] = [
    ['full', doing],
    ['names', doing],
    ['short', doing],
    ['short', shortDoing],
  ];
  const fitsWidth = ([detail, right]: readonly [Detail, string]): boolean =>
    displayWidth(factsText(status, detail)) + displayWidth(right) + 1 <= columns;
  const [detail, right] = forms.find(fitsWidth) ?? (['short', shortDoing] as const);
  const leftText = cutToWidth(factsText(status, detail), Math.max(1, columns - displayWidth(right) - 1));
  const gap = ' '.repeat(Math.max(1, columns - displayWidth(leftText) - displayWidth(right)));
  if (right === '') return paint('dim', leftText);
  return `${paint('dim', leftText)}${gap}${paint('cyan', right)}`;
}

function factsText(status: Status, detail: Detail): string {
  const { model, profile, mode, tokens, cost, context, branch, changes } = status;
  const isPlanning = profile === 'plan';
  const isShort = detail === 'short';
  const role = isPlanning && detail === 'full' ? 'plan: changes nothing' : visibleLine(profile);
  const percent = `${Math.round(context * 100)}%`;
  const facts = [
    model === 'demo' ? 'demo (no AI)' : visibleLine(isShort ? (model.split('/').at(-1) ?? model) : model),
    ...(isShort && profile === 'build' ? [] : [role]),
    detail === 'full' && !isPlanning ? `${mode}: ${modeHints[mode]}` : mode,
    ...(branch === undefined ? [] : [`⎇ ${visibleLine(isShort ? cutToWidth(branch, shortBranch) : branch)}`]),
    ...(changes === undefined ? [] : [`+${changes.added} −${changes.removed}`]),
    ...(tokens > 0 && !isShort ? [`${shortCount(tokens)} tokens`] : []),
    ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
    isShort ? percent : `${percent} context`,
  ];
  return `  ${facts.join(' · ')}`;
}

const shortBranch = 16;

/** 950, 1.2k, 3.4M. */
export function shortCount(n: number): string {
  if (n < 1000) return String(n);
  return n < 1_000_000 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** In dollars; small sums with more digits. */
export function money(cost: number): string {
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}
