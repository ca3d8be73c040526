// Comments on lines: where they stand between the lines, and the field they are written in.
import type { ReviewComment, ReviewFile } from '@codelab/api';
import type { Review, ReviewItem } from '@codelab/protocol';
import { Pencil, Trash2 } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { type DiffLine, hunkRows } from '../../diff/hunk-rows.ts';
import { honestText } from '../../markdown/honest-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { RowNote, RowNotes } from '../review/review-rows.ts';
import { useReviewWords } from './review-words.ts';

export type CommentActions = {
  /** The one that is being written. */
  writing: string | undefined;
  write(id: string | undefined): void;
  put(comment: ReviewComment): void;
  remove(id: string): void;
};

export type CommentPlace = Pick<ReviewComment, 'line' | 'side'>;

export function placeOf({ sign, old, new: now }: DiffLine): CommentPlace {
  return sign === '-' ? { side: 'old', line: old ?? 1 } : { side: 'new', line: now ?? 1 };
}

type Options = {
  files: readonly ReviewFile[];
  review: Review;
  comments: readonly ReviewComment[];
  isFolded(file: number): boolean;
  actions: CommentActions;
};

/** What stands between the lines of a review. A comment on a line that is not shown any more stands below the name of its file. */
export function useCommentNotes({ files, review, comments, isFolded, actions }: Options): RowNotes {
  const { writing } = actions;
  // Which text is typed at the moment makes no other rows.
  const shape = JSON.stringify(comments.map((one) => (one.id === writing ? { ...one, text: '' } : one)));
  const folded = files.map((_, file) => isFolded(file)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` and `folded` say what has changed.
  return useMemo(() => {
    const linesOf = (file: number): DiffLine[] =>
      review.items
        .filter((item) => item.file === file && item.hunk !== undefined)
        .flatMap((item) => item.hunk ?? [])
        .flatMap((hunk) => hunkRows(hunk).unified.map(({ line }) => line));
    const byFile = files.map(({ path }, file) => {
      const own = comments.filter((comment) => comment.path === path);
      return { own, lines: own.length === 0 || isFolded(file) ? [] : linesOf(file) };
    });
    const noteOf = (comment: ReviewComment, file: number): RowNote => ({
      key: comment.id,
      height: heightOf(comment, comment.id === writing),
      content: <Comment comment={comment} lines={byFile[file]?.lines ?? []} actions={actions} />,
    });
    return {
      isFolded,
      atTop: (file) =>
        (byFile[file]?.own ?? [])
          .filter((comment) => !byFile[file]?.lines.some((line) => isAt(comment, line)))
          .map((comment) => noteOf(comment, file)),
      below: (file, line) =>
        (byFile[file]?.own ?? [])
          .filter((comment) => isAt(comment, line))
          .map((comment) => noteOf(comment, file)),
    };
  }, [files, review, shape, folded, writing]);
}

function isAt({ line, side }: CommentPlace, of: DiffLine): boolean {
  const place = placeOf(of);
  return place.line === line && place.side === side;
}

// What is said about a file without lines stands below its name.
const ofFile: DiffLine = { sign: ' ', text: '', old: 1, new: 1, isOpen: false };

/** The first changed line of a hunk. */
export function firstChange({ hunk }: ReviewItem): DiffLine {
  if (hunk === undefined) return ofFile;
  const lines = hunkRows(hunk).unified.map(({ line }) => line);
  return lines.find(({ sign }) => sign === '+') ?? lines.find(({ sign }) => sign === '-') ?? ofFile;
}

const lineWidth = 90;

function heightOf({ text }: ReviewComment, isWritten: boolean): number {
  if (isWritten) return 158;
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineWidth)), 0);
  return 50 + 20 * Math.min(8, lines);
}

type Props = { comment: ReviewComment; lines: readonly DiffLine[]; actions: CommentActions };

function Comment({ comment, lines, actions }: Props) {
  const words = useReviewWords();
  if (actions.writing === comment.id) return <Writing comment={comment} lines={lines} actions={actions} />;
  const where = comment.side === 'old' ? words.removedLine(comment.line) : words.commentLine(comment.line);
  return (
    <div className="mx-3 flex h-full flex-col py-1.5">
      <article
        aria-label={where}
        className="flex min-h-0 flex-1 items-start gap-2 rounded-base border border-accent/40 bg-accent-soft px-3 py-1.5"
      >
        <div className="flex h-full min-w-0 flex-1 flex-col">
          <span className="text-tiny text-muted">{where}</span>
          <p className="min-h-0 flex-1 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {honestText(comment.text)}
          </p>
        </div>
        <IconButton
          size="small"
          icon={Pencil}
          label={words.commentEdit}
          onClick={() => actions.write(comment.id)}
        />
        <IconButton
          size="small"
          icon={Trash2}
          label={words.commentDelete}
          onClick={() => actions.remove(comment.id)}
        />
      </article>
    </div>
  );
}

function Writing({ comment, lines, actions }: Props) {
  const words = useReviewWords();
  const id = useId();
  const [text, setText] = useState(comment.text);
  const [place, setPlace] = useState<CommentPlace>(comment);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const put = (change: Partial<ReviewComment>): void =>
    actions.put({ ...comment, ...place, text, ...change });
  const done = (): void => {
    if (text.trim() === '') actions.remove(comment.id);
    actions.write(undefined);
  };
  const options = lines.map(placeOf);
  const isListed = options.some((one) => one.line === place.line && one.side === place.side);
  return (
    <div className="mx-3 flex h-full flex-col gap-1.5 py-1.5">
      <div className="flex min-h-0 flex-1 flex-col gap-1.5 rounded-base border border-accent bg-raised p-2">
        <textarea
          ref={field}
          value={text}
          aria-label={words.commentHint}
          placeholder={words.commentHint}
          maxLength={20_000}
          onChange={({ target }) => {
            setText(target.value);
            put({ text: target.value });
          }}
          onKeyDown={(event) => {
            const isDone =
              event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
            if (!isDone || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            done();
          }}
          className="min-h-0 w-full flex-1 resize-none rounded-small border border-line-strong/60 bg-surface px-2 py-1 placeholder:text-faint"
        />
        <div className="flex items-center gap-2">
          <label htmlFor={id} className="sr-only">
            {words.commentOn}
          </label>
          <select
            id={id}
            value={`${place.side}:${place.line}`}
            onChange={({ target }) => {
              const [side, line] = target.value.split(':');
              const next: CommentPlace = { side: side === 'old' ? 'old' : 'new', line: Number(line) };
              setPlace(next);
              put(next);
            }}
            className="h-6 min-w-0 rounded-base border border-line-strong/60 bg-surface px-1 text-small"
          >
            {(isListed ? options : [place, ...options]).map(({ side, line }) => (
              <option key={`${side}:${line}`} value={`${side}:${line}`}>
                {side === 'old' ? words.removedLine(line) : words.commentLine(line)}
              </option>
            ))}
          </select>
          <span className="flex-1" />
          <Button
            size="small"
            tone="quiet"
            onClick={() => {
              actions.remove(comment.id);
              actions.write(undefined);
            }}
          >
            {words.commentDelete}
          </Button>
          <Button size="small" tone="strong" onClick={done}>
            {words.commentDone}
          </Button>
        </div>
      </div>
    </div>
  );
}
