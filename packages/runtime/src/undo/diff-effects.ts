// A call's file changes as one diff per file, from the content before the call to the content after it.

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type Effect, type FileState, ToolError } from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import { digest } from '../platform/digest.ts';
import { openItem } from '../workspace/quarantine/quarantine.ts';
import { decodeText } from '../workspace/text-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Versions } from './index-changes.ts';

type FileDiff = {
  path: string;
  from?: string;
  op: Effect['op'];
  diff: string;
  /** Number of lines; null when they cannot be counted. */
  added: number | null;
  removed: number | null;
  binary?: true;
  truncated?: true;
  /** Why a changed file has no diff. */
  gone?: string;
};

const maxFileBytes = 2 * 1024 * 1024;

/** `maxChars` bounds the text of all diffs together. */
export function diffEffects(
  effects: readonly Effect[],
  places: Places,
  { maxChars }: { maxChars: number },
): FileDiff[] {
  let charsLeft = maxChars;
  return shownEffects(effects).map((effect) => {
    const fileDiff = diffEffect(effect, places, charsLeft);
    charsLeft -= fileDiff.diff.length;
    return fileDiff;
  });
}

/** Folders created on the way to a file are not listed. */
export function shownEffects(effects: readonly Effect[]): Effect[] {
  const files = effects.filter(({ op }) => op !== 'mkdir');
  return files.length > 0 ? files : [...effects];
}

function diffEffect({ op, path, from, before, after }: Effect, places: Places, maxBytes: number): FileDiff {
  const identity = { path, ...(from !== undefined && { from }), op };
  const silent = { ...identity, diff: '', added: null, removed: null };
  // A move keeps the content; folders, links and devices have no lines.
  if (op === 'move' || ![before, after].every(isText)) return silent;
  if (maxBytes <= 0) return { ...silent, truncated: true };
  const [old, now] = [textOf(path, before, places), textOf(path, after, places)];
  if (typeof old === 'object' && old !== null) return { ...silent, ...old };
  if (typeof now === 'object' && now !== null) return { ...silent, ...now };
  const { text, additions, deletions, truncated } = unifiedDiff({ path, before: old, after: now, maxBytes });
  return {
    ...identity,
    diff: text,
    added: additions,
    removed: deletions,
    ...(truncated && { truncated: true }),
  };
}

function isText(state: FileState | null): boolean {
  return state === null || state.type === 'file';
}

function textOf(
  path: string,
  state: FileState | null,
  places: Places,
): string | null | { binary: true } | { gone: string } {
  if (state === null) return null;
  if (state.size > maxFileBytes) return { gone: `The file has ${state.size} bytes, too many to compare.` };
  const bytes = findVersion(path, state, places);
  if (bytes === undefined) return { gone: 'This version is no longer stored (14 days, 1 GiB).' };
  try {
    return decodeText(bytes, path).text;
  } catch {
    return { binary: true };
  }
}

// Finds the bytes of one version of a file by digest: in the workspace, or in the quarantine. Undo and redo move versions back and forth,
// so a version is searched by its content, not by where it was put.
type Places = { workspace: Workspace; home: string; versions: Versions };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Undefined when the version is no longer stored. */
function findVersion(path: string, expected: FileState, places: Places): Buffer | undefined {
  if (expected.type !== 'file' || expected.digest === undefined) return undefined;
  const current = readIfUnchanged(path, expected, places.workspace);
  if (current !== undefined) return current;
  for (const { digest: storedDigest, trashId } of places.versions.get(path) ?? []) {
    if (storedDigest !== expected.digest) continue;
    using item = openItem(places.home, trashId);
    const bytes = item && readVersion(item.parent.at(item.name), expected);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** The content at a path, if it is that version. */
export function readIfUnchanged(path: string, expected: FileState, workspace: Workspace): Buffer | undefined {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat?.isFile() ? readVersion(place.parent.at(place.name), expected) : undefined;
  } catch (error) {
    // A folder on the path was deleted or replaced.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

// Only a complete file with the right digest counts: the name alone proves nothing.
export function readVersion(file: string, expected: FileState): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size !== expected.size) return undefined;
    const bytes = readFileSync(fd);
    return digest(bytes) === expected.digest ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
