// What can be done with a message: copy, quote, edit and send again on a branch, retry; and going from branch to branch.
import { visibleLine } from '@codelab/protocol';
import { ChevronLeft, ChevronRight, Copy, Pencil, Quote, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { siblingsAt, useBranches } from '../../session/branches.ts';
import { filesLeft } from '../../session/changes/net-changes.ts';
import { openSession } from '../../session/current-session.ts';
import { quoteText } from '../../session/mention-file.ts';
import type { Entry, LogPlace } from '../../session/session-model.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import type { UiTexts } from '../../text/en.ts';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { keepEdit, readEdit } from './composer/drafts.ts';
import { type Restored, sendOnBranch } from './composer/send-message.ts';

type UserEntry = Extract<Entry, { kind: 'user' }>;

/** Out of the way until the message is pointed at or one of them has the focus; a touch screen shows them always. */
const look =
  'flex items-center gap-0.5 opacity-0 transition-opacity group-hover/message:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100';
/** Where a pointer can be over the message, they lie over its lower edge and take no room. */
const overEdge =
  'pointer-fine:absolute pointer-fine:right-0 pointer-fine:-bottom-3 pointer-fine:z-10 pointer-fine:rounded-base pointer-fine:border pointer-fine:border-line pointer-fine:bg-raised';

export function UserActions({ entry, onEdit }: { entry: UserEntry; onEdit(): void }) {
  const words = useText().conversation.act;
  return (
    <div className={look}>
      <CopyButton text={entry.text} />
      <IconButton size="small" icon={Pencil} label={words.edit} onClick={onEdit} />
    </div>
  );
}

export function AnswerActions({ text, turn }: { text: string; turn: number }) {
  const words = useText().conversation.act;
  const question = useSession(({ entries }) =>
    entries.findLast((entry) => entry.kind === 'user' && entry.turn === turn && !entry.isSteering),
  );
  const isIdle = useSession(({ status }) => status === 'idle' || status === 'error');
  const retry = (): void => {
    if (question?.kind === 'user')
      void sendOnBranch(question, { text: question.text, undoesFiles: false }).catch(toastError);
  };
  return (
    <div className={cx(look, overEdge)}>
      <CopyButton text={text} />
      <IconButton size="small" icon={Quote} label={words.quote} onClick={() => quoteText(text)} />
      {question !== undefined && isIdle && (
        <IconButton size="small" icon={RotateCcw} label={words.retry} onClick={retry} />
      )}
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const words = useText().conversation;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(() => toast(words.copied), toastError);
  };
  return <IconButton size="small" icon={Copy} label={words.act.copy} onClick={copy} />;
}

/** The message as it was said, to be changed and sent again from there. */
export function EditMessage({ entry, onEnd }: { entry: UserEntry; onEnd(): void }) {
  const words = useText().conversation;
  const { session } = entry.at;
  const [text, show] = useState(() => readEdit(session, entry.key) ?? entry.text);
  const setText = (next: string): void => {
    show(next);
    keepEdit(session, entry.key, next);
  };
  const end = (): void => {
    keepEdit(session, entry.key, undefined);
    onEnd();
  };
  const [undoesFiles, setUndoesFiles] = useState(true);
  const [isSending, setIsSending] = useState(false);
  const files = useFilesSince(entry.turn);
  const send = (): void => {
    if (text.trim() === '' || isSending) return;
    setIsSending(true);
    sendOnBranch(entry, { text: text.trim(), undoesFiles: files.length > 0 && undoesFiles })
      .then((restored) => {
        end();
        tellRestored(restored, words.act);
      })
      .catch(toastError)
      .finally(() => setIsSending(false));
  };
  return (
    <div className="flex w-full max-w-[85%] flex-col gap-2 rounded-large border border-accent bg-raised p-2">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it was opened to be typed in.
        autoFocus
        value={text}
        aria-label={words.act.edit}
        // The old text is selected: typing replaces it.
        onFocus={({ target }) => target.value === entry.text && target.select()}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="field-sizing-content max-h-[40dvh] min-h-16 w-full resize-none bg-transparent px-1.5 text-read outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {files.length > 0 && (
          <Checkbox
            label={words.act.undoFiles(files.length, namesOf(files))}
            isChecked={undoesFiles}
            onChange={setUndoesFiles}
            className="mr-auto text-small"
          />
        )}
        <Button size="small" tone="quiet" onClick={end}>
          {words.act.cancel}
        </Button>
        <Button size="small" tone="strong" onClick={send} disabled={text.trim() === '' || isSending}>
          {words.act.sendBranch}
        </Button>
      </div>
    </div>
  );
}

function useFilesSince(turn: number): string[] {
  // The turn may still run, and change more.
  useSession(({ touched }) => touched.length);
  return filesLeft(useSessionStore.getState().model, (one) => one >= turn).map(baseName);
}

const mostNamed = 3;

function namesOf(files: readonly string[]): string {
  const named = files.length > mostNamed ? [...files.slice(0, mostNamed), '…'] : files;
  return named.join(', ');
}

function baseName(path: string): string {
  return visibleLine(path.slice(path.lastIndexOf('/') + 1));
}

/** What was undone with it, with the way back. */
function tellRestored({ files, sessions }: Restored, words: UiTexts['conversation']['act']): void {
  if (files === 0) return;
  const redo = async (): Promise<void> => {
    for (const session of sessions) await api.changes.redo(session, {});
  };
  toast(words.restoredFiles(files), {
    action: { label: words.redoFiles, run: () => void redo().catch(toastError) },
  });
}

/** From one branch to the next, where several go on from here. */
export function BranchSwitch({ entry }: { entry: UserEntry }) {
  const words = useText().conversation.act;
  const current = useSession(({ id }) => id);
  const all = useBranches((state) => state.all);
  const { ids, at } = branchesHere(all, entry, current);
  if (ids.length < 2) return null;
  const go = (step: number): void => openSession(ids[(at + step + ids.length) % ids.length] ?? current);
  return (
    <div className="flex items-center gap-0.5 text-tiny text-muted">
      <IconButton size="small" icon={ChevronLeft} label={words.previousBranch} onClick={() => go(-1)} />
      <span>{words.branchOf(at + 1, ids.length)}</span>
      <IconButton size="small" icon={ChevronRight} label={words.nextBranch} onClick={() => go(1)} />
    </div>
  );
}

function branchesHere(
  all: ReturnType<typeof useBranches.getState>['all'],
  { at }: UserEntry,
  current: string,
): { ids: readonly string[]; at: number } {
  const before: LogPlace = { session: at.session, seq: at.seq - 1 };
  const here = siblingsAt(all, before);
  if (here.length > 0) return { ids: here, at: Math.max(0, here.indexOf(at.session)) };
  // The first message of a branch stands where the original went another way.
  const { entries, origin } = useSessionStore.getState().model;
  const first = entries.find((entry) => entry.kind === 'user' && entry.at.session === current);
  if (origin === undefined || first?.kind !== 'user' || first.at.seq !== at.seq || at.session !== current)
    return { ids: [], at: 0 };
  const ids = siblingsAt(all, origin);
  return { ids, at: Math.max(0, ids.indexOf(current)) };
}
