// The state of a file at present, compared with a recorded one, and whether what it held before is still stored.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { fileStateAt, isSameTime } from '../workspace/commit/change.ts';
import type { Located } from '../workspace/locate.ts';
import { type DirectoryEntry, openItem } from '../workspace/quarantine/quarantine.ts';

// The file is read only where that tells something: it may be too large to read.
export function presentState(place: Located, then: FileState | null): FileState | null {
  if (place.stat === undefined) return null;
  const state = fileStateAt(place, place.stat);
  if (!place.stat.isFile() || state.digest !== undefined) return state;
  if (then?.digest === undefined || then.size !== state.size) return state;
  return { ...state, digest: digest(readFileSync(place.parent.at(place.name))) };
}

// For a folder only its type is compared: its content has effects of its own.
export function isSameState(now: FileState | null, then: FileState | null): boolean {
  if (now === null || then === null) return now === then;
  if (now.type !== then.type) return false;
  if (now.type === 'directory') return true;
  const isSameContent =
    then.digest === undefined ? now.size === then.size && isSameTime(now, then) : now.digest === then.digest;
  return isSameContent && now.mode === then.mode;
}

/** The effect was already undone, by a person or by an interrupted undo. Folders look alike, so this never applies to them. */
export function isAsBefore(now: FileState | null, { op, before }: Effect): boolean {
  if (op === 'move' || before?.type === 'directory') return false;
  return before === null ? now === null : before.digest !== undefined && isSameState(now, before);
}

export function isEmpty({ parent, name }: Located): boolean {
  return readdirSync(parent.at(name)).length === 0;
}

export function isKept(effect: Effect, home: string): boolean {
  using item = effect.trashId === undefined ? undefined : openItem(home, effect.trashId);
  if (item === undefined) return false;
  return effect.before?.digest === undefined || digestOf(item) === effect.before.digest;
}

function digestOf({ parent, name }: DirectoryEntry): string | undefined {
  const stat = lstatSync(parent.at(name));
  if (stat.isSymbolicLink()) return digest(readlinkSync(parent.at(name)));
  return stat.isFile() ? digest(readFileSync(parent.at(name))) : undefined;
}

// Hard links among the changes to undo. Where the change made several names one file, restoring one must not change the others;
// where they were one file before, restoring one is enough.

/** `apart`: paths that share a file only since the change. `along`: paths that are restored together with another one. */
type SharedNames = { separatePaths: ReadonlySet<string>; movedAlong: ReadonlySet<string> };

export function sharedNames(group: readonly Effect[], context: PlanContext): SharedNames {
  const names = new Map<string, Effect[]>();
  for (const effect of group) {
    const inode = inodeOf(effect, context);
    if (inode !== undefined) names.set(inode, [...(names.get(inode) ?? []), effect]);
  }
  const separatePaths = new Set<string>();
  const movedAlong = new Set<string>();
  for (const effects of names.values()) {
    const isNew = new Set(effects.map(({ before }) => before?.digest)).size > 1;
    // Names that did not exist before are all removed.
    const isOne = !isNew && effects[0]?.before !== null;
    for (const { path } of isNew ? effects : []) separatePaths.add(path);
    for (const { path } of isOne ? effects.slice(1) : []) movedAlong.add(path);
  }
  return { separatePaths, movedAlong };
}

/** Undefined for a file with one name, or a missing one. */
function inodeOf({ path, after }: Effect, { workspace }: PlanContext): string | undefined {
  if (after?.type !== 'file') return undefined;
  try {
    const options = { followLast: false, access: 'read', pathChars: Number.MAX_SAFE_INTEGER } as const;
    using place = workspace.locate(path, options);
    const { stat } = place;
    return stat?.isFile() && stat.nlink > 1n ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}
