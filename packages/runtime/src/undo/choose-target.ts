// Chooses what an undo or redo applies to: the named calls, or the latest turn or call whose changes stand.
import { firstNames, ToolError } from '@codelab/protocol';
import type { StandingCall } from './find-changes.ts';

export type UndoTarget = {
  call_id?: string | undefined;
  turn?: number | undefined;
  /** This turn and all later ones. */
  from_turn?: number | undefined;
  /** Only these files of the calls. */
  paths?: readonly string[] | undefined;
  isForced?: boolean;
};

/** Whether no older change could belong to the target. */
export function isTargetKnown(
  changes: readonly StandingCall[],
  wanted: UndoTarget,
  verb: 'undo' | 'redo',
): boolean {
  const named = namedBy(changes, wanted);
  if (verb === 'redo') return named.some((call) => call.tool !== 'redo');
  const latest = named.find((call) => call.tool !== 'undo');
  if (latest === undefined) return false;
  const turn = wanted.from_turn ?? wanted.turn ?? latest.turn;
  if (turn === undefined) return true;
  return changes.some((call) => call.session === latest.session && (call.turn ?? turn) < turn);
}

export function chooseTarget(
  changes: readonly StandingCall[],
  wanted: UndoTarget,
  verb: 'undo' | 'redo',
): StandingCall[] {
  const named = namedBy(changes, wanted);
  if (verb === 'redo') return redoable(named);
  // An undo is reverted by redo; a redo is a change like any other.
  const undoable = named.filter((call) => call.tool !== 'undo');
  const [latest] = undoable;
  if (latest === undefined) throw nothingToUndo(changes, wanted);
  if (wanted.call_id !== undefined) return [latest];
  if (wanted.from_turn !== undefined) return undoable.filter((call) => call.session === latest.session);
  const turn = wanted.turn ?? latest.turn;
  if (turn === undefined) return [latest];
  return undoable.filter((call) => call.session === latest.session && call.turn === turn);
}

function nothingToUndo(changes: readonly StandingCall[], wanted: UndoTarget): ToolError {
  const passedOver = changes.filter((call) => matches(call, wanted) && isPassedOver(call, wanted));
  const paths = [...new Set(passedOver.flatMap(({ groups }) => groups.flat().map(({ path }) => path)))];
  if (paths.length === 0)
    return new ToolError('FILE_NOT_FOUND', 'There is nothing to undo here.', { reason: 'nothing' });
  return new ToolError(
    'FILE_NOT_FOUND',
    `Nothing was undone. While a command ran, ${firstNames(paths)} changed, and it is not known whether the command did it. ` +
      'To undo these changes, name the files (`codelab undo --path PATH`, or `paths` of the undo tool).',
    { reason: 'uncertain', paths: paths.slice(0, 100) },
  );
}

function namedBy(changes: readonly StandingCall[], wanted: UndoTarget): StandingCall[] {
  return changes
    .filter((call) => matches(call, wanted) && !isPassedOver(call, wanted))
    .flatMap((call) => onlyPaths(call, wanted.paths));
}

// As in an editor: the last undo that was not redone, and only while nothing else was changed since.
function redoable(changes: readonly StandingCall[]): StandingCall[] {
  const latest = changes.find((call) => call.tool !== 'redo');
  if (latest?.takesBack && latest.tool === 'undo') return [latest];
  throw new ToolError('FILE_NOT_FOUND', 'There is nothing to redo here.', { reason: 'nothing' });
}

function onlyPaths(call: StandingCall, paths: UndoTarget['paths']): StandingCall[] {
  if (paths === undefined) return [call];
  const groups = call.groups
    // A file that is named is restored, whoever changed it.
    .map((group) =>
      group.filter(({ path }) => paths.includes(path)).map(({ uncertain: _, ...effect }) => effect),
    )
    .filter((group) => group.length > 0);
  return groups.length === 0 ? [] : [{ ...call, groups }];
}

// A call that may have changed nothing does not block the one before it, unless it is the target.
function isPassedOver({ groups }: StandingCall, wanted: UndoTarget): boolean {
  const { call_id, turn = wanted.from_turn, paths, isForced } = wanted;
  const isMeant = call_id !== undefined || turn !== undefined || paths !== undefined || isForced === true;
  return !isMeant && groups.flat().every(({ uncertain }) => uncertain);
}

function matches(call: StandingCall, { call_id, turn, from_turn }: UndoTarget): boolean {
  return (
    (call_id === undefined || call.callId === call_id) &&
    (turn === undefined || call.takesBack || call.turn === turn) &&
    (from_turn === undefined || call.takesBack || (call.turn ?? 0) >= from_turn)
  );
}
