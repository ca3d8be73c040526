// Journals of calls that ended well, left behind because the program ended before their files were synced. By now they should be on
// the disk; should the power have failed in between, what is missing is carried out again.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { isAlive } from './process-identity.ts';
import { finishJournal } from './recover-changes.ts';
import { type Journal, oldJournals, readJournal, removeJournal } from './redo-journal.ts';
import type { Workspace } from './workspace.ts';

// The kernel writes dirty pages out within half a minute; then a sync costs next to nothing.
const settledMs = 60_000;

export function settleJournals(workspace: Workspace, home: string): void {
  for (const slot of oldJournals(home, settledMs)) {
    const journal = readQuietly(home, slot);
    if (journal === undefined || journal.root !== workspace.root.real || isAlive(journal.owner)) continue;
    finishJournal(workspace, { home, session: '', callId: '', slot, startedAt: 0, intents: [] }, journal);
    for (const { intent } of journal.changes) syncQuietly(workspace, intent.path);
    removeJournal(home, slot);
  }
}

// One that can't be read says nothing; it is left for a human to look at.
function readQuietly(home: string, slot: string): Journal | undefined {
  try {
    return readJournal(home, slot);
  } catch {
    return undefined;
  }
}

function syncQuietly(workspace: Workspace, path: string): void {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    const fd = openSync(place.parent.at(place.name), 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // Gone, or not ours to read: then it is not ours to sync either.
  }
}
