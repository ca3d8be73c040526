// Checks before a file is changed: whether the session knows its present version, whether an editor has unsaved text of it, and whether the
// change reaches further than the path says.

import { type BigIntStats, fstatSync, lstatSync } from 'node:fs';
import { type Phrase, phrase, type Seen, ToolError } from '@codelab/protocol';
import { type Directory, identity } from './directory.ts';
import { errno } from './fault.ts';
import type { Located } from './locate.ts';
import { hasSameInode, isStateFolderError, isWithin, mountPoints } from './state-folder.ts';
import { readBoundedText } from './text-files.ts';
import { entriesOf } from './trees/tree.ts';
import type { Workspace } from './workspace.ts';

// A file must be read before it is written: a session cannot change a file that it has not read, or has read in another version.

/** `seen` returns the version of a file that this session knows. */
type SeenContext = { seen(path: string): string | undefined };

export function checkRead(place: Located, context: SeenContext): void {
  if (place.stat === undefined) return;
  if (context.seen(place.path) === undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'File has not been read yet. Read it first before writing to it.',
      { reason: 'not_read' },
    );
  }
  checkSeen(place, context);
}

/** A file that the session has never seen may be written; one that it has seen must still be that version. */
export function checkSeen({ path, stat }: Located, { seen }: SeenContext): void {
  const print = seen(path);
  if (stat !== undefined && print !== undefined && print !== identity(stat)) {
    throw new ToolError(
      'STALE',
      'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
      { reason: 'changed_since_read' },
    );
  }
}

/**
 * The version of a file that the caller knows after a change of ours. The change is already made, so a file that can't be read now (no
 * descriptor left, a link in place of its folder) is no failure: it must be read again before the next edit.
 */
export function seeAgain(workspace: Workspace, path: string): Seen[] {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? [] : [{ path, print: identity(place.stat) }];
  } catch {
    return [];
  }
}

// While an editor has unsaved text of a file, reads return that text, and nothing may change the file: the editor's next save would
// overwrite the change.
export const maxUnsavedBytes = 1024 * 1024;

/** Whether the file has this text, so that nothing is unsaved. A file that can't be read as text differs. */
export function isSaved(workspace: Workspace, path: string, text: string): boolean {
  try {
    // The byte order mark takes three bytes more.
    return readBoundedText(workspace, path, { maxBytes: maxUnsavedBytes + 3, followLast: false }) === text;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

/** Refuses a change to a file with unsaved text, before the file's present text is read. */
export function refuseUnsaved(path: string, context: { unsaved(path: string): string | undefined }): void {
  if (context.unsaved(path) === undefined) return;
  throw new ToolError(
    'STALE',
    `${path} has unsaved changes in the editor; save or close it there, then try again.`,
    { reason: 'unsaved_changes', path },
  );
}

// The file may have another name outside the workspace, lie on a mount, or run with its owner's rights.
const setIds = 0o6000n;
const maxEntries = 20_000;

export type FileSharing = {
  /** A sentence for people; undefined when there is nothing to say. */
  why?: Phrase;
  /** Other names of the file in the workspace: writing to the file changes them as well. */
  names: readonly string[];
};

export function findSharing(path: string, workspace: Workspace): FileSharing {
  const { root } = workspace;
  const at = `${root.real === '/' ? '' : root.real}/${path}`;
  const mount = mountPoints().find(
    (point) => point !== root.real && isWithin(point, root.real) && isWithin(at, point),
  );
  if (mount !== undefined) return { why: phrase('call.mounted', { path }), names: [] };
  const stat = lookAt(path, workspace);
  if (stat === undefined || !stat.isFile()) return { names: [] };
  const otherNames = stat.nlink > 1n ? namesBelow(root, stat) : [];
  const why = whyShared(path, { stat, root, known: otherNames.length });
  return { ...(why !== undefined && { why }), names: otherNames.filter((name) => name !== path) };
}

function whyShared(
  path: string,
  { stat, root, known }: { stat: BigIntStats; root: Directory; known: number },
): Phrase | undefined {
  if (stat.dev !== fstatSync(root.fd, { bigint: true }).dev) return phrase('call.otherDevice', { path });
  if ((stat.mode & setIds) !== 0n) return phrase('call.setuid', { path });
  if (stat.nlink > 1n && BigInt(known) < stat.nlink)
    return phrase('call.hardLinks', { path, count: Number(stat.nlink) });
  return undefined;
}

function lookAt(path: string, workspace: Workspace): BigIntStats | undefined {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The names of a file in the workspace, as far as a bounded search finds them. */
function namesBelow(root: Directory, file: BigIntStats): string[] {
  const paths: string[] = [];
  let remaining = maxEntries;
  const visit = (directory: Directory, above: string): void => {
    for (const entry of entriesOf(directory)) {
      if (--remaining < 0 || BigInt(paths.length) === file.nlink) return;
      if (entry.isDirectory()) enter(directory, entry.name, above);
      else if (entry.isFile()) {
        const stat = lstatSync(directory.at(entry.name), { bigint: true, throwIfNoEntry: false });
        if (stat !== undefined && hasSameInode(stat, file)) paths.push(`${above}${entry.name}`);
      }
    }
  };
  const enter = (parent: Directory, name: string, above: string): void => {
    try {
      using directory = parent.openBelow(name);
      visit(directory, `${above}${name}/`);
    } catch (error) {
      if (!isStateFolderError(error) && errno(error) === undefined) throw error;
    }
  };
  visit(root, '');
  return paths;
}
