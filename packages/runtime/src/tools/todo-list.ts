// The todo list of a session: written whole each time, with at most one item in progress.

import type { Outcome } from '@codelab/protocol';
import * as z from 'zod/mini';

export const todoStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export const todoPriorities = ['high', 'medium', 'low'] as const;

export const Todo = () =>
  z.strictObject({
    id: z.string(),
    content: z.string(),
    status: z.enum(todoStatuses),
    priority: z.enum(todoPriorities),
  });
export type Todo = z.infer<ReturnType<typeof Todo>>;

export const TodoList = () =>
  z.strictObject({ session_id: z.string(), items: z.array(Todo()), count: z.int(), in_progress: z.int() });
export type TodoList = z.infer<ReturnType<typeof TodoList>>;

export function todoList(session: string, items: Todo[]): TodoList {
  const underWay = items.filter(({ status }) => status === 'in_progress').length;
  return { session_id: session, items, count: items.length, in_progress: underWay };
}

/** The list as the model reads it. */
export function tellTodos({ items }: Pick<TodoList, 'items'>): string {
  if (items.length === 0) return 'The list is empty.';
  const marks = { pending: ' ', in_progress: '>', completed: 'x', cancelled: '-' };
  return items
    .map(({ id, content, status, priority }) => {
      const weight = priority === 'medium' ? '' : ` (${priority})`;
      return `[${marks[status]}] ${id}. ${content}${weight}`;
    })
    .join('\n');
}

/** The list of a session now: the result of the latest call that wrote it. The log is the only place that has it. */
type Session = { latest(tool: string): Promise<Extract<Outcome, { status: 'completed' }> | undefined> };

export async function latestTodos(session: Session): Promise<Todo[]> {
  const outcome = await session.latest('todowrite');
  // Only this tool writes the list, and only after checking it.
  return (outcome?.data as TodoList | undefined)?.items ?? [];
}
