// The list of a session as it is now: what the latest call that wrote it has said. It is kept nowhere else.
import type { Outcome } from '@codelab/protocol';
import type { Todo, TodoList } from './todo.ts';

type Session = { latest(tool: string): Promise<Extract<Outcome, { status: 'completed' }> | undefined> };

export async function latestTodos(session: Session): Promise<Todo[]> {
  const outcome = await session.latest('todowrite');
  // Only that tool wrote it, and only after its own check.
  return (outcome?.data as TodoList | undefined)?.items ?? [];
}
