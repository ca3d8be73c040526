// One review: its items, where one is, what one does with them, and the decision that comes of it. Reviews that are not sent yet are kept by
// approval, so that another tab in front does not lose what was chosen.
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
  startReview,
  toggleTaken,
} from '@codelab/protocol';
import { useMemo, useState } from 'react';
import { create } from 'zustand';
import type { Whitespace } from '../../diff/spell-line.ts';
import { remembered } from '../../remembered.ts';
import type { Decide } from '../approval/answering.ts';
import { canTakeHunks } from '../approval/answering.ts';

export type ReviewSession = {
  review: Review;
  /** The item one is at. */
  at: ReviewItem | undefined;
  editing: ReviewItem | undefined;
  /** Whether hunks can be chosen. */
  canChoose: boolean;
  go(item: ReviewItem): void;
  step(by: number): ReviewItem | undefined;
  toggle(item: ReviewItem): void;
  take(isTaken: boolean, file?: number): void;
  split(item: ReviewItem): void;
  restore(item: ReviewItem): void;
  beginEdit(item: ReviewItem | undefined): void;
  edit(item: ReviewItem, hunk: DiffHunk): void;
  apply(feedback: string): Promise<void>;
};

type Options = { tool: ToolEntry | undefined; isWaiting: boolean; decide: Decide };

export function useReviewSession(approval: ApprovalRequest, options: Options): ReviewSession {
  const { id, plan } = approval;
  const review = useKeptReview(id, plan.diff?.text ?? '');
  const [atKey, setAtKey] = useState('');
  const [editing, setEditing] = useState<ReviewItem | undefined>();
  const canChoose =
    options.isWaiting && canTakeHunks(approval, options.tool) && review.total === plan.diff?.hunks;
  const at = review.items.find(({ key }) => key === atKey) ?? review.items[0];
  const change = (step: (review: Review) => Review): void => {
    if (canChoose) keepReview(id, step(review));
  };
  return {
    review,
    at,
    editing,
    canChoose,
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

const maxKept = 12;
const useReviews = create<{ reviews: ReadonlyMap<string, Review> }>(() => ({ reviews: new Map() }));

/** The review of an approval, begun when it is first looked at: everything is taken. */
function useKeptReview(id: string, diff: string): Review {
  const kept = useReviews(({ reviews }) => reviews.get(id));
  const fresh = useMemo(() => startReview(diff), [diff]);
  return kept ?? fresh;
}

function keepReview(id: string, review: Review): void {
  useReviews.setState(({ reviews }) => {
    const others = [...reviews].filter(([known]) => known !== id).slice(-(maxKept - 1));
    return { reviews: new Map([...others, [id, review]]) };
  });
}

function isLook(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { isSplit, whitespace } = value as Record<string, unknown>;
  return typeof isSplit === 'boolean' && ['none', 'changed', 'all'].includes(String(whitespace));
}
