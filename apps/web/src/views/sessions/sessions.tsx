// The sessions of this person: search, open, rename, fork and delete.
import type { SearchHit } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Archive, History, Plus, Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { runAction } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { findInConversation } from '../conversation/find/find-store.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { ForkDialog } from './fork-dialog.tsx';
import {
  setSessionQuery,
  showArchive,
  showMoreSessions,
  useFreshSessions,
  useSessionList,
} from './session-list-store.ts';
import { type SessionDialog, SessionRow } from './session-row.tsx';
import { ShareDialog } from './share-dialog.tsx';

export function SessionsView() {
  useFreshSessions();
  const [dialog, setDialog] = useState<SessionDialog | undefined>();
  const close = (): void => {
    const id = dialog?.line.id;
    setDialog(undefined);
    // The menu that opened the dialog is gone, so the row gets the focus back.
    setTimeout(() => id !== undefined && focusRow(id));
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SearchBar />
      <List onDialog={setDialog} />
      {dialog?.type === 'fork' && <ForkDialog line={dialog.line} onClose={close} />}
      {dialog?.type === 'delete' && <DeleteDialog line={dialog.line} onClose={close} />}
      {dialog?.type === 'share' && <ShareDialog line={dialog.line} onClose={close} />}
    </div>
  );
}

function SearchBar() {
  const text = useViewText();
  const query = useSessionList((state) => state.query);
  const isArchive = useSessionList((state) => state.isArchive);
  return (
    <search className="flex shrink-0 items-center gap-1 px-2 pt-1 pb-2">
      <div className="relative min-w-0 flex-1">
        <Search aria-hidden className="absolute top-2 left-2 size-4 text-faint" />
        <input
          type="search"
          value={query}
          aria-label={text.sessions.search}
          placeholder={text.sessions.search}
          onChange={({ target }) => setSessionQuery(target.value)}
          className="h-8 w-full rounded-base border border-line-strong/60 bg-surface pr-2 pl-8 placeholder:text-faint"
        />
      </div>
      <IconButton
        icon={Archive}
        label={text.sessions.showArchive}
        aria-pressed={isArchive}
        isActive={isArchive}
        onClick={() => showArchive(!isArchive)}
      />
      <IconButton
        icon={Plus}
        label={text.frame.newSession}
        shortcut={shortcuts['session.new']}
        onClick={() => runAction('session.new')}
      />
    </search>
  );
}

function List({ onDialog }: { onDialog(dialog: SessionDialog): void }) {
  const text = useViewText();
  const { lines, total, hits, query, isLoaded, problem } = useSessionList();
  if (!isLoaded) return <Spinner label={text.frame.loading} className="m-6" />;
  if (problem !== '' && lines.length === 0) return <p className="p-3 text-bad">{problem}</p>;
  if (lines.length === 0 && hits.length === 0)
    return query === '' ? (
      <EmptyState icon={History} title={text.sessions.none} hint={text.sessions.noneHint} />
    ) : (
      <p className="p-3 text-muted">{text.sessions.noneFound}</p>
    );
  return (
    <ul
      aria-label={text.sessions.list}
      onKeyDown={moveFocus}
      className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2"
    >
      {lines.map((line) => (
        <SessionRow key={line.id} line={line} onDialog={onDialog} />
      ))}
      {hits.length > 0 && (
        <li className="px-2 pt-3 pb-1 text-tiny font-medium text-muted">{text.sessions.inMessages}</li>
      )}
      {hits.map((hit) => (
        <Hit key={`${hit.session_id} ${hit.seq}`} hit={hit} />
      ))}
      {lines.length < total && (
        <li className="p-1">
          <Button size="small" tone="quiet" onClick={showMoreSessions}>
            {text.sessions.more}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Hit({ hit: { session_id: id, title, excerpt, role } }: { hit: SearchHit }) {
  const text = useViewText();
  return (
    <li>
      <button
        type="button"
        data-open-session={id}
        onClick={() => {
          openSession(id);
          if (role === 'title') showView('conversation');
          else findInConversation(useSessionList.getState().query);
        }}
        className="w-full rounded-base px-2 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="line-clamp-2 wrap-anywhere">{visibleLine(excerpt)}</span>
        <span className="block truncate text-small text-muted">
          {role === 'user' ? text.conversation.you : text.conversation.agent} · {visibleLine(title)}
        </span>
      </button>
    </li>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-open-session]')];
  const at = rows.indexOf(event.target);
  if (at === -1) return;
  event.preventDefault();
  rows[at + step]?.focus();
}

function focusRow(id: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-open-session]')];
  rows.find((row) => row.dataset.openSession === id)?.focus();
}
