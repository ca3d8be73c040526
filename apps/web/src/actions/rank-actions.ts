// Which actions fit what was typed: all words must occur, those that begin the label come first, and of equals what was used lately.
import type { Action } from './actions.ts';

export function rankActions(
  actions: readonly Action[],
  query: string,
  recent: readonly string[] = [],
): Action[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return actions
    .map((action) => ({ action, rank: rankOf(`${action.label} ${action.id}`.toLowerCase(), words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted(
      (a, b) =>
        b.rank - a.rank ||
        placeOf(a.action, recent) - placeOf(b.action, recent) ||
        a.action.label.localeCompare(b.action.label),
    )
    .map(({ action }) => action);
}

function rankOf(label: string, words: readonly string[]): number {
  if (!words.every((word) => label.includes(word))) return 0;
  return 1 + words.filter((word) => label.startsWith(word) || label.includes(` ${word}`)).length;
}

function placeOf({ id }: Action, recent: readonly string[]): number {
  const place = recent.indexOf(id);
  return place < 0 ? recent.length : place;
}
