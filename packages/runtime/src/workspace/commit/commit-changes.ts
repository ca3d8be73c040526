// Performs a set of changes, all or none: stage → (journal) → under the lock: check again, perform → sync. One change is durable by itself;
// several share one journal, so that the cost of syncing does not grow with their number.
import { closeSync, lstatSync } from 'node:fs';
import { type Effect, ToolError } from '@codelab/protocol';
import { runInTurns } from '../../platform/steps.ts';
import { Directory, identity } from '../directory.ts';
import { changeFault, FailedWithEffects, fault } from '../fault.ts';
import { writePack } from '../quarantine/pack.ts';
import { pruneEveryMs, pruneQuarantine, retention } from '../quarantine/prune-quarantine.ts';
import { forgetKept, openSlotOf } from '../quarantine/quarantine.ts';
import { copyKept } from './bring-back.ts';
import {
  type Change,
  type ChangeContext,
  itemOf,
  mustStayItself,
  syncFd,
  syncFile,
  syncParents,
} from './change.ts';
import { refuseSettled } from './commit-lock.ts';
import {
  inTurns,
  keepRemoved,
  keepReplaced,
  type LeftFolder,
  performSet,
  removeFolders,
} from './perform-changes.ts';
import { journalName, orRemoveJournal, removeJournal, writeJournal } from './redo-journal.ts';
import { forgetReverted } from './revert-changes.ts';
import {
  isRewritable,
  refuseTwins,
  removeCopies,
  type StagedChange,
  type StagedSet,
  stageChanges,
} from './stage-changes.ts';

// From this number on, creating a file costs more than overwriting the existing one.
const manyFiles = 16;

type CommitOptions = {
  /** The number of the set within its call: an undo of several calls makes several, one after the other. */
  set?: number;
  /** How long the removed content is promised to be stored, and the disk space it takes. */
  promise?: { ms: number; diskBytes: number };
  /** Changes to commit next, which depend on these: a crash in between does not omit them. */
  afterwards?: readonly Change[];
  /** The changes are the `afterwards` of an earlier set. */
  isDue?: boolean;
  /** Called for folders that were to be removed and still exist. */
  onLeft?: (folder: LeftFolder) => void;
};

export async function commitChanges(
  changes: readonly Change[],
  context: ChangeContext,
  options: CommitOptions = {},
): Promise<Effect[]> {
  if (changes.length === 0) return [];
  // Without its own quarantine slot, the next call would overwrite what this call replaces.
  if (context.slot === '') throw new Error('A call that changes files was planned as changing nothing.');
  const { workspace, home, signal } = context;
  const inPlace = changes.filter(isRewritable).length >= manyFiles;
  const { set = 0, afterwards = [], isDue = false } = options;
  // The log names the temp files of the first set, and only the journal those of a later one: so it is written before them.
  const early = set > 0 && !isDue ? journalName(context.slot, set) : undefined;
  if (early !== undefined) await writeJournal(early, context, changes);
  const stageAll = (): StagedSet => stageChanges(workspace, home, changes, { inPlace });
  const stage = early === undefined ? stageAll() : orRemoveJournal(home, early, stageAll);
  const journal = needsJournal(stage.staged, options) ? journalName(context.slot, set) : undefined;
  const next = afterwards.length > 0 ? journalName(context.slot, set + 1) : undefined;
  let remaining: LeftFolder[];
  try {
    refuseTwins(stage.staged);
    for (const staged of stage.staged)
      if (staged.isToBeCopied) await inTurns(copyKept(staged, home), context);
    await makeSafe(stage.staged, journal, context, isDue);
    // Written after this set's journal: when it exists alone, this set is complete.
    if (next !== undefined) await writeJournal(next, context, afterwards, true);
    signal.throwIfAborted();
    remaining = await performAll(stage.staged, context, options);
    stage.keep();
  } catch (error) {
    // A set that could not be reverted may have left temp names as well: the next start removes them by the journal.
    for (const name of error instanceof FailedWithEffects ? [next] : [journal ?? early, next])
      if (name !== undefined) removeJournal(home, name);
    await removeCopies(stage.staged);
    stage[Symbol.dispose]();
    throw withFolders(changeFault(error, changes[0]?.intent.path ?? '', context), stage.left());
  }
  await releaseSources(changes, home);
  for (const folder of remaining) if (folder.errno !== 'ENOENT') options.onLeft?.(folder);
  const effects = effectsOf(changes, remaining, context.slot);
  const isLaterSet = set > 0;
  if (journal !== undefined && changes.length > 1 && !isLaterSet) {
    context.later(syncLater(stage, context, journal));
    return effects;
  }
  await syncNow(stage, effects);
  if (early !== undefined && journal === undefined) removeJournal(home, early);
  // Until the outcome is recorded, only the journal has a later set.
  if (journal !== undefined && isLaterSet) context.onRecorded(() => removeJournal(home, journal));
  else if (journal !== undefined) removeJournal(home, journal);
  return effects;
}

function withFolders(failure: ToolError, folders: readonly string[]): ToolError {
  if (folders.length === 0 || failure instanceof FailedWithEffects) return failure;
  const text = `${failure.message}. These folders were made for it and could not be removed again: ${folders.slice(0, 20).join(', ')}.`;
  return new ToolError(failure.code, text, { ...failure.details, folders: folders.slice(0, 100) });
}

/** The change is already made, even if syncing fails: so it is recorded and can be undone. */
async function syncNow(stage: StagedSet, effects: readonly Effect[]): Promise<void> {
  try {
    await syncDirectories(stage);
  } catch (error) {
    throw new FailedWithEffects(fault(error, effects[0]?.path ?? ''), effects);
  }
}

function effectsOf(changes: readonly Change[], remaining: readonly LeftFolder[], slot: string): Effect[] {
  const stays = new Set(remaining.map(({ path }) => path));
  return changes
    .filter(({ op, intent }) => !(op === 'rmdir' && stays.has(intent.path)))
    .map(({ intent }) =>
      intent.trashId === undefined ? intent : { ...intent, trashId: `${slot}/${intent.trashId}` },
    );
}

/** The data for recovery is on the disk before anything is touched. */
async function makeSafe(
  staged: readonly StagedChange[],
  journal: string | undefined,
  context: ChangeContext,
  isDue: boolean,
): Promise<void> {
  if (journal === undefined) {
    for (const { fd } of staged) if (fd !== undefined) await syncFd(fd);
    return;
  }
  const changes = staged.map(({ change, place: { stat, parent } }) => {
    if (change.op !== 'put') return change;
    if (stat !== undefined) return { ...change, born: String(stat.birthtimeNs) };
    const tempStat = lstatSync(parent.at(change.temp), { bigint: true, throwIfNoEntry: false });
    return tempStat === undefined ? change : { ...change, made: identity(tempStat) };
  });
  await Promise.all([writeJournal(journal, context, changes, isDue), keepPacked(staged, context)]);
}

async function keepPacked(staged: readonly StagedChange[], context: ChangeContext): Promise<void> {
  const pieces = staged.flatMap(({ change, place, isInPlace }) => {
    if (!isInPlace || change.op !== 'put' || change.old === undefined || place.stat === undefined) return [];
    const { uid, gid, mode } = place.stat;
    const rights = { uid: Number(uid), gid: Number(gid), mode: Number(mode & 0o7777n) };
    return [{ item: itemOf(change), bytes: change.old, ...rights }];
  });
  if (pieces.length === 0) return;
  using slot = openSlotOf(context);
  const fd = writePack(slot, pieces);
  try {
    await syncFd(fd);
  } finally {
    closeSync(fd);
  }
}

// Several changes, or one that can be torn, need their new content on the disk before anything is touched. The log has the first set of a
// call; a later one is only in the journal.
function needsJournal(staged: readonly StagedChange[], options: CommitOptions): boolean {
  const { set = 0, afterwards, isDue } = options;
  if (isDue || afterwards?.length) return true;
  const real = staged.filter(({ change }) => change.op !== 'mkdir' && change.op !== 'rmdir');
  return (
    real.length > 1 ||
    (set > 0 && real.length > 0) ||
    real.some(
      ({ change, place }) => change.op === 'put' && mustStayItself(place.parent.at(place.name), change),
    )
  );
}

async function performAll(
  staged: readonly StagedChange[],
  context: ChangeContext,
  options: CommitOptions,
): Promise<LeftFolder[]> {
  const { home, lock, slot: slotId } = context;
  const { set = 0, promise = { ms: retention.shortestMs, diskBytes: 0 } } = options;
  const isKeeping = staged.some(({ change }) => change.intent.trashId !== undefined);
  using slot = isKeeping ? openSlotOf(context) : Directory.openRoot(home);
  const performedSet = { staged, slot, context };
  let isPruneDue: boolean;
  try {
    if (isKeeping) await keepReplaced(performedSet);
    isPruneDue = await lock.hold((ledger) => {
      refuseSettled(home, slotId);
      if (isKeeping) ledger.enter(slotId, promise.ms, promise.diskBytes);
      performSet(performedSet);
      return ledger.isPruneDue(pruneEveryMs);
    });
    await keepRemoved(performedSet);
  } catch (error) {
    // Everything is as before, so nothing needs to be stored; items of an earlier set of the call stay.
    const isUndone = !(error instanceof FailedWithEffects);
    if (isKeeping && isUndone && set === 0) await runInTurns(forgetKept(home, slotId));
    else await forgetReverted(performedSet);
    throw error;
  }
  const remaining = removeFolders(staged);
  if (isPruneDue) context.later(pruneQuarantine(context));
  return remaining;
}

// A restored file is in the workspace now; a second name for it in the quarantine would change along with it.
async function releaseSources(changes: readonly Change[], home: string): Promise<void> {
  for (const change of changes)
    if (change.op === 'put' && 'kept' in change.source)
      await runInTurns(forgetKept(home, change.source.kept));
}

// An ending program waits this long for the disk. The rest is still in the journal.
const closingMs = 300;

/** Syncs the stage's directories and ends the stage. */
async function syncDirectories(stage: StagedSet): Promise<void> {
  using _ended = stage;
  await syncParents(stage.staged);
}

/** The journal makes this non-urgent. If the program ends first, the journal stays and the next start syncs the files. */
async function syncLater(
  stage: StagedSet,
  { home, closing }: { home: string; closing: AbortSignal },
  journal: string,
): Promise<void> {
  using _ended = stage;
  let until: number | undefined;
  for (const { fd, place, isInPlace } of stage.staged) {
    if (closing.aborted) until ??= performance.now() + closingMs;
    if (until !== undefined && performance.now() > until) return;
    if (fd !== undefined) await syncFd(fd);
    else if (isInPlace) await syncFile(place.parent.at(place.name));
  }
  await syncParents(stage.staged);
  removeJournal(home, journal);
}
