// Below a review: what is marked and commented, and what one does with it. Nothing here has a key of its own: it takes a press of its button.
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
  const words = useReviewWords();
  const [asked, setAsked] = useState<'all' | 'commit' | undefined>();
  const { marked, edited, isBusy } = finish;
  const applied = [
    ...(marked > 0 ? [words.discard(marked)] : []),
    ...(edited > 0 ? [words.apply(edited)] : []),
  ];
  const comments = open.comments.filter(({ text }) => text.trim() !== '').length;
  const close = (): void => setAsked(undefined);
  return (
    <footer className="flex shrink-0 flex-col border-t border-line bg-canvas">
      <Latest finish={finish} />
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <span
          role="status"
          className="min-w-0 flex-1 truncate text-small text-muted tabular-nums max-two:basis-full"
        >
          {[
            words.counts(countFiles(open.data.files)),
            ...(marked > 0 ? [words.toDiscard(marked)] : []),
            ...(edited > 0 ? [words.edited(edited)] : []),
            ...(comments > 0 ? [words.comments(comments)] : []),
          ].join(' · ')}
        </span>
        {isBusy && <Spinner />}
        <Button
          tone="quiet"
          disabled={isBusy || open.data.files.length === 0}
          onClick={() => setAsked('all')}
        >
          {words.discardAll}
        </Button>
        {applied.length > 0 && (
          <Button
            tone="danger"
            disabled={isBusy}
            icon={<Trash2 aria-hidden className="size-4" />}
            onClick={finish.discard}
          >
            {applied.join(' · ')}
          </Button>
        )}
        {comments > 0 && (
          <Button
            tone="strong"
            disabled={isBusy}
            title={applied.length > 0 ? words.sendFirst : undefined}
            icon={<Send aria-hidden className="size-4" />}
            onClick={finish.send}
          >
            {words.send(comments)}
          </Button>
        )}
        <Button
          tone={comments > 0 ? 'plain' : 'strong'}
          disabled={isBusy || open.data.commit === null}
          title={open.data.commit === null ? words.noCommit : undefined}
          icon={<GitCommitHorizontal aria-hidden className="size-4" />}
          onClick={() => setAsked('commit')}
        >
          {words.commit}
        </Button>
      </div>
      <DiscardAll isOpen={asked === 'all'} open={open} finish={finish} onClose={close} />
      {asked === 'commit' && <CommitDialog open={open} comments={comments} finish={finish} onClose={close} />}
    </footer>
  );
}

/** What the latest discard did, with the way back. */
function Latest({ finish: { latest, isBusy, undo } }: { finish: Finish }) {
  const words = useReviewWords();
  if (latest === undefined) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      {latest.files > 0 && <span>{words.done(latest.files)}</span>}
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

// What is typed survives a reload.
const typed = remembered<Record<string, string>>('commit-messages', {});

function CommitDialog({ open, comments, finish, onClose }: Props & { comments: number; onClose(): void }) {
  const words = useReviewWords();
  const { session } = open.scope;
  const kept = typed.read();
  const [message, setMessage] = useState(
    (Object.hasOwn(kept, session) ? kept[session] : undefined) ?? open.data.commit?.message ?? '',
  );
  const commit = (): void => {
    void finish.commit(message).then((isDone) => {
      if (!isDone) return;
      typed.write({});
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
          <span className="mr-auto self-center text-small text-muted">
            {words.commitFiles(open.data.commit?.paths.length ?? 0)}
          </span>
          <Button tone="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button tone="strong" disabled={finish.isBusy || message.trim() === ''} onClick={commit}>
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
          onChange={({ target }) => {
            setMessage(target.value);
            typed.write({ [session]: target.value });
          }}
          className="w-full rounded-base border border-line-strong/60 bg-surface px-2 py-1 font-mono text-small"
        />
        {finish.marked + finish.edited > 0 && <p className="text-small text-muted">{words.sendFirst}</p>}
        {comments > 0 && <p className="text-small text-warn">{words.commitComments(comments)}</p>}
      </div>
    </Dialog>
  );
}
