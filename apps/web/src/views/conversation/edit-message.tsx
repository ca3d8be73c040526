// An earlier message as it was sent, to be changed and sent again from there, with the choice to undo the files to that point.
import { visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { announceRestoredFiles } from '../../session/changes/follow-files.ts';
import { filesLeft } from '../../session/changes/net-changes.ts';
import type { UserEntry } from '../../session/session-model.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import type { UiTexts } from '../../text/en.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { keepEdit, readEdit } from './composer/drafts.ts';
import { type Restored, sendOnBranch } from './composer/send-on-branch.ts';

type Props = { entry: UserEntry; onEnd(): void };

export function EditMessage({ entry, onEnd }: Props) {
  const words = useText().conversation.act;
  const { text, setText, cancel, send, isSending } = useEdit({ entry, onEnd });
  const [undoesFiles, setUndoesFiles] = useState(true);
  const files = useFilesSince(entry.turn);
  const sendNow = (): void => send(files.length > 0 && undoesFiles);
  return (
    <div className="flex w-full max-w-[85%] flex-col gap-2 rounded-large border border-accent bg-raised p-2">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the field was opened to be typed in.
        autoFocus
        value={text}
        aria-label={words.edit}
        // The old text is selected: typing replaces it.
        onFocus={({ target }) => target.value === entry.text && target.select()}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          sendNow();
        }}
        className="field-sizing-content max-h-[40dvh] min-h-16 w-full resize-none bg-transparent px-1.5 text-read outline-none"
      />
      {files.length > 0 && (
        <Checkbox
          label={words.undoFiles(files.length, namesOf(files))}
          isChecked={undoesFiles}
          onChange={setUndoesFiles}
          className="text-small"
        />
      )}
      <div className="flex items-center justify-end gap-2">
        <Button size="small" tone="quiet" onClick={cancel}>
          {words.cancel}
        </Button>
        <Button size="small" tone="strong" onClick={sendNow} disabled={text.trim() === '' || isSending}>
          {words.sendBranch}
        </Button>
      </div>
    </div>
  );
}

type Edit = {
  text: string;
  setText(text: string): void;
  cancel(): void;
  send(undoesFiles: boolean): void;
  isSending: boolean;
};

/** The edited text is kept until it is sent or given up, because a row that scrolls out of sight is unmounted. */
function useEdit({ entry, onEnd }: Props): Edit {
  const words = useText().conversation.act;
  const { session } = entry.at;
  const [text, show] = useState(() => readEdit(session, entry.key) ?? entry.text);
  const [isSending, setIsSending] = useState(false);
  const setText = (next: string): void => {
    show(next);
    keepEdit(session, entry.key, next);
  };
  const cancel = (): void => {
    keepEdit(session, entry.key, undefined);
    onEnd();
  };
  const send = (undoesFiles: boolean): void => {
    if (text.trim() === '' || isSending) return;
    setIsSending(true);
    sendOnBranch(entry, { text: text.trim(), undoesFiles })
      .then((restored) => {
        cancel();
        tellRestored(restored, words);
      })
      .catch(toastError)
      .finally(() => setIsSending(false));
  };
  return { text, setText, cancel, send, isSending };
}

function useFilesSince(firstTurn: number): string[] {
  // The turn may still run, and change more.
  useSession(({ touched }) => touched.length);
  return filesLeft(useSessionStore.getState().model, (turn) => turn >= firstTurn).map(baseName);
}

const mostNamed = 3;

function namesOf(files: readonly string[]): string {
  const named = files.length > mostNamed ? [...files.slice(0, mostNamed), '…'] : files;
  return named.join(', ');
}

function baseName(path: string): string {
  return visibleLine(path.slice(path.lastIndexOf('/') + 1));
}

/** Says how many files were restored, with a button that redoes their changes. */
function tellRestored({ files, sessions }: Restored, words: UiTexts['conversation']['act']): void {
  if (files === 0) return;
  const redo = async (): Promise<void> => {
    for (const session of sessions) await api.changes.redo(session, {});
    announceRestoredFiles();
  };
  toast(words.restoredFiles(files), {
    action: { label: words.redoFiles, run: () => void redo().catch(toastError) },
  });
}
