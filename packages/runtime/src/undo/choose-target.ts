// Chooses what an undo or redo applies to: the named calls, or the latest turn or call whose changes stand.
import { type Effect, firstNames, ToolError } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import { recordedPath } from '../workspace/commit/change-position.ts';
import { isFolderMode, type OriginCall, type StandingCall } from './find-changes.ts';
import { isCopy } from './only-copy.ts';
import { isAsBefore, isEmpty, isSameState, presentState } from './present-state.ts';
import { restOfMove } from './reverse-effect.ts';

export type UndoTarget = {
  call_id?: string | undefined;
  turn?: number | undefined;
  /** Selects the turn and all later ones. */
  from_turn?: number | undefined;
  /** Limits the undo to these files of the calls. */
  paths?: readonly string[] | undefined;
  isForced?: boolean;
  /** The present state of an effect; `earlier` are the earlier effects on the same path, newest first. */
  readState(effect: Effect, earlier: readonly Effect[]): EffectState;
};

/** Whether no older change could belong to the target. */
export function isTargetKnown(
  changes: readonly StandingCall[],
  target: UndoTarget,
  verb: 'undo' | 'redo',
): boolean {
  const candidates = verb === 'redo' ? namedBy(changes, target) : undoableBy(changes, target);
  if (verb === 'redo') return candidates.some((call) => call.tool !== 'redo');
  const [latest] = candidates;
  // A file in none of the states known so far may be in an older one.
  if (latest === undefined || isBlocked(latest, changes, target)) return false;
  const turn = target.from_turn ?? target.turn ?? latest.turn;
  if (turn === undefined) return true;
  return changes.some((call) => call.session === latest.session && (call.turn ?? turn) < turn);
}

export function chooseTarget(
  changes: readonly StandingCall[],
  target: UndoTarget,
  verb: 'undo' | 'redo',
): StandingCall[] {
  if (verb === 'redo') return redoable(namedBy(changes, target));
  const undoable = undoableBy(changes, target);
  const [latest] = undoable;
  if (latest === undefined) throw nothingToUndo(changes, target);
  const { call_id, from_turn } = target;
  const turn = target.turn ?? latest.turn;
  const isNamed = [call_id, from_turn, target.turn].some((part) => part !== undefined);
  if (!isNamed && turn === undefined) return [latest];
  // A redo may have run in another session than the calls that it redid.
  const session = isNamed ? latest.origins[0]?.session : latest.session;
  const isIn = ({ session: callSession, turn: at }: OriginCall): boolean =>
    callSession === session && (call_id !== undefined || from_turn !== undefined || at === turn);
  return withoutRedone(undoable.filter((call) => isIn(call) || call.origins.every(isIn)));
}

/** Undoing a redo also undoes the calls that it redid, file by file. */
function withoutRedone(targets: readonly StandingCall[]): StandingCall[] {
  const redone = new Set<string>();
  const key = ({ session, callId }: OriginCall, path: string): string =>
    JSON.stringify([session, callId, path]);
  return targets.flatMap((call) => {
    const { tool, origins } = call;
    const groups = call.groups
      .map((group) => group.filter(({ path }) => !origins.every((origin) => redone.has(key(origin, path)))))
      .filter((group) => group.length > 0);
    for (const { path, from = path } of tool === 'redo' ? groups.flat() : [])
      for (const origin of origins) redone.add(key(origin, path)).add(key(origin, from));
    return groups.length === 0 ? [] : [{ ...call, groups }];
  });
}

function nothingToUndo(changes: readonly StandingCall[], target: UndoTarget): ToolError {
  const passedOver = changes.filter((call) => matches(call, target) && isPassedOver(call, target));
  const paths = [...new Set(passedOver.flatMap(({ groups }) => groups.flat().map(({ path }) => path)))];
  if (paths.length === 0)
    return new ToolError('FILE_NOT_FOUND', 'There is nothing to undo here.', { reason: 'nothing' });
  return new ToolError(
    'FILE_NOT_FOUND',
    `Nothing was undone. While a command ran, ${firstNames(paths)} changed, and it is unknown whether the command changed it. ` +
      'To undo these changes, name the files (`codelab undo --path PATH`, or `paths` of the undo tool).',
    { reason: 'uncertain', paths: paths.slice(0, 100) },
  );
}

function namedBy(changes: readonly StandingCall[], target: UndoTarget): StandingCall[] {
  return changes
    .filter((call) => matches(call, target) && !isPassedOver(call, target))
    .flatMap((call) => onlyPaths(call, target.paths));
}

/** Newest first, from the first call on that left something to undo. */
function undoableBy(changes: readonly StandingCall[], target: UndoTarget): StandingCall[] {
  // An undo is reverted by redo; a redo is a change like any other.
  const undoable = namedBy(changes, target).filter((call) => call.tool !== 'undo');
  if (isExplicit(target)) return undoable;
  const stateOf = effectStates(changes, target);
  const isGone = (effect: Effect): boolean => effect.uncertain === true || stateOf(effect) === 'gone';
  const first = undoable.findIndex((call) => !call.groups.flat().every(isGone));
  return first < 0 ? [] : undoable.slice(first);
}

/** Every file of the call was changed since, so its undo would be refused as a whole. */
function isBlocked({ groups }: StandingCall, changes: readonly StandingCall[], target: UndoTarget): boolean {
  if (isExplicit(target)) return false;
  const stateOf = effectStates(changes, target);
  return groups.flat().every((effect) => stateOf(effect) === 'changed');
}

function effectStates(
  changes: readonly StandingCall[],
  { readState }: UndoTarget,
): (effect: Effect) => EffectState {
  const byPath = new Map<string, Effect[]>();
  for (const effect of changes.flatMap(({ groups }) => groups.flat().toReversed())) {
    const effects = byPath.get(effect.path);
    if (effects === undefined) byPath.set(effect.path, [effect]);
    else effects.push(effect);
  }
  return (effect) => {
    const effects = byPath.get(effect.path) ?? [];
    return readState(effect, effects.slice(effects.indexOf(effect) + 1));
  };
}

// As in an editor: the last undo without a redo, and only while nothing has changed since.
function redoable(changes: readonly StandingCall[]): StandingCall[] {
  const latest = changes.find((call) => call.tool !== 'redo');
  if (latest?.takesBack && latest.tool === 'undo') return [latest];
  throw new ToolError('FILE_NOT_FOUND', 'There is nothing to redo here.', { reason: 'nothing' });
}

function onlyPaths(call: StandingCall, paths: UndoTarget['paths']): StandingCall[] {
  if (paths === undefined) return [call];
  const effects = call.groups.flat();
  const named = effects.filter(({ path }) => paths.includes(path));
  const oldNames = new Set(named.flatMap((effect) => oldNamesOf(effect, effects)));
  const groups = call.groups
    .map((group) => group.flatMap((effect) => chosenEffect(effect, paths, oldNames)))
    .filter((group) => group.length > 0);
  return groups.length === 0 ? [] : [{ ...call, groups, notRecorded: 0 }];
}

/** A named file is restored, whoever changed it. */
function chosenEffect(effect: Effect, paths: readonly string[], oldNames: ReadonlySet<string>): Effect[] {
  const { uncertain: _, ...certain } = effect;
  if (paths.includes(effect.path)) return [certain];
  return oldNames.has(effect.path) ? [effect] : [];
}

/** A command that renames a file creates one and deletes the other. To remove only the new name would leave no copy of the file. */
function oldNamesOf({ op, after, oldName }: Effect, effects: readonly Effect[]): string[] {
  if (typeof oldName === 'string') return [oldName];
  if (op !== 'create') return [];
  return effects.flatMap(({ op: other, path, before }) =>
    other === 'delete' && isCopy(after, before) ? [path] : [],
  );
}

// A call that may have changed nothing does not block the one before it, unless it is the target.
function isPassedOver({ groups }: StandingCall, target: UndoTarget): boolean {
  return !isExplicit(target) && groups.flat().every(({ uncertain }) => uncertain);
}

function isExplicit({ call_id, turn, from_turn, paths, isForced }: UndoTarget): boolean {
  return [call_id, turn, from_turn, paths].some((field) => field !== undefined) || isForced === true;
}

export type EarlierTurn = { session: string; turn: number };

/** The next older turn of the session that changed files. */
export function turnBefore(
  changes: readonly StandingCall[],
  [target]: readonly StandingCall[],
): EarlierTurn | undefined {
  if (target?.turn === undefined) return undefined;
  const { session, turn: last } = target;
  const turns = changes.flatMap((call) => (call.session === session ? [call.turn ?? last] : []));
  const turn = turns.find((earlier) => earlier < last);
  return turn === undefined ? undefined : { session, turn };
}

function matches(call: StandingCall, { call_id, turn, from_turn }: UndoTarget): boolean {
  return (
    (call_id === undefined || isAbout(call, ({ callId }) => callId === call_id)) &&
    (turn === undefined || isAbout(call, ({ turn: originTurn }) => originTurn === turn)) &&
    (from_turn === undefined || isAbout(call, ({ turn: originTurn }) => (originTurn ?? 0) >= from_turn))
  );
}

/** A redo belongs to a turn or call when all that it redid does. */
function isAbout(call: StandingCall, test: (origin: OriginCall) => boolean): boolean {
  return test(call) || (call.takesBack && call.origins.every(test));
}

/** `stands`: as the effect left it. `gone`: as it was before the effect, or before an earlier one. */
type EffectState = 'stands' | 'gone' | 'changed';

/** `earlier` are the effects on the same path before this one, newest first. */
export function effectState(
  effect: Effect,
  earlier: readonly Effect[],
  { workspace }: Pick<PlanContext, 'workspace'>,
): EffectState {
  const { op, path, before, after } = effect;
  try {
    using place = workspace.locate(path, recordedPath);
    const now = presentState(place, after ?? before);
    if (isFolderMode(effect)) return now?.mode === after?.mode ? 'stands' : 'changed';
    // Undo leaves a folder that has content by now, so there is nothing left to undo.
    if (op === 'mkdir') return now?.type === 'directory' && isEmpty(place) ? 'stands' : 'gone';
    if (isSameState(now, after)) return 'stands';
    if (op === 'move') return restOfMove(effect, now, { workspace })?.length === 0 ? 'gone' : 'changed';
    return [effect, ...earlier].some((candidate) => isAsBefore(now, candidate)) ? 'gone' : 'changed';
  } catch {
    return 'changed';
  }
}
