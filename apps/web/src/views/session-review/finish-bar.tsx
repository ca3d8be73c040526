// The bar below a review: counts of marked hunks and comments, and the actions. No action has a shortcut: each takes a click.
import { countFiles, visibleLine } from '@codelab/protocol';
import { GitCommitHorizontal, Send, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { remembered } from '../../remembered.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useReviewWords } from './review-words.ts';
import type { Finish } from './use-finish.ts';
import type { OpenReview } from './use-session-review.ts';

type Props = { open: OpenReview; finish: Finish };

export function FinishBar({ open, finish }: Props) {
  const [dialog, setDialog] = useState<'discard' | 'commit' | undefined>();
  const comments = open.comments.filter(({ text }) => text.trim() !== '').length;
  const close = (): void => setDialog(undefined);
  return (
    <footer className="flex shrink-0 flex-col border-t border-line bg-canvas">
      <Latest finish={finish} />
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <Summary open={open} finish={finish} comments={comments} />
        <DiscardAllButton open={open} finish={finish} onAsk={() => setDialog('discard')} />
        {finish.isBusy && <Spinner />}
        <FinishButtons open={open} finish={finish} comments={comments} onAsk={() => setDialog('commit')} />
      </div>
      <DiscardAll isOpen={dialog === 'discard'} open={open} finish={finish} onClose={close} />
      {dialog === 'commit' && (
        <CommitDialog open={open} comments={comments} finish={finish} onClose={close} />
      )}
    </footer>
  );
}

type CountedProps = Props & { comments: number };

function Summary({ open, finish: { marked, edited }, comments }: CountedProps) {
  const words = useReviewWords();
  return (
    <p className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-small text-muted max-two:basis-full">
      <span role="status" className="min-w-0 truncate tabular-nums">
        {[
          words.counts(countFiles(open.data.files)),
          ...(marked > 0 ? [words.toDiscard(marked)] : []),
          ...(edited > 0 ? [words.edited(edited)] : []),
          ...(comments > 0 ? [words.comments(comments)] : []),
        ].join(' · ')}
      </span>
      {marked === 0 && open.data.files.length > 0 && <span>{words.howToDiscard}</span>}
      {open.data.commit === null && open.data.files.length > 0 && <span>{words.noCommit}</span>}
    </p>
  );
}

/**
 * At the left edge, where no other button comes or goes: a second click at the place of one that has gone must not meet this one.
 */
function DiscardAllButton({ open, finish, onAsk }: Props & { onAsk(): void }) {
  const words = useReviewWords();
  if (open.data.files.length === 0) return null;
  return (
    <Button className="two:order-first" disabled={finish.isBusy} onClick={onAsk}>
      {words.discardAll}
    </Button>
  );
}

type ButtonsProps = CountedProps & { onAsk(): void };

function FinishButtons({ open: { data }, finish, comments, onAsk }: ButtonsProps) {
  const words = useReviewWords();
  const { marked, edited, isBusy } = finish;
  const marks = [
    ...(marked > 0 ? [words.discard(marked)] : []),
    ...(edited > 0 ? [words.apply(edited)] : []),
  ];
  return (
    <div className="ml-auto flex flex-wrap justify-end gap-2">
      {marks.length > 0 && (
        <Button
          tone="danger"
          disabled={isBusy}
          icon={<Trash2 aria-hidden className="size-4" />}
          onClick={finish.discard}
        >
          {marks.join(' · ')}
        </Button>
      )}
      {comments > 0 && (
        <Button
          tone="strong"
          disabled={isBusy}
          title={marks.length > 0 ? words.sendFirst : undefined}
          icon={<Send aria-hidden className="size-4" />}
          onClick={finish.send}
        >
          {words.send(comments)}
        </Button>
      )}
      {data.commit !== null && (
        <Button
          tone={comments > 0 ? 'plain' : 'strong'}
          disabled={isBusy}
          icon={<GitCommitHorizontal aria-hidden className="size-4" />}
          onClick={onAsk}
        >
          {words.commit}
        </Button>
      )}
    </div>
  );
}

/** The result of the latest discard, with a button that undoes it. */
function Latest({ finish: { latest, isBusy, undo, keptHunks } }: { finish: Finish }) {
  const words = useReviewWords();
  if (latest === undefined) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      {latest.paths.length > 0 && <span>{words.done({ ...latest, keptHunks })}</span>}
      {latest.callId !== null && (
        <Button
          size="small"
          disabled={isBusy}
          icon={<Undo2 aria-hidden className="size-3.5" />}
          onClick={undo}
        >
          {words.undo}
        </Button>
      )}
      {latest.refused.length > 0 && (
        <span className="text-bad">
          {words.refused}{' '}
          {latest.refused.map(({ path, why }) => `${visibleLine(path)}: ${visibleLine(why)}`).join(' · ')}
        </span>
      )}
    </div>
  );
}

function DiscardAll({ isOpen, open, finish, onClose }: Props & { isOpen: boolean; onClose(): void }) {
  const words = useReviewWords();
  return (
    <Dialog
      size="small"
      title={words.discardAllTitle}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            tone="danger"
            onClick={() => {
              onClose();
              finish.discardAll();
            }}
          >
            {words.discardAllDo}
          </Button>
        </>
      }
    >
      {words.discardAllText(countFiles(open.data.files))}
    </Dialog>
  );
}

// A commit message that was typed survives a reload.
const messages = remembered<Record<string, string>>('commit-messages', {});

function useCommitMessage(session: string, proposed: string): [string, (text: string) => void] {
  const all = messages.read();
  const [message, setMessage] = useState(() =>
    Object.hasOwn(all, session) ? (all[session] ?? '') : proposed,
  );
  const type = (text: string): void => {
    setMessage(text);
    messages.write({ [session]: text });
  };
  return [message, type];
}

function CommitDialog({ open, comments, finish, onClose }: CountedProps & { onClose(): void }) {
  const words = useReviewWords();
  const { session } = open.scope;
  const [message, setMessage] = useCommitMessage(session, open.data.commit?.message ?? '');
  const paths = (open.data.commit?.paths ?? []).filter((path) => !finish.held.includes(path));
  const commit = (): void => {
    void finish.commit(message).then((isDone) => {
      if (!isDone) return;
      messages.write({});
      onClose();
    });
  };
  return (
    <Dialog
      isOpen
      title={words.commitTitle}
      onClose={onClose}
      footer={
        <>
          <span className="mr-auto self-center text-small text-muted">{words.commitFiles(paths.length)}</span>
          <Button tone="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            tone="strong"
            disabled={finish.isBusy || message.trim() === '' || paths.length === 0}
            onClick={commit}
          >
            {words.commitDo}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <textarea
          data-autofocus
          aria-label={words.commitMessage}
          value={message}
          rows={6}
          maxLength={60_000}
          onChange={({ target }) => setMessage(target.value)}
          className="w-full rounded-base border border-line-strong/60 bg-surface px-2 py-1 font-mono text-small"
        />
        <CommitNotes finish={finish} comments={comments} />
      </div>
    </Dialog>
  );
}

/** Notes on the commit: files it leaves out, and steps to consider before it. */
function CommitNotes({ finish, comments }: Pick<CountedProps, 'finish' | 'comments'>) {
  const words = useReviewWords();
  return (
    <>
      {finish.held.length > 0 && (
        <p role="alert" className="text-small text-warn">
          {words.commitHeld(finish.held.map(visibleLine).join(', '))}
        </p>
      )}
      {finish.marked + finish.edited > 0 && <p className="text-small text-muted">{words.sendFirst}</p>}
      {comments > 0 && <p className="text-small text-warn">{words.commitComments(comments)}</p>}
    </>
  );
}
