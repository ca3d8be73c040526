// How many things are left to do.
import { useSession } from '../../session/session-store.ts';

export function useTodoCount(): number {
  return useSession(
    ({ todos }) => todos.filter(({ status }) => status === 'pending' || status === 'in_progress').length,
  );
}
