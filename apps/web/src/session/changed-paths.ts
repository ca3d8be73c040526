// Which files are others now than when the session began: what it did to each, taken together. What was undone is not among them.
import type { Effect } from '@codelab/protocol';

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
    for (const { path, from, before, after } of effects) {
      if (from !== undefined) note(from, after, null);
      note(path, from === undefined ? before : null, after);
    }
  const marks = new Map<string, PathMark>();
  for (const [path, before] of first) {
    const mark = markOf(before, last.get(path) ?? null);
    if (mark !== undefined) marks.set(path, mark);
  }
  return marks;
}

function markOf(before: State, after: State): PathMark | undefined {
  if (before === null) return after === null ? undefined : 'added';
  if (after === null) return 'deleted';
  return before.type === after.type && before.digest === after.digest && before.mode === after.mode
    ? undefined
    : 'changed';
}
