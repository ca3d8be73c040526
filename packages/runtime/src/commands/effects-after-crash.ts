// Determines the changes of a command that was running when CodeLab was killed: compares the tree recorded before the command with the
// current one. Only changes made while the command was seen active are attributed to it; later changes belong to others, or stay undecided.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivitySpan } from '../process/family/activity.ts';
import { ignoreRulesAbove, readTrackedFiles } from '../snapshot/git-state.ts';
import { defaultBudget, openBeforeSlot, removePackedCopies } from '../snapshot/kept-before.ts';
import { isPackedCopy } from '../snapshot/packed-copies.ts';
import {
  readActivity,
  readSaved,
  readSavedTrace,
  removeSaved,
  type SavedBefore,
} from '../snapshot/saved-before.ts';
import { type Tree, walkTree } from '../snapshot/walk-tree.ts';
import type { Evidence } from '../snapshot/who-wrote.ts';
import type { DeadCall, RecoveredEffects } from '../tool/define-tool.ts';
import { slotsFolder } from '../workspace/quarantine/quarantine.ts';
import { effectsOf } from './effects-of.ts';
import { doubledBudget } from './watch-tree.ts';

// The longest time between two samples, plus what a busy machine adds.
const unseenMs = 2000;
// The trace notes the time every 5 ms, and the clock of files is behind by up to 10.
const tracedMs = 15;

export async function effectsAfterCrash(dead: DeadCall): Promise<RecoveredEffects> {
  const forget = (): void => {
    for (const remove of [removeSaved, removePackedCopies]) remove(dead);
  };
  const saved = readSaved(dead);
  if (saved === undefined) return { effects: [], notes: [], notRecorded: 0, forget };
  const { root } = dead.workspace;
  const tracked = readTrackedFiles(dead.workspace);
  const tree: Tree = {
    entries: saved.entries,
    leftOut: saved.leftOut,
    leftOutEntries: saved.leftOutEntries,
    repositories: new Map(),
    rules: new Map(),
  };
  const after = await walkTree({
    root,
    rules: ignoreRulesAbove(root.real, tracked),
    ...tracked,
    before: tree,
    budget: doubledBudget(defaultBudget.walk),
  });
  const { evidence, lastSeen } = evidenceOf(dead, saved);
  const items = itemsIn(dead);
  using keep = openBeforeSlot(dead, Math.max(-1, ...items) + 1);
  const isThere = (item: string): boolean => isPackedCopy(item) || items.includes(Number(item));
  const keptItems = new Map([...saved.kept].filter(([, item]) => isThere(item)));
  const { objects, startedAt, position } = saved;
  const before = { tree, objects, kept: keptItems, startedAt, position };
  const watched = { before, after, evidence, lastSeen };
  const recovered = await effectsOf(dead, keep, watched, dead.held);
  await keep.entered();
  return { ...recovered, forget };
}

/** After the last sample the command may have run on for a moment: changes of that time stay undecided. */
function evidenceOf(
  dead: DeadCall,
  { startedAt, writes }: SavedBefore,
): { evidence: Evidence; lastSeen: number } {
  const activity = readActivity(dead);
  const trace = readSavedTrace(dead);
  // A traced command is seen at each file that it opens for writing, which it goes on to write.
  const lastTraced = trace === undefined ? 0 : trace.lastAt + tracedMs;
  const lastSample = activity.spans.at(-1)?.to ?? startedAt;
  const lastSeen = Math.max(lastSample, lastTraced);
  const unseen: ActivitySpan = {
    from: lastSample,
    to: lastSeen + unseenMs,
    did: 'unknown',
    bytes: Number.POSITIVE_INFINITY,
  };
  const spans = [...activity.spans, unseen];
  return { evidence: { activity: { ...activity, spans }, writes, trace }, lastSeen };
}

function itemsIn({ home, slot }: DeadCall): number[] {
  const folder = join(slotsFolder(home), slot);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}
