// Keeps a list at its end while it grows, until the reader scrolls up; scrolled to its end again, it stays there again.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const nearPixels = 32;
// A scroll event so long after an input of the reader, or after a change of the layout, may come from it.
const inputMs = 1000;
const layoutMs = 250;
const inputEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

type Sticky = {
  /** The reader has scrolled away from the end. */
  isAway: boolean;
  toBottom(): void;
  isStuck(): boolean;
  release(): void;
};

type Box = RefObject<HTMLElement | null>;

export function useStickyBottom(scroller: Box, content: Box): Sticky {
  const [isAway, setIsAway] = useState(false);
  const stuck = useRef(true);
  const toBottom = useCallback(() => {
    stuck.current = true;
    setIsAway(false);
    // Room that was made to hold a branch in its place is no part of the conversation.
    content.current?.removeAttribute('style');
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller, content]);
  useEffect(() => {
    if (scroller.current === null || content.current === null) return;
    return followEnd({ box: scroller.current, content: content.current, stuck, setIsAway });
  }, [scroller, content]);
  const isStuck = useCallback(() => stuck.current, []);
  const release = useCallback(() => {
    stuck.current = false;
    setIsAway(true);
  }, []);
  return { isAway, toBottom, isStuck, release };
}

type Following = {
  box: HTMLElement;
  content: HTMLElement;
  stuck: RefObject<boolean>;
  setIsAway(isAway: boolean): void;
};

/** Returns how to stop. */
function followEnd({ box, content, stuck, setIsAway }: Following): () => void {
  let lastTop = box.scrollTop;
  let lastRange = box.scrollHeight - box.clientHeight;
  let inputAt = Number.NEGATIVE_INFINITY;
  let layoutAt = performance.now();
  const onInput = (): void => {
    inputAt = performance.now();
  };
  // Rows that turn out smaller, and a box that shrinks, move the list up as well; on a busy machine the event comes long after.
  const isByReader = (isSameRange: boolean): boolean =>
    performance.now() - inputAt < inputMs || (isSameRange && performance.now() - layoutAt > layoutMs);
  const onScroll = (): void => {
    const range = box.scrollHeight - box.clientHeight;
    // Behind another tab the list has no height and loses its offset, which is no scrolling by the reader.
    if (box.clientHeight === 0) return;
    const distance = range - box.scrollTop;
    const isSameRange = range === lastRange;
    lastRange = range;
    // Growth alone moves nothing: only a reader who scrolls up leaves the end.
    if (distance <= nearPixels) stuck.current = true;
    else if (box.scrollTop < lastTop - 1 && isByReader(isSameRange)) stuck.current = false;
    lastTop = box.scrollTop;
    setIsAway(!stuck.current);
  };
  const onGrowth = (): void => {
    layoutAt = performance.now();
    if (stuck.current) box.scrollTop = box.scrollHeight;
  };
  const watcher = new ResizeObserver(onGrowth);
  watcher.observe(content);
  watcher.observe(box);
  box.addEventListener('scroll', onScroll, { passive: true });
  for (const type of inputEvents) box.addEventListener(type, onInput, { passive: true });
  onGrowth();
  return () => {
    watcher.disconnect();
    box.removeEventListener('scroll', onScroll);
    for (const type of inputEvents) box.removeEventListener(type, onInput);
  };
}
