// The state of one review: its items, the current one, what was picked, and the decision.
import type { ToolEntry } from '@codelab/api';
import {
  type ApprovalRequest,
  canSplitItem,
  type DiffHunk,
  editItem,
  type Review,
  type ReviewItem,
  restoreHunk,
  reviewDecision,
  setTaken,
  splitItem,
  toggleTaken,
} from '@codelab/protocol';
import { type ReactNode, useState } from 'react';
import { create } from 'zustand';
import type { DiffLine } from '../../diff/hunk-rows.ts';
import type { Whitespace } from '../../diff/spell-line.ts';
import { remembered } from '../../remembered.ts';
import type { ViewTexts } from '../../text/en-views.ts';
import { useViewText } from '../../text/use-text.ts';
import type { SendDecision } from '../approval/answering.ts';
import { canTakeHunks } from '../approval/answering.ts';
import { keepPicks, readPicks } from './kept-picks.ts';
import type { RowNotes } from './review-rows.ts';

/** The interface that the rows of a review use, both for a call that waits and for a review after the fact. */
export type HunkChooser = {
  review: Review;
  /** The item one is at. */
  at: ReviewItem | undefined;
  editing: ReviewItem | undefined;
  /** Whether hunks can be chosen. */
  canChoose: boolean;
  labels: ChooserLabels;
  /** Notes between the lines. */
  notes?: RowNotes;
  /** Commenting on a line, where that can be done. */
  comment?: { label(line: DiffLine): string; begin(item: ReviewItem, line: DiffLine): void };
  /** Further buttons at the name of a file. */
  fileTools?(file: number): ReactNode;
  go(item: ReviewItem): void;
  step(by: number): ReviewItem | undefined;
  toggle(item: ReviewItem): void;
  take(isTaken: boolean, file?: number): void;
  split(item: ReviewItem): void;
  restore(item: ReviewItem): void;
  beginEdit(item: ReviewItem | undefined): void;
  edit(item: ReviewItem, hunk: DiffHunk): void;
};

/** `left` is said of a hunk that is not taken; empty says nothing. */
export type ChooserLabels = Pick<ViewTexts['review'], 'file' | 'hunk' | 'part' | 'before' | 'editKeep'> & {
  left: string;
};

export type ReviewSession = HunkChooser & { apply(feedback: string): Promise<void> };

type Options = { tool: ToolEntry | undefined; isWaiting: boolean; decide: SendDecision };

export function useReviewSession(approval: ApprovalRequest, options: Options): ReviewSession {
  const { plan } = approval;
  const words = useViewText().review;
  const [review, setReview] = useState(() => readPicks(approval));
  const [atKey, setAtKey] = useState('');
  const [editing, setEditing] = useState<ReviewItem | undefined>();
  const canChoose =
    options.isWaiting && canTakeHunks(approval, options.tool) && review.total === plan.diff?.hunks;
  const at = review.items.find(({ key }) => key === atKey) ?? review.items[0];
  const change = (step: (review: Review) => Review): void => {
    if (!canChoose) return;
    const next = step(review);
    setReview(next);
    keepPicks(approval, next);
  };
  return {
    review,
    at,
    editing,
    canChoose,
    labels: { ...words, left: '' },
    go: ({ key }) => setAtKey(key),
    step(by) {
      const place = at === undefined ? -1 : review.items.indexOf(at);
      const next = review.items[Math.min(review.items.length - 1, Math.max(0, place + by))];
      if (next !== undefined) setAtKey(next.key);
      return next;
    },
    toggle: ({ key }) => change((before) => toggleTaken(before, key)),
    take: (isTaken, file) =>
      change((before) => setTaken(before, isTaken, (item) => file === undefined || item.file === file)),
    split(item) {
      if (!canSplitItem(item)) return;
      change((before) => splitItem(before, item.key));
      setAtKey(`${item.key}.1`);
    },
    restore({ number }) {
      change((before) => restoreHunk(before, number));
      setAtKey(`${number}`);
    },
    beginEdit: (item) => setEditing(canChoose && item?.hunk !== undefined ? item : undefined),
    edit: (item, hunk) => change((before) => editItem(before, item.key, hunk)),
    async apply(feedback) {
      if (canChoose) await options.decide(reviewDecision(review, plan, feedback));
    },
  };
}

export type ReviewLook = { isSplit: boolean; whitespace: Whitespace };

const look = remembered<ReviewLook>('review', { isSplit: false, whitespace: 'changed' }, isLook);

/** How one likes to look at reviews. */
export const useReviewLook = create<ReviewLook>(() => look.read());
useReviewLook.subscribe((changed) => look.write(changed));

function isLook(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { isSplit, whitespace } = value as Record<string, unknown>;
  return typeof isSplit === 'boolean' && ['none', 'changed', 'all'].includes(String(whitespace));
}
