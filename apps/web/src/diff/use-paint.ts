// The colours of the visible hunks. They follow the text, in idle time, the latest visible hunk first.
import type { DiffHunk } from '@codelab/protocol';
import { useEffect, useSyncExternalStore } from 'react';
import { highlightLanguageOf } from '../code/language-of.ts';
import type { Painted } from './paint-hunk.ts';

const longestWaitMs = 500;

const painted = new WeakMap<DiffHunk, Painted>();
/** Hunks to paint, with how many of their lines are on the screen. A hunk without any is dropped. */
const wanted = new Map<DiffHunk, { path: string; lines: number }>();
const listeners = new Set<() => void>();
let isPainting = false;

/** Undefined until it is painted. */
export function usePaint(hunk: DiffHunk, path: string): Painted | undefined {
  useEffect(() => want(hunk, path), [hunk, path]);
  return useSyncExternalStore(subscribe, () => painted.get(hunk));
}

function want(hunk: DiffHunk, path: string): (() => void) | undefined {
  if (painted.has(hunk) || highlightLanguageOf(path) === undefined) return undefined;
  const entry = wanted.get(hunk) ?? { path, lines: 0 };
  entry.lines++;
  wanted.set(hunk, entry);
  if (!isPainting) void paintAll();
  return () => {
    entry.lines--;
    if (entry.lines === 0) wanted.delete(hunk);
  };
}

async function paintAll(): Promise<void> {
  isPainting = true;
  try {
    await idle();
    const { paintHunk } = await import('./paint-hunk.ts');
    for (let next = [...wanted].at(-1); next !== undefined; next = [...wanted].at(-1)) {
      const [hunk, { path }] = next;
      painted.set(hunk, await paintHunk(hunk, path, idle));
      wanted.delete(hunk);
      for (const tell of listeners) tell();
    }
  } catch {
    // A grammar that could not be loaded: the text stands there all the same, and the next one who looks tries again.
  } finally {
    isPainting = false;
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has none.
    if ('requestIdleCallback' in window)
      window.requestIdleCallback(() => resolve(), { timeout: longestWaitMs });
    else setTimeout(resolve, 16);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
