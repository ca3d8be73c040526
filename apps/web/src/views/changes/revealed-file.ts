// The file of a change that somebody clicked: the change opens with it in view.
import { create } from 'zustand';

/** `of` is the change, as its tab names it; `count` tells that it was asked for again. */
export const useRevealedFile = create<{ of: string; path: string; count: number }>(() => ({
  of: '',
  path: '',
  count: 0,
}));

export function revealFile(of: string, path: string): void {
  useRevealedFile.setState(({ count }) => ({ of, path, count: count + 1 }));
}
