// What an undo or redo is about: the calls named, or the latest turn or call that stands.
import { ToolError } from '@codelab/protocol';
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

/** Whether nothing older than these changes could belong to the target. */
export function isTargetKnown(
  changes: readonly StandingCall[],
  wanted: UndoTarget,
  verb: 'undo' | 'redo',
): boolean {
  const named = namedBy(changes, wanted);
  if (verb === 'redo') return named.some((one) => one.tool !== 'redo');
  const latest = named.find((one) => one.tool !== 'undo');
  if (latest === undefined) return false;
  const turn = wanted.from_turn ?? wanted.turn ?? latest.turn;
  if (turn === undefined) return true;
  return changes.some((one) => one.session === latest.session && (one.turn ?? turn) < turn);
}

export function chooseTarget(
  changes: readonly StandingCall[],
  wanted: UndoTarget,
  verb: 'undo' | 'redo',
): StandingCall[] {
  const named = namedBy(changes, wanted);
  if (verb === 'redo') return redoable(named);
  // An undo is taken back by redo; a redo is a change like any other.
  const own = named.filter((one) => one.tool !== 'undo');
  const [latest] = own;
  if (latest === undefined)
    throw new ToolError('FILE_NOT_FOUND', 'There is nothing to undo here.', { reason: 'nothing' });
  if (wanted.call_id !== undefined) return [latest];
  if (wanted.from_turn !== undefined) return own.filter((one) => one.session === latest.session);
  const turn = wanted.turn ?? latest.turn;
  if (turn === undefined) return [latest];
  return own.filter((one) => one.session === latest.session && one.turn === turn);
}

function namedBy(changes: readonly StandingCall[], wanted: UndoTarget): StandingCall[] {
  return changes
    .filter((one) => matches(one, wanted) && !isPassedOver(one, wanted))
    .flatMap((one) => onlyPaths(one, wanted.paths));
}

// As in an editor: what was undone last and not brought again since, and only while nothing else was changed since.
function redoable(changes: readonly StandingCall[]): StandingCall[] {
  const latest = changes.find((one) => one.tool !== 'redo');
  if (latest?.takesBack && latest.tool === 'undo') return [latest];
  throw new ToolError('FILE_NOT_FOUND', 'There is nothing to redo here.', { reason: 'nothing' });
}

function onlyPaths(one: StandingCall, paths: UndoTarget['paths']): StandingCall[] {
  if (paths === undefined) return [one];
  const groups = one.groups
    // Who names a file wants it back, whoever changed it.
    .map((group) => group.filter(({ path }) => paths.includes(path)).map(({ uncertain: _, ...one }) => one))
    .filter((group) => group.length > 0);
  return groups.length === 0 ? [] : [{ ...one, groups }];
}

// A call that may have changed nothing does not stand in the way of the one before it, unless it is meant.
function isPassedOver({ groups }: StandingCall, wanted: UndoTarget): boolean {
  const { call_id, turn = wanted.from_turn, paths, isForced } = wanted;
  const isMeant = call_id !== undefined || turn !== undefined || paths !== undefined || isForced === true;
  return !isMeant && groups.flat().every(({ uncertain }) => uncertain);
}

function matches(one: StandingCall, { call_id, turn, from_turn }: UndoTarget): boolean {
  return (
    (call_id === undefined || one.callId === call_id) &&
    (turn === undefined || one.takesBack || one.turn === turn) &&
    (from_turn === undefined || one.takesBack || (one.turn ?? 0) >= from_turn)
  );
}
