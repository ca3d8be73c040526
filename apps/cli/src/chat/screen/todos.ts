// The todo list, shown when a call has changed it.

import { visibleLine } from '@codelab/protocol';
import { latestTodos, type Todo } from '@codelab/runtime';
import type { Paint, Style } from '../../output/paint.ts';
import type { TerminalChat } from '../chat.ts';

/** The lines to print after a call of that tool; none when the list is unchanged. */
export function createTodoWatch(paint: Paint): (chat: TerminalChat, tool: string) => Promise<string[]> {
  let lastText = '';
  return async ({ host, session }, tool) => {
    // A tool that keeps todos changes no files, so other calls need no look.
    if (host.tools.get(tool)?.kind !== 'think') return [];
    const list = await latestTodos(await host.session(session));
    const text = JSON.stringify([session, list]);
    if (text === lastText || list.length === 0) return [];
    lastText = text;
    return todoLines(list, paint);
  };
}

/** A todo list, one line each. */
const statusStyles: Record<Todo['status'], { sign: string; style: Style }> = {
  pending: { sign: '☐', style: 'reset' },
  in_progress: { sign: '▶', style: ['bold', 'cyan'] },
  completed: { sign: '☑', style: 'dim' },
  cancelled: { sign: '☒', style: ['dim', 'strikethrough'] },
};

export function todoLines(list: readonly Todo[], paint: Paint): string[] {
  return list.map(({ content, status }) => {
    const { sign, style } = statusStyles[status];
    return `  ${paint(style, `${sign} ${visibleLine(content)}`)}`;
  });
}
