// Tells what became of the places that the walk before a command left out: undo has nothing of them, so their loss is named.
import { lstatSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { entriesOf } from '../workspace/trees/tree.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { canBeMadeAgain } from './not-kept.ts';
import type { TreeBefore } from './tree-before.ts';
import { grainOf, type TreeEntry, treeEntry } from './tree-entry.ts';
import type { LeftOutReason } from './walk-tree.ts';
import type { WriteTrace } from './write-trace.ts';

/** By path, with the reason why the place was left out. */
type Places = Map<string, LeftOutReason>;

/** `touched` are the left-out places in which something may have changed; `isLost`: something of them that no tool makes again is gone. */
export type LeftOutChanges = { removed: Places; changed: Places; touched: Places; isLost: boolean };

type Asked = { before: Pick<TreeBefore, 'tree' | 'startedAt'>; trace: WriteTrace | undefined };

// Each look is one call of the system; beyond this many a loss is still named, but not every file of it.
const mostLooks = 1000;

export function leftOutChanges(workspace: Workspace, { before, trace }: Asked): LeftOutChanges {
  const { tree, startedAt } = before;
  const changes: LeftOutChanges = {
    removed: new Map(),
    changed: new Map(),
    touched: new Map(),
    isLost: false,
  };
  for (const [path, reason] of tree.leftOut) {
    const old = tree.leftOutEntries.get(path);
    const now = entryAt(workspace, path);
    if (now === 'unknown') continue;
    if (now === undefined || (old !== undefined && isAnother(old, now))) {
      changes.removed.set(path, reason);
      continue;
    }
    if (old !== undefined && isRewritten(old, now)) changes.changed.set(path, reason);
    else if (trace !== undefined || now.mtimeMs + grainOf(now.mtimeMs) < startedAt) continue;
    changes.touched.set(path, reason);
  }
  for (const [path, reason] of tracedIn(tree.leftOut, trace, changes)) {
    const now = entryAt(workspace, path);
    if (now === undefined && !trace?.touched.has(path)) changes.removed.set(path, reason);
    else if (typeof now === 'object' && now.type === 'file' && isWritten(now, startedAt))
      changes.changed.set(path, reason);
  }
  const lost = [...changes.removed, ...(trace === undefined ? changes.touched : [])];
  return { ...changes, isLost: lost.some(([path, reason]) => !canBeMadeAgain(path, reason)) };
}

/** The paths below left-out folders that the command was seen to change; notes their folders as touched. */
function tracedIn(
  leftOut: Places,
  trace: WriteTrace | undefined,
  { removed, touched }: LeftOutChanges,
): Places {
  const traced: Places = new Map();
  for (const path of [...(trace?.removed ?? []), ...(trace?.touched ?? [])]) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      const reason = leftOut.get(folder);
      if (reason === undefined) continue;
      if (removed.has(folder)) continue;
      touched.set(folder, reason);
      if (traced.size < mostLooks) traced.set(path, reason);
    }
  }
  return traced;
}

/** A folder whose name another entry has now is gone with its content; a file may have been replaced by its next version. */
function isAnother(old: TreeEntry, now: TreeEntry): boolean {
  if (old.type !== now.type) return true;
  return old.type === 'directory' && (old.ino !== now.ino || old.bornMs !== now.bornMs);
}

function isRewritten(old: TreeEntry, now: TreeEntry): boolean {
  if (old.type === 'directory') return false;
  return old.ino !== now.ino || old.size !== now.size || old.mtimeMs !== now.mtimeMs;
}

/** A file that was there before the command and was written since. */
function isWritten({ bornMs, mtimeMs }: TreeEntry, startedAt: number): boolean {
  return bornMs > 0 && bornMs + grainOf(bornMs) < startedAt && mtimeMs + grainOf(mtimeMs) >= startedAt;
}

function entryAt(workspace: Workspace, path: string): TreeEntry | undefined | 'unknown' {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    // A name that is not UTF-8 is never found by name, only by elimination.
    if (place.name.includes('\ufffd'))
      return entriesOf(place.parent).some(({ name }) => name === place.name) ? 'unknown' : undefined;
    // The walk follows no links, so one on the way has replaced a folder.
    if (place.stat === undefined || place.links.length > 0) return undefined;
    return treeEntry(lstatSync(place.parent.at(place.name)));
  } catch (error) {
    // A file has replaced a folder on the way.
    return error instanceof ToolError && error.code === 'NOT_A_DIRECTORY' ? undefined : 'unknown';
  }
}
