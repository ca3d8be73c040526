// A session in the list: its title, its state, and its menu.
import type { Session } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Ellipsis,
  GitBranch,
  GitFork,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { openSession, useCurrentSession } from '../../session/current-session.ts';
import type { ViewTexts } from '../../text/en-views.ts';
import { dateTime, relativeTime } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { toastError } from '../../ui/toast.tsx';
import { worktreeItems } from '../worktrees/worktree-store.ts';
import { openFork } from './fork-dialog.tsx';
import { RenameField } from './rename-field.tsx';
import { loadSessions } from './session-list-store.ts';

/** Which question about which session is open. */
export type SessionDialog = { type: 'fork' | 'delete' | 'share'; line: Session };

type Props = { line: Session; onDialog(dialog: SessionDialog): void };

export function SessionRow({ line, onDialog }: Props) {
  const text = useViewText();
  const isCurrent = useCurrentSession() === line.id;
  const [isNaming, setIsNaming] = useState(false);
  const title = line.title === '' ? text.sessions.untitled : visibleLine(line.title);
  const rename = (): void => setIsNaming(true);
  const items = useItems(line, onDialog, rename);
  return (
    <li
      className={cx(
        'group relative flex items-start gap-1 rounded-base pr-1',
        isCurrent
          ? 'bg-selected before:absolute before:inset-y-1.5 before:left-0 before:w-0.5 before:rounded-full before:bg-accent'
          : 'hover:bg-hover',
      )}
    >
      {isNaming ? (
        <RenameField line={line} onClose={() => setIsNaming(false)} />
      ) : (
        <OpenButton line={line} title={title} isCurrent={isCurrent} onDialog={onDialog} onRename={rename} />
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

type OpenProps = Props & { title: string; isCurrent: boolean; onRename(): void };

function OpenButton({ line, title, isCurrent, onDialog, onRename }: OpenProps) {
  const words = useViewText().sessions;
  return (
    <button
      type="button"
      data-open-session={line.id}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => {
        openSession(line.id);
        showView('conversation');
      }}
      onKeyDown={({ key }) => {
        if (key === 'F2') onRename();
        if (key === 'Delete') onDialog({ type: 'delete', line });
      }}
      className="min-w-0 flex-1 rounded-base px-2 py-1.5 text-left focus-visible:-outline-offset-2"
    >
      <span className="flex items-center gap-1.5">
        <Dot line={line} />
        <span className={cx('min-w-0 flex-1 truncate', isCurrent && 'font-medium')}>{title}</span>
        {line.pinned && <Pin aria-label={words.pinned} className="size-3 shrink-0 text-muted" />}
      </span>
      <Meta line={line} />
    </button>
  );
}

function useItems(line: Session, onDialog: Props['onDialog'], onRename: () => void): readonly MenuItem[] {
  const words = useViewText().sessions;
  return [
    { id: 'rename', label: words.rename, icon: icon(Pencil), shortcut: 'F2', onSelect: onRename },
    {
      id: 'pin',
      label: line.pinned ? words.unpin : words.pin,
      icon: icon(line.pinned ? PinOff : Pin),
      onSelect: () => void mark(line, { pinned: !line.pinned }),
    },
    {
      id: 'archive',
      label: line.archived ? words.unarchive : words.archive,
      icon: icon(line.archived ? ArchiveRestore : Archive),
      onSelect: () => void mark(line, { archived: !line.archived }),
    },
    ...forkItems(line, words, onDialog),
    ...(line.worktree?.state === 'present' ? worktreeItems(line.id, words.worktree) : []),
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

function forkItems(line: Session, words: ViewTexts['sessions'], onDialog: Props['onDialog']): MenuItem[] {
  return [
    {
      id: 'fork',
      label: words.fork,
      hint: words.forkHint,
      icon: icon(Copy),
      onSelect: () => void openFork(line).catch(toastError),
    },
    {
      id: 'fork-from',
      label: words.forkFrom,
      icon: icon(GitFork),
      onSelect: () => onDialog({ type: 'fork', line }),
    },
  ];
}

function icon(Icon: typeof Copy) {
  return <Icon aria-hidden className="size-4 text-muted" />;
}

async function mark({ id }: Session, change: { pinned?: boolean; archived?: boolean }): Promise<void> {
  await api.sessions.update(id, change).then(loadSessions, toastError);
}

const dots: Readonly<Record<string, string>> = {
  running: 'bg-accent animate-pulse',
  waiting: 'bg-warn',
  interrupted: 'bg-warn',
  failed: 'bg-bad',
};

function Dot({ line }: { line: Session }) {
  return (
    <span
      aria-hidden
      className={cx('size-2 shrink-0 rounded-full', dots[line.state] ?? 'bg-line-strong/60')}
    />
  );
}

function Meta({ line }: { line: Session }) {
  const text = useViewText();
  const when = line.updated_at === null ? undefined : Date.parse(line.updated_at);
  return (
    <span className="mt-0.5 flex flex-wrap items-center gap-x-2 pl-3.5 text-small text-muted">
      {when !== undefined && <time title={dateTime(when)}>{relativeTime(when)}</time>}
      <span>{text.sessions.turns(line.turns)}</span>
      {line.state !== 'idle' && line.state !== 'waiting' && (
        <Badge tone={line.state === 'running' ? 'accent' : 'bad'}>{text.sessions.state[line.state]}</Badge>
      )}
      {line.forked_from !== null && <GitFork aria-label={text.sessions.branch} className="size-3" />}
      {line.worktree !== null && <WorktreeMark worktree={line.worktree} />}
      {line.queued > 0 && <span>{text.sessions.queued(line.queued)}</span>}
      {line.pending_approvals > 0 && (
        <Badge tone="warn">{text.sessions.waiting(line.pending_approvals)}</Badge>
      )}
    </span>
  );
}

function WorktreeMark({ worktree }: { worktree: NonNullable<Session['worktree']> }) {
  const words = useViewText().sessions.worktree;
  const { branch, state, path, merged_into: into } = worktree;
  const stateText = state === 'present' ? (into === null ? '' : words.mergedInto(into)) : words.state[state];
  return (
    <span title={`${words.name}: ${path}`} className="flex min-w-0 flex-wrap items-center gap-x-1">
      <GitBranch aria-label={words.name} className="size-3 shrink-0" />
      <span className="truncate">{visibleLine(branch)}</span>
      {stateText !== '' && <Badge tone={state === 'missing' ? 'bad' : 'plain'}>{stateText}</Badge>}
    </span>
  );
}
