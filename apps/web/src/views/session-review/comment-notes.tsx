// Comments on lines: between which lines of a review each one stands, and how high it is there.
import type { ReviewComment, ReviewFile } from '@codelab/api';
import type { Review, ReviewItem } from '@codelab/protocol';
import { useMemo } from 'react';
import { type DiffLine, hunkRows } from '../../diff/hunk-rows.ts';
import type { RowNote, RowNotes } from '../review/review-rows.ts';
import { type CommentActions, CommentNote, type CommentPlace, placeOf } from './line-comment.tsx';

type Options = {
  files: readonly ReviewFile[];
  review: Review;
  comments: readonly ReviewComment[];
  isFolded(file: number): boolean;
  actions: CommentActions;
};

/** The comments between the lines of a review. A comment on a line that is not shown any more stands below the name of its file. */
export function useCommentNotes({ files, review, comments, isFolded, actions }: Options): RowNotes {
  const { writing } = actions;
  // Which text is typed at the moment makes no other rows.
  const shape = JSON.stringify(
    comments.map((comment) => (comment.id === writing ? { ...comment, text: '' } : comment)),
  );
  const folded = files.map((_, file) => isFolded(file)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` and `folded` say what has changed.
  return useMemo(
    () => notesOf({ files, review, comments, isFolded, actions }),
    [files, review, shape, folded, writing],
  );
}

function notesOf({ files, review, comments, isFolded, actions }: Options): RowNotes {
  const byFile = files.map(({ path }, file) => {
    const ofFile = comments.filter((comment) => comment.path === path);
    const lines = ofFile.length === 0 || isFolded(file) ? [] : shownLines(review, file);
    const notes = ofFile.map((comment) => ({ comment, note: noteOf(comment, lines, actions) }));
    return { lines, notes };
  });
  const pick = (file: number, isWanted: (comment: ReviewComment) => boolean): RowNote[] =>
    (byFile[file]?.notes ?? []).filter(({ comment }) => isWanted(comment)).map(({ note }) => note);
  return {
    isFolded,
    atTop: (file) => pick(file, (comment) => !byFile[file]?.lines.some((line) => isAt(comment, line))),
    below: (file, line) => pick(file, (comment) => isAt(comment, line)),
  };
}

function shownLines({ items }: Review, file: number): DiffLine[] {
  return items
    .filter((item) => item.file === file)
    .flatMap(({ hunk }) => hunk ?? [])
    .flatMap((hunk) => hunkRows(hunk).unified.map(({ line }) => line));
}

function noteOf(comment: ReviewComment, lines: readonly DiffLine[], actions: CommentActions): RowNote {
  return {
    key: comment.id,
    height: heightOf(comment, comment.id === actions.writing),
    content: <CommentNote comment={comment} lines={lines} actions={actions} />,
  };
}

function isAt({ line, side }: CommentPlace, of: DiffLine): boolean {
  const place = placeOf(of);
  return place.line === line && place.side === side;
}

// A comment on a file without lines stands below its name.
const fileItself: DiffLine = { sign: ' ', text: '', old: 1, new: 1, isOpen: false };

/** The first changed line of a hunk. */
export function firstChange({ hunk }: ReviewItem): DiffLine {
  if (hunk === undefined) return fileItself;
  const lines = hunkRows(hunk).unified.map(({ line }) => line);
  return lines.find(({ sign }) => sign === '+') ?? lines.find(({ sign }) => sign === '-') ?? fileItself;
}

const lineWidth = 90;

function heightOf({ text }: ReviewComment, isWritten: boolean): number {
  if (isWritten) return 158;
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineWidth)), 0);
  return 50 + 20 * Math.min(8, lines);
}
