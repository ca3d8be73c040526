// Effects of an undo or redo that belong together, as a move and what it had replaced: where one can't be reversed, none is.
import type { Effect, ErrorCode, FileState } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import { hasItem } from '../workspace/quarantine/quarantine.ts';
import { isSameState } from './present-state.ts';
import { isLeftAlone, reverseEffect, unknownWriter } from './reverse-effect.ts';

export type Refused = { path: string; refused: string; code: ErrorCode };

/** By path: the state once newer effects are reversed. */
type StatesThen = Map<string, FileState | null>;

type Reversing = { context: PlanContext; isForced: boolean; then?: ReadonlyMap<string, FileState | null> };

/** The set of an effect, and the older sets of its call. */
export type Neighbours = { group: readonly Effect[]; older: readonly Effect[] };

/** Why an effect is refused: an older one that shares a name with it, or with another such one, can't be reversed after it. */
export function refusedWithOlder(
  newest: Effect,
  { group, older }: Neighbours,
  { context, isForced, then: known = new Map() }: Reversing,
): Refused | undefined {
  if (!isLink(newest)) return undefined;
  const then: StatesThen = new Map(known);
  // The others of its set are reversed with it, such as the folder that it is in.
  for (const effect of group.toReversed()) reverseIn(then, effect);
  for (const effect of linkedTo(newest, older).toReversed()) {
    // Below a folder that is moved or made before, the disk does not show what is there then.
    const isHidden = effectPaths(effect).some((path) =>
      [...then.keys()].some((name) => path.startsWith(`${name}/`)),
    );
    const problem = isHidden ? undefined : obstacleThen(effect, then, context, isForced);
    if (problem !== undefined) return { ...problem, path: newest.path, refused: reasonFor(newest, problem) };
    reverseIn(then, effect);
  }
  return undefined;
}

export type LeftEffect = { effect: Effect; reversal: Refused };

/** An edit by itself leaves nothing half done, and what is removed leaves its place to others. */
export function isLink({ op }: Effect): boolean {
  return op !== 'update' && op !== 'delete';
}

export const effectPaths = ({ path, from = path }: Effect): string[] => [path, from];

function linkedTo(newest: Effect, older: readonly Effect[]): Effect[] {
  const names = new Set(effectPaths(newest));
  for (let size = 0; size < names.size; ) {
    size = names.size;
    for (const own of older.map(effectPaths))
      if (own.some((name) => names.has(name))) for (const name of own) names.add(name);
  }
  return older.filter((effect) => effectPaths(effect).some((name) => names.has(name)));
}

export function reasonFor(newest: Effect, { path, refused }: Refused): string {
  return path === newest.path ? refused : `it belongs together with ${path}, which is left: ${refused}`;
}

export function reverseIn(then: StatesThen, { op, path, from, before, after }: Effect): void {
  then.set(path, before);
  if (op === 'move' && from !== undefined) then.set(from, after);
}

/** What prevents the reversal of an effect once newer ones are reversed. */
export function obstacleThen(
  effect: Effect,
  then: ReadonlyMap<string, FileState | null>,
  context: PlanContext,
  isForced: boolean,
): Refused | undefined {
  const { path, before, after, trashId } = effect;
  if (isLeftAlone(effect, isForced)) return { path, refused: unknownWriter, code: 'STALE' };
  const stateThen = then.get(path);
  if (stateThen !== undefined) {
    if (!isForced && (effect.changed || !isSameState(stateThen, after)))
      return { path, refused: 'it was changed since', code: 'STALE' };
    const isRemembered = before === null || (before.type === 'directory' && trashId === undefined);
    const isKept = isRemembered || (trashId !== undefined && hasItem(context.home, trashId));
    return isKept
      ? undefined
      : { path, refused: 'its previous content is not stored', code: 'FILE_NOT_FOUND' };
  }
  const changed = new Set(then.keys());
  const reversal = reverseEffect(effect, context, { home: context.home, isForced, changed, item: () => '0' });
  return 'refused' in reversal ? reversal : undefined;
}
