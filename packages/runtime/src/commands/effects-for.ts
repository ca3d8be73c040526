// The effects that one difference between two walks of the tree is recorded as.
import { readFileSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import type { BeforeSlot } from '../snapshot/kept-before.ts';
import { isSameEntry, type TreeDifference, type TreeEntry } from '../snapshot/tree-entry.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { fileStateAt } from '../workspace/commit/change.ts';

const mostDigested = 16 * 1024 * 1024;

/** `item` is the quarantine item with the old content. `oldName` is set for an entry that the command renamed. */
type Known = { item: string | undefined; oldName: string | null | undefined };

export function effectsFor(
  { workspace }: Pick<RunContext, 'workspace'>,
  keep: BeforeSlot,
  { path, before, after }: TreeDifference,
  { item, oldName }: Known,
): Effect[] {
  // The entry was included only to be sure, and nothing was kept to compare with: without a visible change it is not reported.
  if (item === undefined && before && after && isSameEntry(before, after)) return [];
  const old = before === undefined ? null : oldState(before, keep, item);
  const now = after === undefined ? null : newState(workspace, path, after);
  const keptItem = item === undefined ? {} : { trashId: item };
  const renamed = oldName === undefined ? {} : { oldName };
  if (old === null) return now === null ? [] : [{ ...creationOf(path, now), ...renamed }];
  if (now === null) return [{ op: 'delete', path, before: old, after: null, ...keptItem }];
  if (isUnchanged(old, now)) return [];
  // A file that becomes a folder, or the reverse, takes two steps.
  if ((old.type === 'directory') !== (now.type === 'directory'))
    return [
      { op: 'delete', path, before: old, after: null, ...keptItem },
      { ...creationOf(path, now), ...renamed },
    ];
  return [{ op: 'update', path, before: old, after: now, ...keptItem, ...renamed }];
}

function creationOf(path: string, after: FileState): Effect {
  return { op: after.type === 'directory' ? 'mkdir' : 'create', path, before: null, after };
}

function isUnchanged(old: FileState, now: FileState): boolean {
  if (old.type !== now.type || old.mode !== now.mode) return false;
  return old.type === 'directory' || (old.digest !== undefined && old.digest === now.digest);
}

function oldState(entry: TreeEntry, keep: BeforeSlot, item: string | undefined): FileState {
  const { type, size, mode, target } = entry;
  if (type === 'directory') return { type, size: 0, mode };
  if (type === 'symlink') return { type, size, mode, digest: digest(target ?? '') };
  if (item === undefined || size > mostDigested) return { type, size, mode };
  return { type, size, mode, digest: digest(readFileSync(keep.slot().at(item))) };
}

function newState(workspace: RunContext['workspace'], path: string, entry: TreeEntry): FileState | null {
  const { type, size, mode } = entry;
  if (type === 'directory') return { type, size: 0, mode };
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? null : fileStateAt(place, place.stat);
  } catch {
    return { type, size, mode };
  }
}
