// The change that undoes one effect, or why it cannot be undone: the file was changed since, or its old version is no longer kept.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Effect, ErrorCode, FileState } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { type Change, fileStateAt, newTemp } from '../workspace/commit/change.ts';
import { identity, modeToFill } from '../workspace/directory.ts';
import { fault } from '../workspace/fault.ts';
import type { Located } from '../workspace/locate.ts';
import { type DirectoryEntry, openItem } from '../workspace/quarantine/quarantine.ts';
import { isFolderMode } from './find-changes.ts';

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
  item(): string;
};

const itself = { followLast: false, access: 'write', pathChars: Number.MAX_SAFE_INTEGER } as const;

/** A path that can't be reached any more, as below a folder that became a file or a link, is refused like one that was changed. */
export function reverseEffect(effect: Effect, context: PlanContext, options: Options): Reversal {
  try {
    return reversalOf(effect, context, options);
  } catch (error) {
    const { message, code } = fault(error, effect.path);
    return { path: effect.path, refused: message, code };
  }
}

function reversalOf(effect: Effect, context: PlanContext, options: Options): Reversal {
  const { path } = effect;
  if (isLeftAlone(effect, options.isForced)) return { path, refused: unknownWriter, code: 'STALE' };
  if (isFolderMode(effect)) return reverseMode(effect, context);
  if (effect.op === 'mkdir')
    return {
      path,
      changes: [{ op: 'rmdir', intent: { op: 'delete', path, before: effect.after, after: null } }],
    };
  // A folder that an undo removed because it was empty is created again empty.
  if (effect.op === 'delete' && effect.before?.type === 'directory' && effect.trashId === undefined) {
    return {
      path,
      changes: [{ op: 'mkdir', intent: { op: 'mkdir', path, before: null, after: effect.before } }],
      afterwards: modeAsBefore(path, effect.before),
    };
  }
  using place = context.workspace.locate(path, itself);
  const now = presentState(place, effect.after ?? effect.before);
  if (!isSameState(now, effect.after)) {
    if (isAsBefore(now, effect)) return { path, changes: [] };
    const rest = effect.op === 'move' ? restOfMove(effect, now, context) : undefined;
    if (rest !== undefined && (rest.length === 0 || isKept(effect, options.home)))
      return { path, changes: rest };
  }
  // What a command renamed may have been moved away by hand, as the refusal of its removal advises.
  const isMovedAway = now === null && effect.oldName !== undefined;
  if (!options.isForced && !isMovedAway && !isSameState(now, effect.after))
    return { path, refused: now === null ? 'it is gone' : 'it was changed since', code: 'STALE' };
  if (effect.before !== null && !isKept(effect, options.home))
    return {
      path,
      refused: effect.trashId === undefined ? 'its previous content was not stored' : evicted,
      code: 'FILE_NOT_FOUND',
    };
  if (effect.op === 'move') return moveBack(effect, place, context, options);
  const wasFile = effect.before !== null && effect.before.type !== 'directory';
  if (wasFile && now?.type === 'directory') return blocked(path, path);
  return { path, changes: putBack(effect, place, now, options) };
}

/** The effect was already undone, by a person or by an interrupted undo. Folders look alike, so this never applies to them. */
export function isAsBefore(now: FileState | null, { op, before }: Effect): boolean {
  if (op === 'move' || before?.type === 'directory') return false;
  return before === null ? now === null : before.digest !== undefined && isSameState(now, before);
}

export function isLeftAlone({ uncertain }: Effect, isForced: boolean): boolean {
  return uncertain === true && !isForced;
}

export const unknownWriter =
  'it changed while the command ran, and it is unknown who changed it; to undo it anyway, give its path';

const evicted = 'its previous content is no longer stored (14 days, 1 GiB)';

function reverseMode({ path, before, after }: Effect, { workspace }: PlanContext): Reversal {
  using place = workspace.locate(path, itself);
  const now = presentState(place, after);
  if (now?.mode !== after?.mode)
    return { path, refused: now === null ? 'it is gone' : 'it was changed since', code: 'STALE' };
  return { path, changes: [{ op: 'mkdir', intent: { op: 'update', path, before: after, after: before } }] };
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
  { item, isReplacing }: Options,
): Change[] {
  const expected = place.stat === undefined ? 'absent' : identity(place.stat);
  const { path, before, trashId } = effect;
  const keptItem = now === null ? {} : { trashId: item() };
  if (before === null || trashId === undefined) {
    return now === null
      ? []
      : [
          {
            op: 'remove',
            expected,
            temp: newTemp(),
            intent: { op: 'delete', path, before: now, after: null, ...keptItem },
          },
        ];
  }
  const intent: Effect = {
    op: now === null ? 'create' : 'update',
    path,
    before: now,
    after: before,
    ...keptItem,
  };
  const replacing = isReplacing ? { isReplacing: true as const } : {};
  return [{ op: 'put', expected, temp: newTemp(), source: { kept: trashId }, intent, ...replacing }];
}

function moveBack(effect: Effect, place: Located, context: PlanContext, options: Options): Reversal {
  const { path, from = path } = effect;
  using origin = context.workspace.locate(from, itself);
  const obstacle = obstacleAt(origin, place, effect, options);
  if (obstacle !== undefined) return obstacle;
  const expectedFrom = place.stat === undefined ? 'absent' : identity(place.stat);
  const expected = origin.stat === undefined ? 'absent' : identity(origin.stat);
  const replaced = origin.stat === undefined ? {} : { trashId: options.item() };
  const afterwards = putReplaced(effect);
  const isFollowed = afterwards.length > 0 && expected === 'absent' && place.stat?.isFile() === true;
  const back: Change = {
    op: 'move',
    expected,
    expectedFrom,
    ...(isFollowed && { temp: newTemp() }),
    intent: {
      op: 'move',
      path: from,
      from: path,
      before: presentState(origin, null),
      after: effect.after,
      ...replaced,
    },
  };
  return { path, changes: [back], afterwards };
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
  if (stat.isDirectory())
    return place.stat?.isDirectory() && isEmpty(origin) ? undefined : blocked(path, from);
  const isRestored = after?.digest !== undefined && isSameState(presentState(origin, after), after);
  if (isForced || isRestored) return undefined;
  return { path, refused: `another ${from} exists now`, code: 'STALE' };
}

function blocked(path: string, at: string): Reversal {
  return {
    path,
    refused: `another folder ${at} exists now; move it away, then undo again`,
    code: 'ALREADY_EXISTS',
  };
}

export function isEmpty({ parent, name }: Located): boolean {
  return readdirSync(parent.at(name)).length === 0;
}

/** The file that a move had replaced returns to where the moved file was. */
function putReplaced({ path, before, trashId }: Effect): Change[] {
  if (before === null || trashId === undefined) return [];
  const intent: Effect = { op: 'create', path, before: null, after: before };
  return [{ op: 'put', expected: 'absent', temp: newTemp(), source: { kept: trashId }, intent }];
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

function isKept(effect: Effect, home: string): boolean {
  using item = effect.trashId === undefined ? undefined : openItem(home, effect.trashId);
  if (item === undefined) return false;
  return effect.before?.digest === undefined || digestOf(item) === effect.before.digest;
}

// The file is read only where there is a digest to compare it with: it may be too large to read.
export function presentState(place: Located, then: FileState | null): FileState | null {
  if (place.stat === undefined) return null;
  const state = fileStateAt(place, place.stat);
  if (!place.stat.isFile() || state.digest !== undefined || then?.digest === undefined) return state;
  return { ...state, digest: digest(readFileSync(place.parent.at(place.name))) };
}

function digestOf({ parent, name }: DirectoryEntry): string | undefined {
  const stat = lstatSync(parent.at(name));
  if (stat.isSymbolicLink()) return digest(readlinkSync(parent.at(name)));
  return stat.isFile() ? digest(readFileSync(parent.at(name))) : undefined;
}

// For a folder only its type is compared: its content has effects of its own.
export function isSameState(now: FileState | null, then: FileState | null): boolean {
  if (now === null || then === null) return now === then;
  if (now.type !== then.type) return false;
  if (now.type === 'directory') return true;
  const isSameContent = then.digest === undefined ? now.size === then.size : now.digest === then.digest;
  return isSameContent && now.mode === then.mode;
}
