// The list of things to do, shown when a call has changed it.
import { latestTodos } from '@codelab/runtime';
import type { Paint } from '../../output/paint.ts';
import type { Chat } from '../chat.ts';
import { todoLines } from './todo-lines.ts';

/** Lines to print after a call of that tool; none when the list is as it was. */
export function createTodoWatch(paint: Paint): (chat: Chat, tool: string) => Promise<string[]> {
  let shown = '';
  return async ({ host, session }, tool) => {
    // Whatever keeps such a list changes nothing else; other calls need no look.
    if (host.tools.get(tool)?.kind !== 'think') return [];
    const list = await latestTodos(await host.session(session));
    const text = JSON.stringify([session, list]);
    if (text === shown || list.length === 0) return [];
    shown = text;
    return todoLines(list, paint);
  };
}
