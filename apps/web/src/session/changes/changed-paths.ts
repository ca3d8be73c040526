// The files that differ from the start of the session: the combined effect on each. Undone changes are not included.
import type { Effect } from '@codelab/protocol';
import { useMemo } from 'react';
import { useSession } from '../session-store.ts';

export type PathMark = 'added' | 'changed' | 'deleted';
type State = Effect['before'];

export function changedPaths(touched: readonly { effects: readonly Effect[] }[]): Map<string, PathMark> {
  const first = new Map<string, State>();
  const last = new Map<string, State>();
  const note = (path: string, before: State, after: State): void => {
    if (!first.has(path)) first.set(path, before);
    last.set(path, after);
  };
  for (const { effects } of touched)
    for (const { path, before, after } of pathChanges(effects)) note(path, before, after);
  const marks = new Map<string, PathMark>();
  for (const [path, before] of first) {
    const mark = markOf(before, last.get(path) ?? null);
    if (mark !== undefined) marks.set(path, mark);
  }
  return marks;
}

/** A move changes two paths. */
export function pathChanges(effects: readonly Effect[]): { path: string; before: State; after: State }[] {
  return effects.flatMap(({ path, from, before, after }) =>
    from === undefined
      ? [{ path, before, after }]
      : [
          { path: from, before: after, after: null },
          { path, before: null, after },
        ],
  );
}

function markOf(before: State, after: State): PathMark | undefined {
  if (isSamePathState(before, after)) return undefined;
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'changed';
}

export function isSamePathState(before: State, after: State): boolean {
  if (before === null || after === null) return before === after;
  return before.type === after.type && before.digest === after.digest && before.mode === after.mode;
}

// The marks of files that this session changed; computed again only when it changed one.
export function useChangedPaths(): ReadonlyMap<string, PathMark> {
  const touched = useSession((model) => model.touched);
  const count = useSession((model) => model.touched.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list grows in place; its length says that it is another.
  return useMemo(() => changedPaths(touched), [touched, count]);
}
