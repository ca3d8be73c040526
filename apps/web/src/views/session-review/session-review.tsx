// The review after the fact, over the whole window: every file that a turn or the session changed, in one scrolling diff, to keep, to
// discard, to comment on and to commit.
import { countFiles, type ReviewItem } from '@codelab/protocol';
import { FileDiff, RefreshCw } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useColumns } from '../../layout/use-columns.ts';
import { useCurrentSession } from '../../session/current-session.ts';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { Select } from '../../ui/text-field.tsx';
import { Editing, focusList, useFocusOnce } from '../review/review.tsx';
import { ReviewBar } from '../review/review-bar.tsx';
import { ReviewHelp } from '../review/review-keys.tsx';
import { type Reveal, ReviewList } from '../review/review-list.tsx';
import { type HunkChooser, useReviewLook } from '../review/review-session.ts';
import { FinishBar } from './finish-bar.tsx';
import { ReviewFileList, ReviewFileSelect } from './review-files-list.tsx';
import { type Marks, useMarks } from './review-marks.tsx';
import { ReviewNotes } from './review-notes.tsx';
import { useReviewWords } from './review-words.ts';
import { chooseReviewTurn, useReviewTurn } from './scope-store.ts';
import { onKey, useChooser } from './use-chooser.tsx';
import { useFinish } from './use-finish.ts';
import { type OpenReview, type SessionReviewState, useSessionReview } from './use-session-review.ts';

export function SessionReviewView() {
  const text = useText();
  const words = useReviewWords();
  const session = useCurrentSession();
  const turn = useReviewTurn(session);
  const state = useSessionReview({ session, turn });
  const { open, problem } = state;
  if (problem !== '')
    return (
      <EmptyState icon={FileDiff} title={text.frame.viewFailed} hint={problem}>
        <Button onClick={() => void state.read()}>{text.frame.tryAgain}</Button>
      </EmptyState>
    );
  if (session === '') return <EmptyState icon={FileDiff} title={words.none} hint={words.noneHint} />;
  if (open === undefined)
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label={text.frame.loading} />
      </div>
    );
  return <Open key={`${session}:${turn}`} open={open} state={state} />;
}

type OpenProps = { open: OpenReview; state: SessionReviewState };

function Open({ open, state }: OpenProps) {
  const words = useReviewWords();
  const finish = useFinish(open, state);
  const marks = useMarks(open, state);
  const chooser = useChooser(open, state, marks);
  const [hasHelp, setHasHelp] = useState(false);
  const help = (): void => setHasHelp(true);
  const isWide = useColumns() > 1;
  const isSplit = useReviewLook((look) => look.isSplit) && isWide;
  const root = useRef<HTMLElement>(null);
  const { reveal, go } = useReveal(chooser);
  useFocusOnce(root);
  const { files } = open.data;
  const { review } = chooser;
  return (
    <section
      ref={root}
      aria-label={words.name}
      onKeyDown={(event) => onKey(event, { chooser, marks, go, files, help })}
      className="@container flex h-full min-h-0 flex-col"
    >
      <Head open={open} state={state}>
        <ReviewBar
          isInBar
          review={review}
          isSplit={isSplit}
          canSplit={isWide}
          onGo={(key) => go(review.items.find((item) => item.key === key))}
          onHelp={help}
        />
      </Head>
      <ReviewNotes scope={open.scope} version={open.data.version} />
      {files.length === 0 ? (
        <Nothing turn={open.scope.turn} />
      ) : (
        <ReviewBody {...{ open, marks, chooser, isSplit, reveal, go }} />
      )}
      <FinishBar open={open} finish={finish} />
      <Editing session={chooser} onClosed={() => focusList(root.current)} />
      <ReviewHelp keys={words.keys} isOpen={hasHelp} onClose={() => setHasHelp(false)} />
    </section>
  );
}

type RevealRef = RefObject<Reveal | undefined>;
type GoToHunk = (item: ReviewItem | undefined) => void;

/** Scrolls to hunks; at first to the one where the review begins. */
function useReveal(chooser: HunkChooser): { reveal: RevealRef; go: GoToHunk } {
  const reveal = useRef<Reveal | undefined>(undefined);
  const { at: first } = chooser;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where it begins.
  useEffect(() => {
    if (first !== undefined && first.number > 1) requestAnimationFrame(() => reveal.current?.(first.key));
  }, []);
  const go: GoToHunk = (item) => {
    if (item === undefined) return;
    chooser.go(item);
    reveal.current?.(item.key);
  };
  return { reveal, go };
}

type BodyProps = {
  open: OpenReview;
  marks: Marks;
  chooser: HunkChooser;
  isSplit: boolean;
  reveal: RevealRef;
  go: GoToHunk;
};

function ReviewBody({ open, marks, chooser, isSplit, reveal, go }: BodyProps) {
  const { files } = open.data;
  const { review, at } = chooser;
  const goToFile = (file: number): void => {
    marks.unfold(file);
    // The rows of a file that was folded are there with the next rendering.
    requestAnimationFrame(() => go(review.items.find((item) => item.file === file)));
  };
  return (
    <>
      <ReviewFileSelect files={files} at={at} isViewed={marks.isViewed} onGo={goToFile} />
      <div className="relative flex min-h-0 flex-1 after:pointer-events-none after:absolute after:inset-0 after:z-10 after:border-accent has-[[data-review-list]:focus-visible]:after:border">
        <ReviewFileList
          files={files}
          review={review}
          at={at}
          isViewed={marks.isViewed}
          commentsOf={({ path }) => open.comments.filter((comment) => comment.path === path).length}
          onGo={goToFile}
        />
        <ReviewList session={chooser} isSplit={isSplit} reveal={reveal} />
      </div>
    </>
  );
}

function Nothing({ turn }: { turn: number | null }) {
  const words = useReviewWords();
  return (
    <EmptyState icon={FileDiff} title={words.none} hint={turn === null ? words.noneHint : words.noneTurn} />
  );
}

function Head({ open, state, children }: OpenProps & { children: ReactNode }) {
  const words = useReviewWords();
  const { session, turn } = open.scope;
  const { files, turns, more_files: more = 0 } = open.data;
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-canvas px-3 py-1.5">
      <h2 className="text-title font-semibold @max-4xl:sr-only">{words.name}</h2>
      <Select
        isLabelHidden
        label={words.scope}
        value={`${turn ?? ''}`}
        options={[
          { value: '', label: words.session },
          ...[...new Set([...turns, ...(turn === null ? [] : [turn])])]
            .toSorted((a, b) => b - a)
            .map((number) => ({ value: `${number}`, label: words.turn(number) })),
        ]}
        onChange={(value) => chooseReviewTurn(session, value === '' ? null : Number(value))}
      />
      {files.length > 0 && (
        <span className="text-small tabular-nums">
          {words.counts(countFiles(files))} <span className="font-mono text-good">+{sum('added')}</span>{' '}
          <span className="font-mono text-bad">−{sum('removed')}</span>
        </span>
      )}
      {more > 0 && <span className="text-small text-warn">{words.moreFiles(more)}</span>}
      {children}
      <IconButton icon={RefreshCw} label={words.refresh} onClick={() => void state.read()} />
    </header>
  );
}
