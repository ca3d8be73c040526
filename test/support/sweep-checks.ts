// The laws after a killed call, whatever happened since.
import type { Outcome } from '@codelab/protocol';
import { type Lane, start } from './sweep-bench.ts';
import type { SweepEvent } from './sweep-events.ts';
import type { Report } from './sweep-order.ts';
import type { Point, Surveyed } from './sweep-points.ts';
import {
  describeDifference,
  differing,
  isSame,
  isTemp,
  readTree,
  stateAt,
  type Tree,
  without,
} from './sweep-tree.ts';

export type Combination = { surveyed: Surveyed; point: Point; event: SweepEvent };

export type Failure = { class: string; text: string };

/** `wasKilled`: whether the point was reached. */
export type Result = { wasKilled: boolean; failures: Failure[] };

export type Seen = {
  event: SweepEvent;
  /** The workspace right after the kill, after the event, after the first and after the second start. */
  before: Tree;
  after: Tree;
  found: Tree;
  later: Tree;
  /** Files that the event replaced by another, even if it looks the same: git does that when it restores one. */
  remade: readonly string[];
  outside: Tree;
  outsideLater: Tree;
  first: Report;
  second: Report;
};

/** Files of others that are no part of the question. */
const isBeside = (path: string): boolean => /^(beside|other\.txt)/.test(path);
const withoutTemps = (tree: Tree): Tree => without(tree, (path) => isTemp(path) || isBeside(path));

export function checkTree(combination: Combination, seen: Seen): Failure[] {
  const { surveyed } = combination;
  const failures: Failure[] = [];
  const fail = (name: string, text: string): void => void failures.push({ class: name, text });
  const leftTemps = Object.keys(seen.found).filter(isTemp);
  if (leftTemps.length > 0) fail('temp', `left in the workspace: ${leftTemps.join(', ')}`);
  if (!isSame(seen.outside, seen.outsideLater))
    fail('outside', `outside the workspace: ${describeDifference(seen.outsideLater, seen.outside)}`);
  if (!isSame(withoutTemps(seen.found), withoutTemps(seen.later)))
    fail('later', `a later start changed ${describeDifference(seen.later, seen.found)}`);
  const wrong = wrongPaths(surveyed, seen);
  if (wrong !== undefined) failures.push(wrong);
  return failures;
}

function wrongPaths({ case: sweepCase, old, new: later, undone }: Surveyed, seen: Seen): Failure | undefined {
  const found = withoutTemps(seen.found);
  const { event } = seen;
  if (event.isReplaced) {
    if (isSame(withoutTemps(seen.after), found)) return undefined;
    return {
      class: 'user',
      text: `another workspace at the same path: ${describeDifference(found, withoutTemps(seen.after))}`,
    };
  }
  if (isCompleted(seen) && !event.isStart) {
    if (isSame(withoutTemps(seen.after), found)) return undefined;
    return {
      class: 'redone',
      text: `a call that had ended was done again: ${describeDifference(found, withoutTemps(seen.after))}`,
    };
  }
  if (event.name === 'undo' && !sweepCase.isCommand) {
    // A completed undo is not undone by the next one, which continues with the call before it.
    if (sweepCase.call.tool === 'undo') {
      const reached = isCompleted(seen) ? (undone ?? later) : later;
      // A plain undo is refused where only a forced one may put something aside.
      const isRefused = sweepCase.call.args.force === true && isSame(found, old);
      if (isRefused || isSame(found, reached)) return undefined;
      return { class: 'undone', text: `after undo: ${describeDifference(found, reached)}` };
    }
    const hasEffects = outcomesOf(seen).some(({ effects }) => effects.length > 0);
    const expected = hasEffects ? old : (undone ?? old);
    if (isSame(found, expected)) return undefined;
    return { class: 'undone', text: `after undo: ${describeDifference(found, expected)}` };
  }
  const touched = new Set([
    ...differing(withoutTemps(seen.before), withoutTemps(seen.after)),
    ...seen.remade,
  ]);
  const swapped = event.isSwap ? [...touched].toSorted()[0] : undefined;
  const isUsers = (path: string): boolean =>
    touched.has(path) || (swapped !== undefined && path.startsWith(`${swapped}/`));
  const changedPaths = [...touched].filter((path) => found[path] !== seen.after[path]);
  if (changedPaths.length > 0)
    return {
      class: 'user',
      text: `what somebody else had done since: ${describeDifference(found, withoutTemps(seen.after))}`,
    };
  if (touched.size === 0 && !sweepCase.isCommand) {
    if (isSame(found, old) || isSame(found, later)) return undefined;
    const nearer = differing(found, old).length <= differing(found, later).length ? old : later;
    return { class: 'mixture', text: `neither old nor new: ${describeDifference(found, nearer)}` };
  }
  const paths = Object.keys({ ...old, ...later, ...found });
  const mixedPaths = paths.filter(
    (path) => !isUsers(path) && found[path] !== old[path] && found[path] !== later[path],
  );
  if (mixedPaths.length === 0) return undefined;
  return { class: 'mixture', text: `neither old nor new: ${mixedPaths.slice(0, 4).join(', ')}` };
}

const outcomesOf = ({ first }: Seen): Outcome[] => first.finished.filter(({ callId }) => callId === 'it');
const isCompleted = (seen: Seen): boolean => outcomesOf(seen)[0]?.status === 'completed';

/** The log knows how it ended, once, and says the truth. */
export function checkSettled({ surveyed }: Combination, seen: Seen): Failure[] {
  const failures: Failure[] = [];
  const fail = (name: string, text: string): void => void failures.push({ class: name, text });
  const { first, second } = seen;
  for (const report of [first, second]) {
    if (report.damage !== undefined) fail('log', JSON.stringify(report.damage));
    const failed = report.outcomes.find(({ status }) => status !== 'completed');
    if (failed !== undefined) fail('start', JSON.stringify(failed).slice(0, 300));
  }
  const hasStarted = first.started.includes('it');
  const outcomes = outcomesOf(seen);
  if (hasStarted && outcomes.length === 0) fail('unsettled', 'the call still counts as running');
  if (outcomes.length > 1) fail('twice', `${outcomes.length} outcomes of one call`);
  const [outcome] = outcomes;
  const found = withoutTemps(seen.found);
  const isQuiet = !seen.event.isStart && !seen.event.isReplaced && isSame(seen.before, seen.after);
  if (!hasStarted && isQuiet && !isSame(found, surveyed.old))
    fail('unlogged', 'changed without a start in the log');
  if (outcome?.status === 'completed' && isQuiet && !isSame(found, surveyed.new))
    fail('untrue', `the log says completed: ${describeDifference(found, surveyed.new)}`);
  if (
    outcome !== undefined &&
    outcome.status !== 'completed' &&
    outcome.error.code === 'OUTCOME_UNKNOWN' &&
    !seen.event.isStart
  )
    failures.push(...checkDetails(outcome.error.details, surveyed, seen));
  return failures;
}

function checkDetails(
  details: Record<string, unknown> | undefined,
  surveyed: Surveyed,
  seen: Seen,
): Failure[] {
  const files = (Array.isArray(details?.files) ? details.files : []) as { path?: string; found?: string }[];
  const isTouched = seen.remade.length > 0 || !isSame(withoutTemps(seen.before), withoutTemps(seen.after));
  return files.flatMap(({ path = '', found }) => {
    // A move is about two paths, and either may have been changed since.
    if (seen.event.isSwap || seen.event.isReplaced || (isTouched && found === 'other')) return [];
    const trees = { now: withoutTemps(seen.found), old: surveyed.old, new: surveyed.new };
    // A folder may be named for itself or with everything in it.
    const truths = [truthOf(trees, (tree) => tree[path]), truthOf(trees, (tree) => stateAt(tree, path))];
    if (truths.some((truth) => truth === undefined || truth === found)) return [];
    return [{ class: 'details', text: `details.files says ${path} is ${found}; it is ${truths[1]}` }];
  });
}

function truthOf(
  trees: Record<'now' | 'old' | 'new', Tree>,
  at: (tree: Tree) => string | undefined,
): 'old' | 'new' | 'other' | undefined {
  const [now, old, later] = [at(trees.now), at(trees.old), at(trees.new)];
  if (old === later) return undefined;
  return now === old ? 'old' : now === later ? 'new' : 'other';
}

/** Undo goes by the latest change, and items stored yesterday are still stored, whatever the clock was in between. */
export async function checkClock(
  lane: Lane,
  { surveyed, event }: Combination,
  seen: Seen,
): Promise<Failure[]> {
  const ann = { session: 'ann', id: 'clock_undo' };
  if (event.name === 'clock-back') {
    await start(lane, [{ tool: 'undo', args: { scope: 'workspace' }, ...ann }]);
    if (readTree(lane.root)['other.txt'] === undefined) return [];
    return [{ class: 'clock', text: 'undo took back something older than the latest write' }];
  }
  const isUndoable = isCompleted(seen) && !surveyed.case.isCommand && surveyed.case.call.tool !== 'undo';
  if (event.name !== 'clock-ahead' || !isUndoable) return [];
  const { outcomes } = await start(lane, [
    { tool: 'undo', args: { call_id: 'it', scope: 'workspace' }, ...ann },
  ]);
  if (isSame(withoutTemps(readTree(lane.root)), surveyed.old)) return [];
  return [{ class: 'clock', text: `what was kept is gone: ${JSON.stringify(outcomes[0]).slice(0, 200)}` }];
}

/** The same call id again: it runs now if it had not started, and never a second time. */
export async function checkRepeat(lane: Lane, { surveyed }: Combination, seen: Seen): Promise<Failure[]> {
  const { outcomes, finished } = await start(lane, [{ ...surveyed.case.call, id: 'it' }]);
  const tree = readTree(lane.root);
  const count = finished.filter(({ callId }) => callId === 'it').length;
  if (count !== 1) return [{ class: 'twice', text: `${count} outcomes after the same call id again` }];
  const hadStarted = seen.first.started.includes('it');
  const expected = hadStarted ? seen.later : surveyed.new;
  const isTold = hadStarted
    ? JSON.stringify(outcomes[0]) === JSON.stringify(outcomesOf(seen)[0])
    : outcomes[0]?.status === 'completed';
  if (isTold && isSame(tree, expected)) return [];
  return [
    {
      class: 'repeat',
      text: `the same call id again: ${JSON.stringify(outcomes[0]).slice(0, 120)} ${describeDifference(tree, expected)}`,
    },
  ];
}
