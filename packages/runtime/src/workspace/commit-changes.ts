// Carries out a set of changes, all or none: stage → (journal) → under the lock: look once more, perform → sync.
// One change is made durable by itself; several share one journal, so that the cost of syncing does not follow their number.
import { closeSync, constants, openSync } from 'node:fs';
import type { Effect } from '@codelab/protocol';
import type { RunContext } from '../define-tool.ts';
import type { Change } from './change.ts';
import { checkUnchanged } from './check-unchanged.ts';
import { Directory } from './directory.ts';
import { fault } from './fault.ts';
import { flushDirectory, syncFd } from './flush.ts';
import type { Located } from './locate.ts';
import { mustStayItself } from './must-stay-itself.ts';
import { writePack } from './pack.ts';
import { itemOf, perform, takeBack } from './perform-change.ts';
import { pruneWhenDue } from './prune-quarantine.ts';
import { forgetKept, openSlot } from './quarantine.ts';
import { removeJournal, writeJournal } from './redo-journal.ts';
import { isRewritable, type Stage, type Staged, stageChanges } from './stage-changes.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

// From here on a file more costs more than writing over the one that is there.
const manyFiles = 16;

export async function commitChanges(changes: readonly Change[], context: RunContext): Promise<Effect[]> {
  if (changes.length === 0) return [];
  const { workspace, home, signal, slot } = context;
  const inPlace = changes.filter(isRewritable).length >= manyFiles;
  const stage = stageChanges(workspace, home, changes, { inPlace });
  const isJournalled = needsJournal(stage.staged);
  try {
    await makeSafe(stage.staged, isJournalled, context);
    signal.throwIfAborted();
    performAll(stage.staged, context);
    stage.keep();
  } catch (error) {
    if (isJournalled) removeJournal(home, slot);
    if (inPlace) forgetKept(home, slot);
    stage[Symbol.dispose]();
    throw fault(error, changes[0]?.intent.path ?? '');
  }
  releaseSources(changes, home);
  pruneWhenDue(home);
  if (isJournalled && changes.length > 1) context.later(syncLater(stage, home, slot, context.closing));
  else {
    await syncDirectories(stage);
    if (isJournalled) removeJournal(home, slot);
  }
  return changes.map(({ intent }) =>
    intent.trashId === undefined ? intent : { ...intent, trashId: `${slot}/${intent.trashId}` },
  );
}

/** Whatever a crash is mended from is on the disk before anything is touched. */
async function makeSafe(
  staged: readonly Staged[],
  isJournalled: boolean,
  context: RunContext,
): Promise<void> {
  if (!isJournalled) {
    for (const { fd } of staged) if (fd !== undefined) await syncFd(fd);
    return;
  }
  const changes = staged.map(({ change }) => change);
  const { home, slot, workspace } = context;
  await Promise.all([writeJournal(home, slot, workspace.root.real, changes), keepPacked(staged, context)]);
}

async function keepPacked(staged: readonly Staged[], context: RunContext): Promise<void> {
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

function openSlotOf({ home, slot, session, callId, workspace }: RunContext): Directory {
  const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
  return openSlot(home, slot, entry);
}

// Several changes, or one that can be torn: then what is new must be on the disk as a whole before anything is touched.
function needsJournal(staged: readonly Staged[]): boolean {
  const real = staged.filter(({ change }) => change.op !== 'mkdir' && change.op !== 'rmdir');
  return (
    real.length > 1 ||
    real.some(({ change, place }) => change.op === 'put' && mustStayItself(place.parent.at(place.name)))
  );
}

function performAll(staged: readonly Staged[], context: RunContext): void {
  const { home, lock, slot: slotId } = context;
  const isKeeping = staged.some(({ change }) => change.intent.trashId !== undefined);
  using slot = isKeeping ? openSlotOf(context) : Directory.openRoot(home);
  try {
    lock.hold(() => {
      for (const one of staged) checkStill(one);
      performEach(staged, slot, home);
    });
  } catch (error) {
    if (isKeeping) forgetKept(home, slotId);
    throw error;
  }
}

function checkStill({ change, place, from }: Staged): void {
  if (change.op === 'mkdir' || change.op === 'rmdir') return;
  place.parent.verify();
  checkUnchanged(place.parent.at(place.name), change.expected, change.intent.path);
  if (change.op === 'move' && from !== undefined)
    checkUnchanged(from.parent.at(from.name), change.expectedFrom, from.path);
}

function performEach(staged: readonly Staged[], slot: Directory, home: string): void {
  const done: Staged[] = [];
  try {
    for (const one of staged) {
      perform(one, slot, home);
      done.push(one);
    }
  } catch (error) {
    for (const one of done.toReversed()) takeBack(one, slot);
    throw error;
  }
}

// A kept file that was brought back is in the workspace now; a second name for it in the quarantine would change along with it.
function releaseSources(changes: readonly Change[], home: string): void {
  for (const change of changes)
    if (change.op === 'put' && 'kept' in change.source) forgetKept(home, change.source.kept);
}

async function syncDirectories(stage: Stage): Promise<void> {
  const done = new Set<string>();
  try {
    for (const { change, place, from, above } of stage.staged) {
      for (const directory of [place.parent, above, from?.parent]) {
        if (directory === undefined || done.has(directory.real)) continue;
        done.add(directory.real);
        await flushDirectory(directory.fd, change.intent.path);
      }
    }
  } finally {
    stage[Symbol.dispose]();
  }
}

// Behind the journal this may take its time; when the program ends first, the journal stays and the next start looks after it.
async function syncLater(stage: Stage, home: string, slot: string, closing: AbortSignal): Promise<void> {
  for (const { fd, place, isInPlace } of stage.staged) {
    if (closing.aborted) {
      stage[Symbol.dispose]();
      return;
    }
    if (fd !== undefined) await syncFd(fd);
    else if (isInPlace) await syncFile(place);
  }
  await syncDirectories(stage);
  removeJournal(home, slot);
}

async function syncFile(place: Located): Promise<void> {
  const fd = openSync(place.parent.at(place.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    await syncFd(fd);
  } finally {
    closeSync(fd);
  }
}
