// The palette's list: recently used actions and groups while the field is empty; afterwards sorted by relevance.
import type { Action } from './actions.ts';

export type ActionGroup = { name: Action['group'] | 'recent' | 'found'; actions: readonly Action[] };

const order: readonly Action['group'][] = ['session', 'go', 'view', 'help', 'other'];

export function groupActions(
  actions: readonly Action[],
  query: string,
  recent: readonly string[],
): ActionGroup[] {
  if (query.trim() !== '') return [{ name: 'found', actions: rankActions(actions, query, recent) }];
  const lately = recent.flatMap((id) => actions.find((action) => action.id === id) ?? []);
  const groups: ActionGroup[] = [
    { name: 'recent', actions: lately },
    ...order.map((name) => ({
      name,
      actions: actions.filter((action) => action.group === name && !lately.includes(action)),
    })),
  ];
  return groups.filter((group) => group.actions.length > 0);
}

/** All words must occur; labels that begin with one come first, and of equals what was used lately. */
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
