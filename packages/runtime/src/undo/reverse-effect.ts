// The change that undoes one effect, or why it cannot be undone: the file was changed since, or its old version is no longer kept.
import type { Effect, ErrorCode, FileState } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import { type Change, newTemp } from '../workspace/commit/change.ts';
import { recordedPath } from '../workspace/commit/change-position.ts';
import { identity, modeToFill } from '../workspace/directory.ts';
import { fault } from '../workspace/fault.ts';
import type { Located } from '../workspace/locate.ts';
import { isFolderMode } from './find-changes.ts';
import { isAsItCame, isWhole, keptState, noLongerKept, type UndoContext } from './index-changes.ts';
import { isAsBefore, isEmpty, isKept, isSameState, presentState } from './present-state.ts';

/** `afterwards` are changes that require the others to be made first. */
export type Reversal =
  | { path: string; changes: Change[]; afterwards?: Change[] }
  | { path: string; refused: string; code: ErrorCode };

/** `isReplacing`: the file shares its content with others only since the change. `changed` are the paths that are reversed with it. */
type Options = {
  home: string;
  isForced: boolean;
  isReplacing?: boolean;
  changed?: ReadonlySet<string>;
  /** Force: the reversal replaces what somebody has changed since. */
  isOver?: boolean;
  item(): string;
};

const itself = { ...recordedPath, access: 'write' as const };

/** A path that can't be reached any more, as below a folder that became a file or a link, is refused like one that was changed. */
export function reverseEffect(effect: Effect, context: UndoContext, options: Options): Reversal {
  try {
    return reversalOf(effect, context, options);
  } catch (error) {
    const { message, code } = fault(error, effect.path);
    return { path: effect.path, refused: message, code };
  }
}

function reversalOf(effect: Effect, context: UndoContext, options: Options): Reversal {
  const { path } = effect;
  if (isLeftAlone(effect, options.isForced)) return { path, refused: unknownWriter, code: 'STALE' };
  if (isFolderMode(effect)) return reverseMode(effect, context);
  using place = context.workspace.locate(path, itself);
  const now = presentState(place, effect.after ?? effect.before);
  if (effect.op === 'mkdir') return { path, changes: removeFolder(path, now) };
  const { before } = effect;
  if (effect.op === 'delete' && before?.type === 'directory' && effect.trashId === undefined)
    return makeFolder(path, before, now);
  if (!isSameState(now, effect.after)) {
    if (isAsBefore(now, effect)) return { path, changes: [] };
    const rest = effect.op === 'move' ? restOfMove(effect, now, context) : undefined;
    if (rest !== undefined && (rest.length === 0 || isKept(effect, options.home)))
      return { path, changes: rest };
    const isNoFolder = effect.after?.type !== 'directory' && before?.type !== 'directory';
    if (now?.type === 'directory' && isNoFolder) return blocked(path, now, path);
    if (effect.op === 'move' && now?.type !== effect.after?.type)
      return notWhatWasMoved(effect, now, options);
  }
  // What a command renamed may have been moved away by hand, as the refusal of its removal advises.
  const isMovedAway = now === null && effect.oldName !== undefined;
  const isInsideChanged = now !== null && isWhole(effect) && !isAsItCame(effect, context.folders);
  const isChanged = effect.changed === true || !isSameState(now, effect.after);
  if (!options.isForced && !isMovedAway && isChanged)
    return { path, refused: now === null ? 'it is gone' : 'it was changed since', code: 'STALE' };
  if (!options.isForced && isInsideChanged)
    return { path, refused: 'something in it was changed since', code: 'STALE' };
  if (before !== null && !isKept(effect, options.home))
    return { path, refused: noLongerKept(effect, options.home), code: 'FILE_NOT_FOUND' };
  const forced = { ...options, isOver: now !== null && (isChanged || isInsideChanged) };
  if (effect.op === 'move') return moveBack(effect, { place, now }, context, forced);
  const old = before && keptState(before, effect.trashId, context);
  return { path, ...putBack({ ...effect, before: old }, place, now, forced) };
}

export function isLeftAlone({ uncertain }: Effect, isForced: boolean): boolean {
  return uncertain === true && !isForced;
}

export const unknownWriter =
  'it changed while the command ran, and it is unknown who changed it; to undo it anyway, give its path';

function reverseMode({ path, before, after }: Effect, { workspace }: PlanContext): Reversal {
  using place = workspace.locate(path, itself);
  const now = presentState(place, after);
  if (now?.mode !== after?.mode)
    return { path, refused: now === null ? 'it is gone' : 'it was changed since', code: 'STALE' };
  return { path, changes: [{ op: 'mkdir', intent: { op: 'update', path, before: after, after: before } }] };
}

/** The folder as it is by now, so that a redo makes it so again. */
function removeFolder(path: string, now: FileState | null): Change[] {
  if (now?.type !== 'directory') return [];
  return [{ op: 'rmdir', intent: { op: 'delete', path, before: now, after: null } }];
}

/** A folder that was removed because it was empty is created again empty, unless a person already did. */
function makeFolder(path: string, before: FileState, now: FileState | null): Reversal {
  if (now?.type === 'directory') return { path, changes: [] };
  if (now !== null) return blocked(path, now, path);
  return { path, changes: newFolder(path, before), afterwards: modeAsBefore(path, before) };
}

function newFolder(path: string, state: FileState): Change[] {
  return [{ op: 'mkdir', intent: { op: 'mkdir', path, before: null, after: state } }];
}

/** A folder that its owner cannot write to gets its mode after its content. */
export function modeAsBefore(path: string, state: FileState): Change[] {
  const mode = modeToFill(state.mode);
  if (state.mode === mode) return [];
  return [{ op: 'mkdir', intent: { op: 'update', path, before: { ...state, mode }, after: state } }];
}

function putBack(
  effect: Effect,
  place: Located,
  now: FileState | null,
  { item, isReplacing, isOver }: Options,
): { changes: Change[]; afterwards?: Change[] } {
  const expected = place.stat === undefined ? 'absent' : identity(place.stat);
  const { path, before, trashId } = effect;
  const keptItem = now === null ? {} : { trashId: item(), ...(isOver && overChanges) };
  const removal = (state: FileState): Change => ({
    op: 'remove',
    expected,
    temp: newTemp(),
    intent: { op: 'delete', path, before: state, after: null, ...keptItem },
  });
  if (before === null || trashId === undefined) return { changes: now === null ? [] : [removal(now)] };
  // Nothing can be renamed over a folder, and no folder over anything else.
  if (now !== null && (now.type === 'directory' || before.type === 'directory'))
    return { changes: [removal(now)], afterwards: putKept(path, before, trashId) };
  const intent: Effect = {
    op: now === null ? 'create' : 'update',
    path,
    before: now,
    after: before,
    ...keptItem,
  };
  const replacing = isReplacing ? { isReplacing: true as const } : {};
  return {
    changes: [{ op: 'put', expected, temp: newTemp(), source: { kept: trashId }, intent, ...replacing }],
  };
}

const overChanges = { changedBefore: true } as const;

function putKept(path: string, state: FileState, trashId: string): Change[] {
  const intent: Effect = { op: 'create', path, before: null, after: state };
  return [{ op: 'put', expected: 'absent', temp: newTemp(), source: { kept: trashId }, intent }];
}

type Moved = { place: Located; now: FileState | null };

function moveBack(effect: Effect, { place, now }: Moved, context: PlanContext, options: Options): Reversal {
  const { path, from = path } = effect;
  using origin = context.workspace.locate(from, itself);
  const obstacle = obstacleAt(origin, place, effect, options);
  if (obstacle !== undefined) return obstacle;
  const expectedFrom = place.stat === undefined ? 'absent' : identity(place.stat);
  const expected = origin.stat === undefined ? 'absent' : identity(origin.stat);
  const replaced = {
    ...(origin.stat !== undefined && { trashId: options.item() }),
    ...(options.isOver && overChanges),
  };
  const afterwards = putReplaced(effect);
  const isFollowed = afterwards.length > 0 && expected === 'absent' && place.stat?.isFile() === true;
  const before = presentState(origin, null);
  const back: Change = {
    op: 'move',
    expected,
    expectedFrom,
    ...(isFollowed && { temp: newTemp() }),
    // Forced: it moves as it is now.
    intent: { op: 'move', path: from, from: path, before, after: now, ...replaced },
  };
  return { path, changes: [back], afterwards };
}

/** What was moved is gone by now, or is something else. Only what the move had replaced can still be restored. */
function notWhatWasMoved(effect: Effect, now: FileState | null, { home, isForced }: Options): Reversal {
  const { path, from = path, after } = effect;
  const isRestorable = now === null && effect.before !== null && isKept(effect, home);
  if (isForced && isRestorable) return { path, changes: putReplaced(effect) };
  const problem =
    now === null ? 'it is gone' : `${wordFor(after)} was moved there, and it is ${wordFor(now)} now`;
  const reason = `${problem}, so nothing is moved to ${from}; if you moved it on, move it back to ${path}, then try again`;
  return { path, refused: reason, code: isRestorable ? 'STALE' : 'FILE_NOT_FOUND' };
}

function wordFor(state: FileState | null): string {
  if (state?.type === 'directory') return 'a folder';
  return state?.type === 'symlink' ? 'a link' : 'a file';
}

/** A new entry at the place where the moved file or folder was. */
function obstacleAt(
  origin: Located,
  place: Located,
  { path, from = path, after }: Effect,
  { isForced, changed }: Options,
): Reversal | undefined {
  const { stat } = origin;
  // The other changes of the set remove what they created there. A case-insensitive file system has one file for both names.
  if (stat === undefined || changed?.has(from) || stat.ino === place.stat?.ino) return undefined;
  const there = presentState(origin, after);
  if (stat.isDirectory() && place.stat?.isDirectory() && isEmpty(origin)) return undefined;
  if (stat.isDirectory() || place.stat?.isDirectory()) return blocked(path, there, from);
  const isRestored = after?.digest !== undefined && isSameState(there, after);
  if (isForced || isRestored) return undefined;
  return { path, refused: `another ${from} exists now`, code: 'STALE' };
}

function blocked(path: string, state: FileState | null, at: string): Reversal {
  const word = state?.type === 'directory' ? 'folder' : 'file';
  return {
    path,
    refused: `another ${word} ${at} exists now; move it away, then try again`,
    code: 'ALREADY_EXISTS',
  };
}

/** What a move had replaced returns to where the moved file was. */
function putReplaced({ path, before, trashId }: Effect): Change[] {
  if (before === null || trashId === undefined) return [];
  // A replaced folder was empty. As a new one, it is removed again only while it is empty.
  const isFillable = before.type === 'directory' && modeToFill(before.mode) === before.mode;
  return isFillable ? newFolder(path, before) : putKept(path, before, trashId);
}

/** The remaining changes when an interrupted undo has already moved the file back; undefined when none has. */
export function restOfMove(
  effect: Effect,
  now: FileState | null,
  { workspace }: Pick<PlanContext, 'workspace'>,
): Change[] | undefined {
  const { path, from = path, before, after } = effect;
  // Folders look alike, and so do files that are too large for a digest.
  if (after?.digest === undefined || (before !== null && before.digest === undefined)) return undefined;
  using origin = workspace.locate(from, itself);
  if (!isSameState(presentState(origin, after), after)) return undefined;
  if (isSameState(now, before)) return [];
  return now === null ? putReplaced(effect) : undefined;
}
