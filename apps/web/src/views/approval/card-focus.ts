// The way to an approval's card, and from when on a press there counts: not before the card could be seen.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';

// Leads to an approval's card, when the person asked for it. A card that is still to come is waited for a while.
const longestMs = 5_000;

export function focusApproval(id: string): void {
  const find = (): HTMLElement | undefined =>
    cards().find((card) => card.dataset.approval?.split(' ').includes(id));
  if (focusCard(find())) return;
  const watcher = new MutationObserver(() => {
    if (focusCard(find())) watcher.disconnect();
  });
  watcher.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watcher.disconnect(), longestMs);
}

/** The card after the one that has the focus; after the last comes the first again. False when it can't be seen. */
export function focusNextApproval(): boolean {
  const all = cards();
  const at = all.findIndex((card) => card.contains(document.activeElement));
  const next = all[(at + 1) % Math.max(1, all.length)];
  return focusCard(next) && document.activeElement === next;
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-approval]')];
}

function focusCard(card: HTMLElement | undefined): boolean {
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
  return card !== undefined;
}

/** When cards come or go, what lies under the pointer is another thing than a moment ago. For that moment no press counts. */
export const unsteadyMs = 350;
let timer: ReturnType<typeof setTimeout> | undefined;
let shakenAt = Number.NEGATIVE_INFINITY;

const useSteady = create<{ isSteady: boolean }>(() => ({ isSteady: true }));

/** The cards have moved. */
export function shake(): void {
  shakenAt = performance.now();
  clearTimeout(timer);
  useSteady.setState({ isSteady: false });
  timer = setTimeout(() => useSteady.setState({ isSteady: true }), unsteadyMs);
}

/** `wasReady` is asked with the time of the press: a busy page hears of a press later than it was made. */
export type Readiness = { isReady: boolean; wasReady(pressedAt: number): boolean };

/** Whether somebody who presses now can have seen what they answer: the card stands still and has been on the screen for a moment. */
export function useReadiness(card: RefObject<HTMLElement | null>): Readiness {
  const isSteady = useSteady((state) => state.isSteady);
  const seenAt = useRef(Number.POSITIVE_INFINITY);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (card.current === null) return;
    let wait: ReturnType<typeof setTimeout> | undefined;
    const see = (isOnScreen: boolean): void => {
      if (isOnScreen === Number.isFinite(seenAt.current)) return;
      clearTimeout(wait);
      seenAt.current = isOnScreen ? performance.now() : Number.POSITIVE_INFINITY;
      if (isOnScreen) wait = setTimeout(() => setIsSeen(true), unsteadyMs);
      else setIsSeen(false);
    };
    const observer = new IntersectionObserver(
      (entries) => see(!document.hidden && isInSight(entries.at(-1))),
      { threshold: [0, 0.02, 0.05, 0.1, 0.2, 0.5] },
    );
    observer.observe(card.current);
    const { current } = card;
    const onVisibility = (): void => {
      if (document.hidden) see(false);
      observer.unobserve(current);
      observer.observe(current);
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(wait);
      observer.disconnect();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [card]);
  return {
    isReady: isSteady && isSeen,
    wasReady: (pressedAt) => pressedAt > Math.max(shakenAt, seenAt.current) + unsteadyMs,
  };
}

/** A long card is taller than its place: some lines of it are enough. */
function isInSight(entry: IntersectionObserverEntry | undefined): boolean {
  if (entry === undefined || !entry.isIntersecting) return false;
  const { boundingClientRect, intersectionRect } = entry;
  return intersectionRect.height >= Math.min(80, boundingClientRect.height / 2);
}
