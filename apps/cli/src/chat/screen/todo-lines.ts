// A list of things to do, one line each.
import { visibleLine } from '@codelab/protocol';
import type { Todo } from '@codelab/runtime';
import type { Paint, Style } from '../../output/paint.ts';

const looks: Record<Todo['status'], { sign: string; style: Style }> = {
  pending: { sign: '☐', style: 'reset' },
  in_progress: { sign: '▶', style: ['bold', 'cyan'] },
  completed: { sign: '☑', style: 'dim' },
  cancelled: { sign: '☒', style: ['dim', 'strikethrough'] },
};

export function todoLines(list: readonly Todo[], paint: Paint): string[] {
  return list.map(({ content, status }) => {
    const { sign, style } = looks[status];
    return `  ${paint(style, `${sign} ${visibleLine(content)}`)}`;
  });
}
