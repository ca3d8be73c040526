// One session in the list: its name, how it stands, and what can be done with it.
import type { Session } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Copy, Ellipsis, GitFork, Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { showView } from '../../layout/show-view.ts';
import { openSession, useCurrentSession } from '../../session/current-session.ts';
import { dateTime, relativeTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { toastError } from '../../ui/toast.tsx';
import { forkSession } from './fork-session.ts';
import { RenameField } from './rename-field.tsx';
import type { SessionDialog } from './session-dialog.ts';

type Props = { line: Session; onDialog(dialog: SessionDialog): void };

export function SessionRow({ line, onDialog }: Props) {
  const text = useText();
  const isCurrent = useCurrentSession() === line.id;
  const [isNaming, setIsNaming] = useState(false);
  const title = line.title === '' ? text.sessions.untitled : visibleLine(line.title);
  const items = useItems(line, onDialog, () => setIsNaming(true));
  return (
    <li
      className={cx(
        'group relative flex items-start gap-1 rounded-base pr-1',
        isCurrent ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      {isNaming ? (
        <RenameField line={line} onClose={() => setIsNaming(false)} />
      ) : (
        <button
          type="button"
          data-open-session={line.id}
          aria-current={isCurrent ? 'page' : undefined}
          onClick={() => {
            openSession(line.id);
            showView('conversation');
          }}
          onKeyDown={({ key }) => {
            if (key === 'F2') setIsNaming(true);
            if (key === 'Delete') onDialog({ type: 'delete', line });
          }}
          className="min-w-0 flex-1 rounded-base px-2 py-1.5 text-left focus-visible:-outline-offset-2"
        >
          <span className="flex items-center gap-1.5">
            <Dot line={line} />
            <span className={cx('min-w-0 flex-1 truncate', isCurrent && 'font-medium')}>{title}</span>
          </span>
          <Meta line={line} />
        </button>
      )}
      <Menu
        align="end"
        label={text.sessions.menu(title)}
        items={items}
        trigger={
          <IconButton icon={Ellipsis} label={text.sessions.menu(title)} size="small" className="mt-1.5" />
        }
      />
    </li>
  );
}

function useItems(line: Session, onDialog: Props['onDialog'], onRename: () => void): readonly MenuItem[] {
  const words = useText().sessions;
  const icon = (Icon: typeof Copy) => <Icon aria-hidden className="size-4 text-muted" />;
  return [
    { id: 'rename', label: words.rename, icon: icon(Pencil), shortcut: 'F2', onSelect: onRename },
    {
      id: 'fork',
      label: words.fork,
      hint: words.forkHint,
      icon: icon(Copy),
      onSelect: () => void forkSession(line).catch(toastError),
    },
    {
      id: 'fork-from',
      label: words.forkFrom,
      icon: icon(GitFork),
      onSelect: () => onDialog({ type: 'fork', line }),
    },
    ...(line.pending_approvals > 0
      ? [
          {
            id: 'share',
            label: words.share,
            icon: icon(Share2),
            onSelect: () => onDialog({ type: 'share', line }),
          },
        ]
      : []),
    {
      id: 'delete',
      label: words.remove,
      icon: <Trash2 aria-hidden className="size-4" />,
      shortcut: 'Delete',
      isDanger: true,
      onSelect: () => onDialog({ type: 'delete', line }),
    },
  ];
}

const dots: Readonly<Record<string, string>> = {
  thinking: 'bg-accent animate-pulse',
  executing_tool: 'bg-accent animate-pulse',
  waiting_approval: 'bg-warn',
  error: 'bg-bad',
};

function Dot({ line }: { line: Session }) {
  const status = line.pending_approvals > 0 ? 'waiting_approval' : (line.status ?? 'idle');
  return (
    <span aria-hidden className={cx('size-2 shrink-0 rounded-full', dots[status] ?? 'bg-line-strong/60')} />
  );
}

function Meta({ line }: { line: Session }) {
  const text = useText();
  const when = line.updated_at === null ? undefined : Date.parse(line.updated_at);
  const status = line.status as keyof typeof text.frame.status | undefined;
  const isBusy = status !== undefined && status !== 'idle' && status !== 'waiting_approval';
  return (
    <span className="mt-0.5 flex flex-wrap items-center gap-x-2 pl-3.5 text-small text-muted">
      {when !== undefined && <time title={dateTime(when)}>{relativeTime(when)}</time>}
      <span>{text.sessions.turns(line.turns)}</span>
      {isBusy && <span>{text.frame.status[status]}</span>}
      {line.pending_approvals > 0 && (
        <Badge tone="warn">{text.sessions.waiting(line.pending_approvals)}</Badge>
      )}
    </span>
  );
}
