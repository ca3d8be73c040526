// The reviews that are under way, by approval: another tab in front does not lose what was chosen. And how one likes to look at them.
import { useMemo } from 'react';
import { create } from 'zustand';
import type { Whitespace } from '../../diff/spell-line.ts';
import { remembered } from '../../remembered.ts';
import { type ReviewState, startReview } from './review-state.ts';

export type ReviewLook = { isSplit: boolean; whitespace: Whitespace };

const most = 12;
const kept = remembered<ReviewLook>('review', { isSplit: false, whitespace: 'changed' }, isLook);

export const useReviewLook = create<ReviewLook>(() => kept.read());
useReviewLook.subscribe((look) => kept.write(look));

const useReviews = create<{ reviews: ReadonlyMap<string, ReviewState> }>(() => ({ reviews: new Map() }));

/** The review of an approval, begun when it is first looked at. */
export function useReview(id: string, text: string): ReviewState {
  const known = useReviews(({ reviews }) => reviews.get(id));
  const fresh = useMemo(() => startReview(text), [text]);
  return known ?? fresh;
}

export function keepReview(id: string, state: ReviewState): void {
  useReviews.setState(({ reviews }) => {
    const others = [...reviews].filter(([known]) => known !== id).slice(-(most - 1));
    return { reviews: new Map([...others, [id, state]]) };
  });
}

function isLook(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { isSplit, whitespace } = value as Record<string, unknown>;
  return typeof isSplit === 'boolean' && ['none', 'changed', 'all'].includes(String(whitespace));
}
