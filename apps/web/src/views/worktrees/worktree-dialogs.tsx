// Merging the branch of a session's worktree, and dropping the worktree. Each dialog shows the gateway's present view of it.
import type { WorktreeView } from '@codelab/api';
import { ApiError } from '@codelab/client';
import { visibleLine } from '@codelab/protocol';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { announceRestoredFiles } from '../../session/changes/follow-files.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { loadSessions } from '../sessions/session-list-store.ts';
import { closeWorktreeDialog, useWorktreeDialog } from './worktree-store.ts';
import { useWorktreeWords } from './worktree-words.ts';

export function WorktreeDialogs() {
  const dialog = useWorktreeDialog((state) => state.dialog);
  if (dialog?.type === 'merge') return <MergeDialog session={dialog.session} />;
  return dialog?.type === 'drop' ? <DropDialog session={dialog.session} /> : null;
}

type Props = { session: string };

function MergeDialog({ session }: Props) {
  const words = useWorktreeWords();
  const { view, problem, isBusy, run } = useWorktree(session);
  const [message, setMessage] = useState('');
  const { branch = null, into = null, files = [], commits = [] } = view ?? {};
  const isEmpty = files.length + commits.length === 0;
  const ready = branch === null || into === null ? undefined : { branch, into };
  const about =
    ready === undefined
      ? words.noBranch
      : isEmpty
        ? words.nothing(ready.into)
        : words.mergeAbout(ready.branch, ready.into);
  const lacksMessage = files.length > 0 && message.trim() === '';
  const merge = async (): Promise<void> => {
    const commit = files.length > 0 && { message: message.trim() };
    const done = await api.worktrees.merge(session, { ...(into !== null && { into }), ...commit });
    toast(words.merged(done.branch, done.into));
  };
  return (
    <Frame
      title={words.mergeTitle}
      problem={problem}
      view={view}
      action={
        into !== null && (
          <Button
            tone="strong"
            disabled={isBusy || branch === null || isEmpty || lacksMessage}
            onClick={() => void run(merge)}
          >
            {words.mergeInto(into)}
          </Button>
        )
      }
    >
      <p className="wrap-anywhere">{about}</p>
      <Names title={words.commits(commits.length, into ?? '')} names={commits} />
      <Names title={words.uncommitted(files.length)} names={files} />
      {files.length > 0 && <CommitMessage message={message} onChange={setMessage} />}
      <Conflicts problem={problem} into={into ?? ''} />
    </Frame>
  );
}

function CommitMessage({ message, onChange }: { message: string; onChange(message: string): void }) {
  const words = useWorktreeWords();
  return (
    <TextField
      label={words.message}
      hint={words.messageHint}
      value={message}
      maxLength={10_000}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function DropDialog({ session }: Props) {
  const words = useWorktreeWords();
  const { gone } = useViewText().sessions.worktree;
  const { view, problem, isBusy, run } = useWorktree(session);
  const [deletesBranch, setDeletesBranch] = useState(false);
  const { branch = null, path = '', files = [], ignored = [], commits = [], print } = view ?? {};
  const losesCommits = deletesBranch || branch === null;
  const drop = async (): Promise<void> => {
    await api.worktrees.drop(session, { print, delete_branch: deletesBranch });
    toast(gone.dropped);
  };
  return (
    <Frame
      title={words.dropTitle}
      problem={problem}
      view={view}
      action={
        <Button tone="danger" disabled={isBusy || view === undefined} onClick={() => void run(drop)}>
          {words.dropYes}
        </Button>
      }
    >
      <p className="wrap-anywhere">{words.dropAbout(path)}</p>
      {files.length + ignored.length + commits.length === 0 && <p>{words.nothingLost}</p>}
      <Names isLost title={words.filesLost(files.length)} names={files} />
      <Names isLost title={words.ignoredLost(ignored.length)} names={ignored} />
      <Names
        isLost={losesCommits}
        title={
          losesCommits ? words.commitsLost(commits.length) : words.commitsKept(commits.length, branch ?? '')
        }
        names={commits}
      />
      {branch !== null && (
        <Checkbox label={words.deleteBranch(branch)} isChecked={deletesBranch} onChange={setDeletesBranch} />
      )}
    </Frame>
  );
}

type FrameProps = {
  title: string;
  view: WorktreeView | undefined;
  problem: ApiError | undefined;
  action: ReactNode;
  children: ReactNode;
};

function Frame({ title, view, problem, action, children }: FrameProps) {
  const text = useViewText();
  const words = useWorktreeWords();
  const isLoss = problem?.details?.reason === 'worktree_loss';
  return (
    <Dialog
      isOpen
      title={title}
      onClose={closeWorktreeDialog}
      footer={
        <>
          <Button data-autofocus onClick={closeWorktreeDialog}>
            {text.sessions.cancel}
          </Button>
          {action}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {view === undefined ? problem === undefined && <Spinner label={text.frame.loading} /> : children}
        {problem !== undefined && problem.details?.reason !== 'conflict' && (
          <p role="alert" className="text-bad wrap-anywhere">
            {isLoss ? words.changed : problem.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Conflicts({ problem, into }: { problem: ApiError | undefined; into: string }) {
  const words = useWorktreeWords();
  if (problem?.details?.reason !== 'conflict') return null;
  const { files } = problem.details;
  return (
    <div role="alert" className="flex flex-col gap-1">
      <Names isLost title={words.conflicts} names={Array.isArray(files) ? files.map(String) : []} />
      <p className="text-muted">{words.conflictHint(into)}</p>
    </div>
  );
}

const mostShown = 20;

function Names({
  title,
  names,
  isLost = false,
}: {
  title: string;
  names: readonly string[];
  isLost?: boolean;
}) {
  const words = useWorktreeWords();
  if (names.length === 0) return null;
  return (
    <div>
      <p className={isLost ? 'font-medium text-bad' : 'font-medium'}>{title}</p>
      <ul className="mt-1 max-h-40 overflow-auto rounded-base border border-line bg-surface px-2 py-1 font-mono text-small">
        {names.slice(0, mostShown).map((name) => (
          <li key={name} className="wrap-anywhere">
            {visibleLine(name)}
          </li>
        ))}
        {names.length > mostShown && <li className="text-muted">{words.more(names.length - mostShown)}</li>}
      </ul>
    </div>
  );
}

/** How the worktree stands, read again after a refusal; `run` closes the dialog when it succeeds. */
function useWorktree(session: string) {
  const [view, setView] = useState<WorktreeView | undefined>();
  const [problem, setProblem] = useState<ApiError | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const read = useCallback(
    (signal?: AbortSignal): Promise<void> =>
      api.worktrees.get(session, signal).then(setView, (error: unknown) => {
        if (!signal?.aborted) setProblem(asApiError(error));
      }),
    [session],
  );
  useEffect(() => {
    const ending = new AbortController();
    void read(ending.signal);
    return () => ending.abort();
  }, [read]);
  const run = async (act: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await act();
      closeWorktreeDialog();
      announceRestoredFiles();
      await loadSessions();
    } catch (error) {
      setProblem(asApiError(error));
      await read();
      setIsBusy(false);
    }
  };
  return { view, problem, isBusy, run };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ code: 'INTERNAL', message: String(error), status: 0 });
}
