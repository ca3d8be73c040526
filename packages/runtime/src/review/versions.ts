// The contents that a review needs: those in the workspace, replaced ones in the quarantine, and those that calls left.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type FileState, ToolError } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import { readIfUnchanged, readVersion } from '../undo/diff-effects.ts';
import { fileStateAt } from '../workspace/commit/change.ts';
import { openItem } from '../workspace/quarantine/quarantine.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ReviewCalls } from './find-calls.ts';
import { reviewFolder, versionName } from './keep-versions.ts';

export type VersionSources = Pick<ReviewCalls, 'trashIds' | 'within' | 'places' | 'sessions'> & {
  workspace: Workspace;
  home: string;
};

/** The content of a file in one of its states, verified by its digest; undefined when it is stored nowhere. Looks at `near` first. */
export function findContent(
  expected: FileState,
  likelyPaths: readonly string[],
  { workspace, home, sessions, trashIds, within, places }: VersionSources,
): Buffer | undefined {
  if (expected.type !== 'file' || expected.digest === undefined) return undefined;
  for (const path of [...likelyPaths, ...(places.get(expected.digest) ?? [])]) {
    const bytes = readIfUnchanged(path, expected, workspace);
    if (bytes !== undefined) return bytes;
  }
  for (const id of trashIds.get(expected.digest) ?? []) {
    using item = openItem(home, id);
    const bytes = item && readVersion(item.parent.at(item.name), expected);
    if (bytes !== undefined) return bytes;
  }
  const file = within.get(expected.digest);
  const versionFiles = sessions.map((session) =>
    join(reviewFolder({ home, session }), 'versions', versionName(expected)),
  );
  for (const candidate of file === undefined ? versionFiles : [file, ...versionFiles]) {
    const bytes = readVersion(candidate, expected);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** The target of a symbolic link with that digest. */
export function findLink(
  expected: FileState,
  likelyPaths: readonly string[],
  { workspace, home, trashIds, within, places }: VersionSources,
): string | undefined {
  if (expected.type !== 'symlink' || expected.digest === undefined) return undefined;
  for (const path of [...likelyPaths, ...(places.get(expected.digest) ?? [])]) {
    const target = linkAt(path, expected, workspace);
    if (target !== undefined) return target;
  }
  for (const id of trashIds.get(expected.digest) ?? []) {
    using item = openItem(home, id);
    const target = item && readLink(item.parent.at(item.name), expected);
    if (target !== undefined) return target;
  }
  const deleted = within.get(expected.digest);
  return deleted === undefined ? undefined : readLink(deleted, expected);
}

function linkAt(path: string, expected: FileState, workspace: Workspace): string | undefined {
  try {
    const options = { followLast: false, access: 'read', pathChars: Number.MAX_SAFE_INTEGER } as const;
    using place = workspace.locate(path, options);
    return readLink(place.parent.at(place.name), expected);
  } catch (error) {
    // A folder on the way is gone, or is something else by now.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function readLink(file: string, expected: FileState): string | undefined {
  try {
    const target = readlinkSync(file);
    return digest(target) === expected.digest ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Null where nothing exists. */
export function stateAt(path: string, workspace: Workspace): FileState | null {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? null : fileStateAt(place, place.stat);
  } catch (error) {
    // A folder on the way is gone, or is something else by now.
    if (error instanceof ToolError) return null;
    throw error;
  }
}

export function isFolderEmpty(path: string, workspace: Workspace): boolean {
  try {
    const options = { followLast: false, access: 'read', pathChars: Number.MAX_SAFE_INTEGER } as const;
    using place = workspace.locate(path, options);
    return readdirSync(place.parent.at(place.name)).length === 0;
  } catch {
    // The folder is not readable, or was removed meanwhile.
    return false;
  }
}
