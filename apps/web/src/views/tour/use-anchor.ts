// The position of a step's subject on the screen. Subjects appear, move and vanish, so it is looked up repeatedly.
import { useEffect, useState } from 'react';
import { currentText } from '../../text/use-text.ts';
import type { TourStep } from './tour-steps.ts';

export type AnchorBox = { left: number; top: number; width: number; height: number };

const everyMs = 200;

export function useAnchor(find: () => Element | null | undefined): AnchorBox | undefined {
  const [box, setBox] = useState<AnchorBox | undefined>();
  useEffect(() => {
    const look = (): void => {
      const next = boxOf(find());
      setBox((before) => (isSame(before, next) ? before : next));
    };
    look();
    const timer = setInterval(look, everyMs);
    window.addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', look);
    };
  }, [find]);
  return box;
}

/** Only what can be seen of it. */
function boxOf(element: Element | null | undefined): AnchorBox | undefined {
  if (element === null || element === undefined) return undefined;
  let seen = cut(element.getBoundingClientRect(), {
    left: 0,
    top: 0,
    right: innerWidth,
    bottom: innerHeight,
  });
  // An element inside a scrolling box is visible only as far as the box reaches.
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement)
    if (getComputedStyle(outer).overflowY !== 'visible') seen = cut(seen, outer.getBoundingClientRect());
  const width = Math.round(seen.right - seen.left);
  const height = Math.round(seen.bottom - seen.top);
  if (width <= 0 || height <= 0) return undefined;
  return { left: Math.round(seen.left), top: Math.round(seen.top), width, height };
}

type Edges = { left: number; top: number; right: number; bottom: number };

function cut(first: Edges, other: Edges): Edges {
  return {
    left: Math.max(first.left, other.left),
    top: Math.max(first.top, other.top),
    right: Math.min(first.right, other.right),
    bottom: Math.min(first.bottom, other.bottom),
  };
}

function isSame(first: AnchorBox | undefined, other: AnchorBox | undefined): boolean {
  return (
    first?.left === other?.left &&
    first?.top === other?.top &&
    first?.width === other?.width &&
    first?.height === other?.height
  );
}

/** The element on the screen that a step speaks of. */
export const anchorOf: Record<TourStep, () => Element | null | undefined> = {
  ask: () => labelled(currentText().conversation.message)?.closest('.rounded-large'),
  review: waiting,
  run: waiting,
  summary: () => [...document.querySelectorAll('[role="log"] article')].at(-1),
  undo: () => document.getElementById('side'),
  end: () => labelled(currentText().frame.palette),
};

// While the pieces are reviewed, the review is what it is about.
function waiting(): Element | null {
  return document.querySelector('[data-review-list]') ?? document.querySelector('[data-approval]');
}

function labelled(label: string): Element | undefined {
  return [...document.querySelectorAll('[aria-label]')].find(
    (element) => element.getAttribute('aria-label') === label && element.tagName !== 'SECTION',
  );
}
