// The net effect of changes after undo, redo and discard: added and removed lines, and the files that still differ.
import { type Effect, isFolderEffect, type ReviewTotals } from '@codelab/protocol';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../api/api.ts';
import type { SessionModel, Touched } from '../session-model.ts';
import { useSession } from '../session-store.ts';
import { changedPaths, isSamePathState, pathChanges } from './changed-paths.ts';

type State = Effect['before'];
type Lines = { added: number; removed: number };
export type ChangeStep = Pick<Touched, 'tool' | 'effects'> & Partial<Pick<Touched, 'diff'>>;

const takesBack = new Set(['undo', 'discard_changes']);
const restores = new Set([...takesBack, 'redo']);

/**
 * Where undo, redo or discard leads back to an earlier state of the files, its totals hold again. Where it leads to a new one, its own lines
 * are subtracted: it removes what was added.
 */
export function netLines(steps: readonly ChangeStep[]): Lines {
  const totals: Lines[] = [{ added: 0, removed: 0 }];
  const last = new Map<string, State>();
  for (const [at, { tool, effects, diff }] of steps.entries()) {
    const known = restores.has(tool) ? sameBefore(steps, at, last) : undefined;
    const { added, removed } = totals[at] ?? { added: 0, removed: 0 };
    const { additions = 0, deletions = 0 } = diff ?? {};
    totals.push(
      (known === undefined ? undefined : totals[known]) ??
        (takesBack.has(tool)
          ? { added: Math.max(0, added - deletions), removed: Math.max(0, removed - additions) }
          : { added: added + additions, removed: removed + deletions }),
    );
    for (const { path, after } of pathChanges(effects)) last.set(path, after);
  }
  return totals.at(-1) ?? { added: 0, removed: 0 };
}

/** After how many steps the files were as they are after step `at`; undefined when they never were. */
function sameBefore(
  steps: readonly ChangeStep[],
  at: number,
  last: ReadonlyMap<string, State>,
): number | undefined {
  const target = new Map(last);
  const differing = new Set<string>();
  for (const { path, after } of pathChanges(steps[at]?.effects ?? [])) {
    target.set(path, after);
    if (isSamePathState(last.get(path) ?? null, after)) differing.delete(path);
    else differing.add(path);
  }
  for (let count = at; ; count--) {
    if (differing.size === 0) return count;
    if (count === 0) return undefined;
    for (const { path, before } of pathChanges(steps[count - 1]?.effects ?? []).toReversed())
      if (isSamePathState(before, target.get(path) ?? null)) differing.delete(path);
      else differing.add(path);
  }
}

/** The files that the calls of these turns changed and that still differ from what they were before. */
export function filesLeft(
  { touched }: Pick<SessionModel, 'touched'>,
  isMeant: (turn: number) => boolean,
): string[] {
  const paths = new Set<string>();
  let first = touched.length;
  for (const [at, { turn, effects }] of touched.entries()) {
    if (turn === undefined || !isMeant(turn)) continue;
    first = Math.min(first, at);
    for (const effect of effects) if (!isFolderEffect(effect)) paths.add(effect.path);
  }
  const marks = changedPaths(touched.slice(first));
  return [...paths].filter((path) => marks.has(path));
}

/**
 * With `turn`, of that turn only. What the review comes to, once the gateway has told; the log alone does not have the lines of what
 * commands changed, and stands in until then.
 */
export function useNetChanges(turn?: number): ReviewTotals {
  const logged = useLoggedChanges(turn);
  return useReviewTotals(turn) ?? logged;
}

const waitMs = 200;

/** Asked for again a moment after files changed. */
function useReviewTotals(turn: number | undefined): ReviewTotals | undefined {
  const session = useSession(({ id }) => id);
  const count = useSession(({ touched }) => touched.length);
  const [answer, setAnswer] = useState<{ of: string; totals: ReviewTotals } | undefined>();
  const scope = `${session} ${turn ?? ''}`;
  useEffect(() => {
    if (session === '' || count === 0 || turn === 0) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      api.review
        .totals(session, turn, leaving.signal)
        .then((totals) => setAnswer({ of: scope, totals }))
        .catch(() => undefined);
    }, waitMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [session, turn, count, scope]);
  return answer?.of === scope ? answer.totals : undefined;
}

/** Computed again only when files changed. */
function useLoggedChanges(turn: number | undefined): ReviewTotals {
  const touched = useSession((session) => session.touched);
  const count = useSession((session) => session.touched.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists grow in place; the length says that they are others.
  return useMemo(() => {
    const files = filesLeft({ touched }, (other) => turn === undefined || other === turn).length;
    return { files, ...netLines(turn === undefined ? touched : stepsOf(touched, turn)) };
  }, [touched, count, turn]);
}

/** The steps of a turn, and what was undone, redone or discarded later in the same files. */
function stepsOf(steps: readonly Touched[], turn: number): Touched[] {
  const paths = new Set<string>();
  return steps.filter((step) => {
    const isOwn = step.turn === turn;
    if (isOwn) for (const { path } of step.effects) paths.add(path);
    return isOwn || (restores.has(step.tool) && step.effects.some(({ path }) => paths.has(path)));
  });
}
