// Carries out a set of changes, all or none: stage → (journal) → under the lock: look once more, perform → sync.
// One change is made durable by itself; several share one journal, so that the cost of syncing does not follow their number.
import type { Effect } from '@codelab/protocol';
import type { RunContext } from '../define-tool.ts';
import type { Change } from './change.ts';
import { checkUnchanged } from './check-unchanged.ts';
import { Directory } from './directory.ts';
import { fault } from './fault.ts';
import { syncFd } from './flush.ts';
import { perform, takeBack } from './perform-change.ts';
import { openSlot } from './quarantine.ts';
import { removeJournal, writeJournal } from './redo-journal.ts';
import { type Stage, type Staged, stageChanges } from './stage-changes.ts';

export async function commitChanges(changes: readonly Change[], context: RunContext): Promise<Effect[]> {
  if (changes.length === 0) return [];
  const { workspace, home, signal, slot: slotId } = context;
  const stage = stageChanges(workspace, home, changes);
  const isJournalled = changes.filter(({ op }) => op !== 'mkdir' && op !== 'rmdir').length > 1;
  try {
    if (isJournalled) writeJournal(home, slotId, workspace.root.real, changes);
    else await syncTemps(stage);
    signal.throwIfAborted();
    performAll(stage.staged, context);
    stage.keep();
  } catch (error) {
    if (isJournalled) removeJournal(home, slotId);
    stage[Symbol.dispose]();
    throw fault(error, changes[0]?.intent.path ?? '');
  }
  if (isJournalled) context.later(syncLater(stage, home, slotId, context.closing));
  else await syncDirectories(stage);
  return changes.map(({ intent }) => ({
    ...intent,
    ...(intent.trashId === undefined ? {} : { trashId: `${slotId}/${intent.trashId}` }),
  }));
}

async function syncTemps(stage: Stage): Promise<void> {
  for (const { fd } of stage.staged) if (fd !== undefined) await syncFd(fd);
}

async function syncDirectories(stage: Stage): Promise<void> {
  const done = new Set<string>();
  try {
    for (const { place, from } of stage.staged) {
      for (const { parent } of from === undefined ? [place] : [place, from]) {
        if (done.has(parent.real)) continue;
        done.add(parent.real);
        await syncFd(parent.fd);
      }
    }
  } finally {
    stage[Symbol.dispose]();
  }
}

// Behind the journal this may take its time; when the program ends first, the journal stays and the next start looks after it.
async function syncLater(stage: Stage, home: string, slotId: string, closing: AbortSignal): Promise<void> {
  try {
    for (const { fd } of stage.staged) {
      if (closing.aborted) return;
      if (fd !== undefined) await syncFd(fd);
    }
  } finally {
    await syncDirectories(stage);
  }
  removeJournal(home, slotId);
}

function performAll(staged: readonly Staged[], context: RunContext): void {
  const { home, lock, slot: slotId, session, callId, workspace } = context;
  const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
  using slot = staged.some(({ change }) => change.intent.trashId !== undefined)
    ? openSlot(home, slotId, entry)
    : Directory.openRoot(home);
  lock.hold(() => {
    for (const { change, place, from } of staged) {
      if (change.op === 'mkdir' || change.op === 'rmdir') continue;
      checkUnchanged(place.parent.at(place.name), change.expected, change.intent.path);
      if (change.op === 'move' && from !== undefined)
        checkUnchanged(from.parent.at(from.name), change.expectedFrom, from.path);
    }
    const done: Staged[] = [];
    try {
      for (const one of staged) {
        done.push(one);
        perform(one, slot);
      }
    } catch (error) {
      done.pop();
      for (const one of done.toReversed()) takeBack(one, slot);
      throw error;
    }
  });
}
