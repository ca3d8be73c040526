// The agent's list of things to do, as it stands now.
import { visibleLine } from '@codelab/protocol';
import { Circle, CircleCheck, CircleDot, CircleSlash, ListTodo, type LucideIcon } from 'lucide-react';
import type { TodoItem } from '../../session/session-model.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/spinner.tsx';

const looks: Record<TodoItem['status'], { icon: LucideIcon; color: string }> = {
  pending: { icon: Circle, color: 'text-faint' },
  in_progress: { icon: CircleDot, color: 'text-accent' },
  completed: { icon: CircleCheck, color: 'text-good' },
  cancelled: { icon: CircleSlash, color: 'text-faint' },
};

export function TodoView() {
  const words = useText().todo;
  const todos = useSession((model) => model.todos);
  if (todos.length === 0) return <EmptyState icon={ListTodo} title={words.none} hint={words.noneHint} />;
  const wanted = todos.filter(({ status }) => status !== 'cancelled');
  const done = wanted.filter(({ status }) => status === 'completed').length;
  return (
    <section aria-label={words.name} className="flex flex-col gap-3 p-3">
      <div>
        <p role="status" className="pb-1 text-small text-muted">
          {words.progress(done, wanted.length)}
        </p>
        <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
          <div
            className="h-full rounded-full bg-good transition-[width]"
            style={{ width: `${(100 * done) / Math.max(1, wanted.length)}%` }}
          />
        </div>
      </div>
      <ul aria-label={words.list} className="flex flex-col gap-1">
        {todos.map((todo) => (
          <TodoLine key={todo.id} todo={todo} />
        ))}
      </ul>
    </section>
  );
}

function TodoLine({ todo: { content, status, priority } }: { todo: TodoItem }) {
  const words = useText().todo;
  const { icon: Icon, color } = looks[status];
  const isOver = status === 'completed' || status === 'cancelled';
  return (
    <li
      className={cx(
        'flex items-start gap-2 rounded-base border px-2.5 py-2',
        status === 'in_progress' ? 'border-accent/40 bg-accent-soft' : 'border-line bg-raised',
      )}
    >
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', color)} />
      <span className="sr-only">{words.status[status]}:</span>
      <span className={cx('min-w-0 flex-1 wrap-anywhere', isOver && 'text-muted line-through')}>
        {visibleLine(content)}
      </span>
      {priority === 'high' && !isOver && <Badge tone="warn">{words.priority[priority]}</Badge>}
    </li>
  );
}
