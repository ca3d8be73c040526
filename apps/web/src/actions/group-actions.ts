// The palette's list: by groups while nothing is typed, what was used lately above them; by how well it fits afterwards.
import type { Action } from './actions.ts';
import { rankActions } from './rank-actions.ts';

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
