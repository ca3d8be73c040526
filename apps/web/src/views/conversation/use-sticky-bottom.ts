// Keeps a list at its end while it grows, until the reader goes up; at the end again, it holds on again.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const near = 32;
// So long after the person did something, or after the layout changed, a scroll may have come from it.
const handMs = 1000;
const layoutMs = 250;
const byHand = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

type Sticky = { isAway: boolean; toBottom(): void; isStuck(): boolean };

export function useStickyBottom(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): Sticky {
  const [isAway, setIsAway] = useState(false);
  const stuck = useRef(true);
  const toBottom = useCallback(() => {
    stuck.current = true;
    setIsAway(false);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);
  useEffect(() => {
    const box = scroller.current;
    if (box === null || content.current === null) return;
    let lastTop = box.scrollTop;
    let handAt = Number.NEGATIVE_INFINITY;
    let layoutAt = performance.now();
    const onHand = (): void => {
      handAt = performance.now();
    };
    // Rows that turn out smaller, and a box that shrinks, move the list up as well.
    const isReader = (): boolean => {
      const now = performance.now();
      return now - handAt < handMs || now - layoutAt > layoutMs;
    };
    const onScroll = (): void => {
      const left = box.scrollHeight - box.clientHeight - box.scrollTop;
      // Growing moves nothing by itself: only who goes up lets go.
      if (left <= near) stuck.current = true;
      else if (box.scrollTop < lastTop - 1 && isReader()) stuck.current = false;
      lastTop = box.scrollTop;
      setIsAway(!stuck.current);
    };
    const onGrowth = (): void => {
      layoutAt = performance.now();
      if (stuck.current) box.scrollTop = box.scrollHeight;
    };
    const watcher = new ResizeObserver(onGrowth);
    watcher.observe(content.current);
    watcher.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    for (const type of byHand) box.addEventListener(type, onHand, { passive: true });
    onGrowth();
    return () => {
      watcher.disconnect();
      box.removeEventListener('scroll', onScroll);
      for (const type of byHand) box.removeEventListener(type, onHand);
    };
  }, [scroller, content]);
  const isStuck = useCallback(() => stuck.current, []);
  return { isAway, toBottom, isStuck };
}
