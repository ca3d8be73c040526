// The rows of a review after the fact: its hunks, the comments between its lines, and its keys.
import type { ReviewFile } from '@codelab/api';
import type { ReviewItem } from '@codelab/protocol';
import { type KeyboardEvent, useState } from 'react';
import type { DiffLine } from '../../diff/hunk-rows.ts';
import { reviewKey } from '../review/review-keys.tsx';
import { type HunkChooser, useReviewLook } from '../review/review-session.ts';
import { firstChange, useCommentNotes } from './comment-notes.tsx';
import { type CommentActions, placeOf } from './line-comment.tsx';
import { FileTools, type Marks } from './review-marks.tsx';
import { useReviewWords } from './review-words.ts';
import { type OpenReview, type SessionReviewState, useChoosing } from './use-session-review.ts';

export function useChooser(open: OpenReview, state: SessionReviewState, marks: Marks): HunkChooser {
  const words = useReviewWords();
  const choosing = useChoosing(open, state.change);
  const [writing, setWriting] = useState<string | undefined>();
  const { files } = open.data;
  const actions: CommentActions = {
    writing,
    write: setWriting,
    put: (comment) =>
      state.change(({ comments }) => ({
        comments: comments.some(({ id }) => id === comment.id)
          ? comments.map((other) => (other.id === comment.id ? comment : other))
          : [...comments, comment],
      })),
    remove: (id) =>
      state.change(({ comments }) => ({ comments: comments.filter((comment) => comment.id !== id) })),
  };
  const begin = (item: ReviewItem, line: DiffLine): void => {
    const path = files[item.file]?.path;
    if (path === undefined) return;
    const place = placeOf(line);
    const known = open.comments.find(
      (comment) => comment.path === path && comment.line === place.line && comment.side === place.side,
    );
    const id = known?.id ?? crypto.randomUUID();
    if (known === undefined) actions.put({ id, path, ...place, text: '' });
    setWriting(id);
  };
  const notes = useCommentNotes({
    files,
    review: choosing.review,
    comments: open.comments,
    isFolded: marks.isFolded,
    actions,
  });
  return {
    ...choosing,
    labels: {
      file: words.keepFile,
      hunk: words.keepHunk,
      part: words.keepPart,
      left: words.discarded,
      before: words.before,
      editKeep: words.editKeep,
    },
    notes,
    comment: { label: (line) => words.comment(placeOf(line).line), begin },
    fileTools: (file) => <FileTools file={files[file]} index={file} marks={marks} />,
  };
}

type KeyControls = {
  chooser: HunkChooser;
  marks: Marks;
  files: readonly ReviewFile[];
  go(item: ReviewItem | undefined): void;
  help(): void;
};

export function onKey(event: KeyboardEvent<HTMLElement>, controls: KeyControls): void {
  const action = keyActions[reviewKey(event) ?? ''];
  if (action === undefined) return;
  event.preventDefault();
  if (!event.nativeEvent.repeat || action.isRepeatable) action.do(controls);
}

type KeyAction = { do(controls: KeyControls): void; isRepeatable?: true };

const keyActions: Readonly<Record<string, KeyAction>> = {
  j: { do: ({ chooser, go }) => go(chooser.step(1)), isRepeatable: true },
  k: { do: ({ chooser, go }) => go(chooser.step(-1)), isRepeatable: true },
  ' ': { do: ({ chooser }) => chooser.at && chooser.toggle(chooser.at) },
  d: {
    do({ chooser, go }) {
      if (chooser.at?.isTaken) chooser.toggle(chooser.at);
      go(chooser.step(1));
    },
  },
  f: {
    do({ chooser }) {
      const { at, review } = chooser;
      if (at === undefined) return;
      const inFile = review.items.filter(({ file }) => file === at.file);
      chooser.take(!inFile.every(({ isTaken }) => isTaken), at.file);
    },
  },
  v: {
    do({ chooser: { at, review }, marks, files, go }) {
      const file = at === undefined ? undefined : files[at.file];
      if (at === undefined || file === undefined) return;
      const isViewed = !marks.isViewed(file);
      marks.setViewed(at.file, isViewed);
      if (isViewed) go(review.items.find((item) => item.file > at.file));
    },
  },
  c: {
    do({ chooser: { at, comment }, go }) {
      if (at === undefined) return;
      // The field has to be in sight to take what is typed.
      go(at);
      comment?.begin(at, firstChange(at));
    },
  },
  s: { do: ({ chooser }) => chooser.at && chooser.split(chooser.at) },
  e: { do: ({ chooser }) => chooser.beginEdit(chooser.at) },
  u: { do: () => useReviewLook.setState(({ isSplit }) => ({ isSplit: !isSplit })) },
  '?': { do: ({ help }) => help() },
};
