// After a process died in the middle of a set of changes. With a journal the set is carried out to its end; without one nothing but a
// single change can have happened. Either way: no temp names left, and for each path whether the old or the new state is on the disk.
import { lstatSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Effect, ToolError } from '@codelab/protocol';
import type { Change } from './change.ts';
import { compareState, type Found, type FoundState } from './compare-state.ts';
import { digest } from './digest.ts';
import { Directory } from './directory.ts';
import type { Located } from './locate.ts';
import { itemOf, overwrite, perform } from './perform-change.ts';
import { openItem, openSlot, slotsFolder } from './quarantine.ts';
import { type Journal, readJournal, removeJournal } from './redo-journal.ts';
import { removeEmpty, stageChanges } from './stage-changes.ts';
import { removeTree } from './tree.ts';
import type { Workspace } from './workspace.ts';

export type Dead = {
  home: string;
  session: string;
  callId: string;
  slot: string;
  startedAt: number;
  intents: readonly Effect[];
};

const anyLength = { followLast: false, access: 'read' as const, pathChars: Number.MAX_SAFE_INTEGER };

export function recoverChanges(workspace: Workspace, dead: Dead): Found[] {
  const journal = readJournal(dead.home, dead.slot);
  if (journal !== undefined) return finishJournal(workspace, dead, journal);
  const files = dead.intents.filter(({ op }) => op !== 'mkdir').map((intent) => settle(workspace, intent));
  const made = dead.intents.filter(({ op }) => op === 'mkdir');
  const isOld = files.length > 0 && files.every(({ found }) => found === 'old');
  if (isOld) forget(workspace, dead, made);
  if (files.length > 0) return files;
  return made.map(({ path }) => ({ path, found: stateAt(workspace, path) === undefined ? 'old' : 'new' }));
}

/** Carries out what is left of a journalled set, unless somebody else's change is in the way before any of ours happened. */
export function finishJournal(workspace: Workspace, dead: Dead, journal: Journal): Found[] {
  const changes = journal.changes.filter(({ op }) => op !== 'mkdir' && op !== 'rmdir');
  const found = changes.map(
    (change): Found => ({ path: change.intent.path, found: lookOrTorn(workspace, dead, change) }),
  );
  const isUntouched = found.every((one) => one.found !== 'new');
  for (const intent of dead.intents) removeTemp(workspace, intent);
  if (isUntouched && found.some((one) => one.found === 'other')) {
    forget(
      workspace,
      dead,
      dead.intents.filter(({ op }) => op === 'mkdir'),
    );
  } else {
    for (const [i, one] of found.entries())
      if (one.found === 'old') one.found = redo(workspace, dead, journal, i);
  }
  removeJournal(dead.home, dead.slot);
  return found;
}

function redo(workspace: Workspace, dead: Dead, journal: Journal, index: number): FoundState {
  const change = journal.changes.filter(({ op }) => op !== 'mkdir' && op !== 'rmdir')[index];
  if (change === undefined) return 'other';
  const { session, callId, home, slot: slotId } = dead;
  using slot = openSlot(home, slotId, {
    root: workspace.root.real,
    session,
    callId,
    at: new Date().toISOString(),
  });
  if (change.intent.trashId !== undefined) removeTree(slot, itemOf(change));
  using stage = stageChanges(workspace, home, [change]);
  for (const one of stage.staged) perform(one, slot, home);
  stage.keep();
  return 'new';
}

function settle(workspace: Workspace, intent: Effect): Found {
  try {
    removeTemp(workspace, intent);
    const found = look(workspace, intent);
    return { path: intent.path, found };
  } catch (error) {
    if (error instanceof ToolError) return { path: intent.path, found: 'other' };
    throw error;
  }
}

function look(workspace: Workspace, intent: Effect): FoundState {
  using place = workspace.locate(intent.path, anyLength);
  if (intent.op !== 'move') return compareState(intent, place);
  using from = workspace.locate(intent.from ?? intent.path, anyLength);
  if (from.stat === undefined) return place.stat === undefined ? 'other' : 'new';
  // A move by link and unlink may have been cut in between: both names, one file. It is completed.
  if (place.stat?.ino !== from.stat.ino || place.stat.dev !== from.stat.dev) return 'old';
  unlinkSync(from.parent.at(from.name));
  return 'new';
}

// Neither old nor new: a file that is rewritten in place may be torn. Then every byte of it is an old one or a new one.
function lookOrTorn(workspace: Workspace, dead: Dead, change: Change): FoundState {
  const found = look(workspace, change.intent);
  if (found !== 'other' || change.op !== 'put' || !('bytes' in change.source)) return found;
  using place = workspace.locate(change.intent.path, anyLength);
  using item = openItem(dead.home, `${dead.slot}/${itemOf(change)}`);
  const isCopied = item !== undefined && lstatSync(item.parent.at(item.name)).isFile();
  const copy = isCopied ? readFileSync(item.parent.at(item.name)) : undefined;
  if (copy === undefined || digest(copy) !== change.intent.before?.digest || !place.stat?.isFile())
    return 'other';
  const target = place.parent.at(place.name);
  if (!isTorn(readFileSync(target), copy, change.source.bytes)) return 'other';
  overwrite(target, copy);
  return 'old';
}

function isTorn(now: Buffer, before: Buffer, after: Buffer): boolean {
  let at = 0;
  while (at < now.length && now[at] === after[at]) at++;
  return (
    now.length <= Math.max(before.length, after.length) &&
    now.subarray(at).equals(before.subarray(at, now.length))
  );
}

function removeTemp(workspace: Workspace, { path, temp }: Effect): void {
  if (temp === undefined) return;
  using place = workspace.locate(path, anyLength);
  if (place.missing.length === 0) removeTree(place.parent, temp);
}

// Nothing came of it: the folders made for it and what was kept for it go again.
function forget(workspace: Workspace, dead: Dead, made: readonly Effect[]): void {
  for (const { path } of made.toReversed()) {
    using place = workspace.locate(path, anyLength);
    if (place.stat !== undefined) removeEmpty(place);
  }
  const folder = slotsFolder(dead.home);
  if (lstatSync(join(folder, dead.slot), { throwIfNoEntry: false }) === undefined) return;
  using slots = Directory.openRoot(folder);
  removeTree(slots, dead.slot);
}

function stateAt(workspace: Workspace, path: string): Located['stat'] {
  using place = workspace.locate(path, anyLength);
  return place.stat;
}
