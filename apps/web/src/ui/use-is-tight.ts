// Whether a row has less room than what stands in it needs. Words are of other lengths in every language, so it is measured, not guessed.
import { type RefObject, useLayoutEffect, useState } from 'react';

/** `content` names what stands in it: another one is measured anew. */
export function useIsTight(row: RefObject<HTMLElement | null>, content: string): boolean {
  const [isTight, setIsTight] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content needs other room.
  useLayoutEffect(() => {
    const box = row.current;
    if (box === null) return;
    // What it needs is known only while all of it is shown; once it is shortened, what it needed then is what counts.
    let needed = 0;
    const look = (): void => {
      if (box.scrollWidth > box.clientWidth) needed = Math.max(needed, box.scrollWidth);
      setIsTight(needed > box.clientWidth);
    };
    setIsTight(false);
    const watcher = new ResizeObserver(look);
    watcher.observe(box);
    for (const child of box.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, [content, row]);
  return isTight;
}
