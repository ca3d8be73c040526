// A todo list in an outcome. Recognized by its shape, so that no tool has to be known by name.
import type { TodoItem } from './session-model.ts';

const statuses: readonly string[] = ['pending', 'in_progress', 'completed', 'cancelled'];

export function readTodos(data: Record<string, unknown>): readonly TodoItem[] | undefined {
  const { items, in_progress: underWay, count } = data;
  if (!Array.isArray(items) || typeof underWay !== 'number' || typeof count !== 'number') return undefined;
  return items.every(isTodo) ? items : undefined;
}

function isTodo(item: unknown): item is TodoItem {
  if (typeof item !== 'object' || item === null) return false;
  const { id, content, status } = item as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    typeof content === 'string' &&
    typeof status === 'string' &&
    statuses.includes(status)
  );
}
