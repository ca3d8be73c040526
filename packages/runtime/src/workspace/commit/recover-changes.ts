// After a process died during a call: completes an interrupted set, or leaves it alone when its paths were touched since. Either way no
// temp names remain, nothing is lost, and the state of each path is reported.
import { fsyncSync } from 'node:fs';
import { type Effect, ToolError } from '@codelab/protocol';
import { runNow } from '../../platform/steps.ts';
import {
  copyAside,
  copyLinkedItem,
  forgetKept,
  hasItem,
  openSlot,
  removeItem,
} from '../quarantine/quarantine.ts';
import { removeTree } from '../trees/tree.ts';
import { copyKept } from './bring-back.ts';
import { type Change, itemOf } from './change.ts';
import {
  type ChangePosition,
  changePositionOf,
  compareState,
  completeMove,
  type FoundState,
  type InterruptedSet,
  isSetMade,
  type PathState,
  recordedPath,
  restoreTorn,
  restoreTornElsewhere,
} from './change-position.ts';
import { performChange } from './perform-changes.ts';
import { isOfFolder, type Journal, journalsOf, setOf } from './redo-journal.ts';
import { stageChanges } from './stage-changes.ts';
import { removeEmpty, safely, tidyTemp, tidyTemps } from './tidy-temps.ts';

export type DeadCallChanges = InterruptedSet & {
  session: string;
  callId: string;
  intents: readonly Effect[];
};

/** `effects` are the changes on the disk, in the recorded form for undo. */
type RecoveredSet = { files: PathState[]; effects: Effect[] };

/** `isComplete`: all changes were made, whatever happened to them since. */
type CompletedChanges = RecoveredSet & { isComplete: boolean };

/** Must run under the commit lock. `sets` are the effects of each set, in order. */
export function recoverChanges(dead: DeadCallChanges): { files: PathState[]; sets: Effect[][] } {
  const journals = journalsOf(dead.home, dead.slot);
  const sets: CompletedChanges[] = [];
  for (const journal of journals) {
    // The set that it depends on was not made, or in another folder that had this path.
    const isPossible = sets.at(-1)?.isComplete !== false && isOfFolder(journal, dead.workspace);
    if (!journal.isDue || isPossible) sets.push(finishSet(dead, journal));
  }
  const isFirstJournalled = journals.some(({ name }) => setOf(name) === 0);
  const all = isFirstJournalled ? sets : [settleIntents(dead, journals.length > 0), ...sets];
  // The temp names of moves are evidence until the due changes have been made.
  for (const { changes } of journals) tidyTemps(dead, changes);
  // A path that several sets have changed is as the last one left it.
  const files = new Map(all.flatMap((set) => set.files).map((file) => [file.path, file]));
  return { files: [...files.values()], sets: all.map(({ effects }) => effects) };
}

/** A change without a journal has happened or not; only cleaning up and inspecting is left. */
function settleIntents(dead: DeadCallChanges, isFollowed: boolean): RecoveredSet {
  const { made, folders, real } = sortIntents(dead.intents);
  for (const intent of real) tidyTemp(dead, intent);
  const files = findAll(dead, real);
  if (isFollowed || (real.length > 0 && files.every(({ found }) => found === 'new')))
    removeFolders(dead, folders);
  // A later set proves that this one was complete, or failed as a whole.
  if (isFollowed) return { files, effects: effectsOfEarlier(dead, real, files) };
  if (real.length > 0 && files.every(({ found }) => found === 'old')) forgetSet(dead, made, dead.slot);
  // Only some of several folders were created, and nothing else was planned: they are removed again, so that no partial set remains.
  if (real.length === 0 && !made.every(({ path }) => isThere(dead, path))) forgetSet(dead, made, undefined);
  if (real.length === 0) finishFolders(dead, folders);
  const shown = real.length > 0 ? files : findAll(dead, [...made, ...folders]);
  const isAny = shown.some(({ found }) => found === 'new');
  return { files: shown, effects: isAny ? effectsNow(dead, dead.intents, shown) : [] };
}

function finishSet(call: DeadCallChanges, journal: Journal): CompletedChanges {
  const dead = { ...call, isDue: journal.isDue === true };
  const { made, folders, real: intents } = sortIntents(journal.changes.map(({ intent }) => intent));
  const real = journal.changes.filter(({ intent }) => intents.includes(intent));
  for (const change of real)
    if (change.op === 'remove') tidyTemp(dead, { ...change.intent, temp: change.temp });
  const positions = new Map(
    real.map((change): [Change, ChangePosition] => [change, changePositionOf(dead, change)]),
  );
  const at = (...allowed: ChangePosition[]): Change[] =>
    real.filter((change) => allowed.includes(positions.get(change) ?? 'touched'));
  const isBegun = dead.isDue || at('done', 'torn').length > 0;
  const isTouched = at('touched').length > 0;
  // Half of the set is done and untouched since: the other half is completed.
  const isCompleted = isBegun && !isTouched;
  for (const change of at('pending', 'torn'))
    safely(() => {
      if (change.op === 'put' && positions.get(change) === 'torn') restoreTorn(dead, change);
      if (isCompleted) redoChange(dead, change);
    });
  for (const change of at('touched')) safely(() => change.op === 'put' && restoreTornElsewhere(dead, change));
  tidyTemps(
    dead,
    real.filter(({ op }) => op !== 'move'),
  );
  if (isCompleted) removeFolders(dead, folders);
  else if (real.length === 0) finishFolders(dead, folders);
  if (!isBegun) forgetSet(dead, made, isTouched || setOf(journal.name) > 0 ? undefined : dead.slot);
  // Content that existed before a due set was only intermediate: the call did not find it that way.
  const files = findAll(dead, intents).map(
    ({ path, found }): PathState => ({ path, found: dead.isDue && found === 'old' ? 'other' : found }),
  );
  const isNew = new Set(files.filter(({ found }) => found === 'new').map(({ path }) => path));
  for (const change of real)
    if (isBegun && change.op === 'put' && 'kept' in change.source && isNew.has(change.intent.path))
      runNow(forgetKept(dead.home, change.source.kept));
  const allIntents = journal.changes.map(({ intent }) => intent);
  return { files, effects: isBegun ? effectsNow(dead, allIntents, files) : [], isComplete: isCompleted };
}

type SortedIntents = { made: Effect[]; folders: Effect[]; real: Effect[] };

/** New folders, removed empty folders, and everything else. */
function sortIntents(intents: readonly Effect[]): SortedIntents {
  const newFolders = intents.filter(({ op }) => op === 'mkdir');
  const folders = intents.filter(
    ({ op, before, trashId }) => op === 'delete' && before?.type === 'directory' && trashId === undefined,
  );
  return {
    made: newFolders,
    folders,
    real: intents.filter((intent) => !newFolders.includes(intent) && !folders.includes(intent)),
  };
}

function findAll(dead: DeadCallChanges, intents: readonly Effect[]): PathState[] {
  return intents.map((intent) => ({ path: intent.path, found: look(dead, intent) }));
}

/** The part of it that is on the disk, in the recorded form for undo. */
function effectsNow(
  dead: DeadCallChanges,
  intents: readonly Effect[],
  files: readonly PathState[],
): Effect[] {
  const isNew = new Set(files.filter(({ found }) => found === 'new').map(({ path }) => path));
  const { made, folders } = sortIntents(intents);
  const isDone = (intent: Effect): boolean => {
    if (made.includes(intent)) return isThere(dead, intent.path);
    return folders.includes(intent) ? !isThere(dead, intent.path) : isNew.has(intent.path);
  };
  return intents.filter(isDone).map((intent) => recorded(dead, intent));
}

function effectsOfEarlier(dead: DeadCallChanges, real: Effect[], files: PathState[]): Effect[] {
  if (isSetMade(dead, real, files)) return dead.intents.map((intent) => recorded(dead, intent));
  const others = dead.intents.filter(({ trashId }) => trashId === undefined);
  return effectsNow(dead, others, files);
}

function removeFolders(dead: DeadCallChanges, folders: readonly Effect[]): void {
  for (const { path } of folders) removeFolder(dead, path);
}

/** Only folders were to be removed: the rest follow the first, which is the innermost. */
function finishFolders(dead: DeadCallChanges, folders: readonly Effect[]): void {
  const [first] = folders;
  if (first !== undefined && !isThere(dead, first.path)) removeFolders(dead, folders);
}

function removeFolder({ workspace }: DeadCallChanges, path: string): void {
  safely(() => {
    using place = workspace.locate(path, recordedPath);
    if (place.stat !== undefined) removeEmpty(place);
  });
}

/** Performs one change from the journal, synced before the journal may be removed. */
export function redoChange(dead: Omit<DeadCallChanges, 'intents'>, change: Change): void {
  const { workspace, home, session, callId } = dead;
  const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
  using slot = openSlot(home, dead.slot, entry);
  tidyTemps(dead, [change]);
  // The file itself still exists: its quarantine item is another name for it, or a copy.
  if (change.intent.trashId !== undefined) runNow(removeItem(slot, itemOf(change)));
  using stage = stageChanges(workspace, home, [change]);
  for (const staged of stage.staged) {
    runNow(copyKept(staged, home));
    if (staged.fd !== undefined) fsyncSync(staged.fd);
    performChange(staged, slot, home);
    if (change.op === 'remove') {
      const item = itemOf(change);
      runNow(
        staged.isAside ? copyAside(staged.place.parent, change.temp, slot, item) : copyLinkedItem(slot, item),
      );
      if (staged.isAside) removeTree(staged.place.parent, change.temp);
    }
    for (const directory of [staged.place.parent, staged.above, staged.from?.parent])
      if (directory) fsyncSync(directory.fd);
  }
  stage.keep();
}

/** The state on the disk, by content. */
function look(dead: DeadCallChanges, intent: Effect): FoundState {
  try {
    using place = dead.workspace.locate(intent.path, recordedPath);
    // An entry at the place of a removed and quarantined one is not the old one, even if it looks like it.
    const isRemoved = intent.op === 'delete' && intent.trashId !== undefined;
    if (isRemoved && place.stat !== undefined && hasItem(dead.home, `${dead.slot}/${intent.trashId}`))
      return 'other';
    if (intent.op !== 'move') return compareState(intent, place);
    using from = dead.workspace.locate(intent.from ?? intent.path, recordedPath);
    const state = compareState(intent, place);
    if (from.stat === undefined) return state === 'new' ? 'new' : 'other';
    if (place.stat?.ino === from.stat.ino && place.stat.dev === from.stat.dev)
      return completeMove({ intent }, { from, to: place }) ? 'new' : 'other';
    // Another entry has taken the place of the moved file.
    if (state === 'new' && compareState(intent, from) !== 'new') return 'new';
    const isUnmoved = intent.before === null ? place.stat === undefined : state === 'old';
    return isUnmoved ? 'old' : 'other';
  } catch (error) {
    if (error instanceof ToolError) return 'other';
    throw error;
  }
}

// The set had no effect: the folders created for it are removed if they are empty, and so are its quarantine items.
function forgetSet(dead: DeadCallChanges, newFolders: readonly Effect[], slot: string | undefined): void {
  for (const { path } of newFolders.toReversed()) removeFolder(dead, path);
  if (slot !== undefined) runNow(forgetKept(dead.home, slot));
}

function isThere({ workspace }: DeadCallChanges, path: string): boolean {
  return (
    safely(() => {
      using place = workspace.locate(path, recordedPath);
      return place.stat !== undefined;
    }) ?? false
  );
}

function recorded({ slot }: DeadCallChanges, { temp: _, ...effect }: Effect): Effect {
  return effect.trashId === undefined ? effect : { ...effect, trashId: `${slot}/${effect.trashId}` };
}
