// Notes about changes of a command that undo will not revert.
import { lstatSync } from 'node:fs';
import { type Effect, type FileState, firstNames, lossNote, ToolError } from '@codelab/protocol';
import { canBeMadeAgain } from '../snapshot/not-kept.ts';
import { entryOfBytes } from '../snapshot/repositories.ts';
import type { TreeBefore } from '../snapshot/tree-before.ts';
import { grainOf, type TreeDifference, type TreeEntry, treeEntry } from '../snapshot/tree-entry.ts';
import type { LeftOutReason, Tree } from '../snapshot/walk-tree.ts';
import type { WriteTrace } from '../snapshot/write-trace.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type NotUndoable = {
  removedWithoutOld: readonly string[];
  withoutOld: readonly string[];
  ofOthers: readonly string[];
  notOfCommand: readonly string[];
  uncertain: readonly string[];
  notRecorded: readonly string[];
  hasEffects: boolean;
};

const mostNamed = 5;

const reasonTexts: Record<LeftOutReason, string> = {
  ignored: 'ignored by git or made by tools',
  cache: 'marked as a cache',
  repository: 'repositories of their own',
  unreadable: 'not readable',
  'too many': 'too many files to look at',
};

/** Which changes are recorded, and those of the command beyond the bound. */
export function recordable(
  diffs: readonly TreeDifference[],
  isOwn: (difference: TreeDifference) => boolean,
  { objects, maxEffects }: { objects: ReadonlyMap<string, string>; maxEffects: number },
): { differences: TreeDifference[]; beyond: TreeDifference[] } {
  // Files that only the copy has come before those that git can restore. New files come last: where one is a renamed file, removing it
  // without restoring the old name would lose the file.
  const rankOf = ({ path, before }: TreeDifference): number => {
    if (before === undefined) return 2;
    return before.type === 'file' && objects.has(path) ? 1 : 0;
  };
  const ownDifferences = diffs.filter(isOwn);
  if (ownDifferences.length > maxEffects) ownDifferences.sort((a, b) => rankOf(a) - rankOf(b));
  // Changes of other programs are only named.
  const differences = [...ownDifferences, ...diffs.filter((difference) => !isOwn(difference))].slice(
    0,
    maxEffects,
  );
  return { differences, beyond: ownDifferences.slice(maxEffects) };
}

export function isUnchanged(old: FileState, now: FileState): boolean {
  if (old.type !== now.type || old.mode !== now.mode) return false;
  return old.type === 'directory' || (old.digest !== undefined && old.digest === now.digest);
}

export function isWithoutOld({ op, before, trashId }: Effect): boolean {
  return op !== 'mkdir' && before !== null && before.type !== 'directory' && trashId === undefined;
}

export function pathsOf(changes: readonly { path: string }[]): string[] {
  return [...new Set(changes.map(({ path }) => path))].sort();
}

export function watchNotes(
  before: Tree,
  after: Tree,
  { removed, changed, touched }: LeftOutChanges,
  refused: NotUndoable,
): string[] {
  const { removedWithoutOld, withoutOld, ofOthers, notOfCommand, uncertain, notRecorded, hasEffects } =
    refused;
  // Without effects to undo, only paths that were newly left out, or in which something changed, are worth a note.
  const leftOut = new Map([...after.leftOut, ...(hasEffects ? before.leftOut : touched)]);
  const isUnique = ([path, reason]: readonly [string, LeftOutReason]): boolean =>
    !canBeMadeAgain(path, reason);
  const unrecoverable = [...removed].filter(isUnique);
  const remade = [...removed].filter((place) => !isUnique(place) && before.leftOut.has(place[0]));
  const rewritten = [...namesOf([...changed].filter(isUnique)), ...withoutOld];
  const notes = Object.entries(reasonTexts).map(([reason, text]) => {
    const paths = [...leftOut].filter(([, itemReason]) => itemReason === reason).map(([path]) => path);
    return noteAbout(paths, (names) => `Undo leaves out what is ${text}: ${names}.`);
  });
  return [
    ...notes,
    noteAbout(
      [...namesOf(unrecoverable), ...removedWithoutOld],
      (names) => `Removed, ${lossNote} it back: ${names}.`,
    ),
    noteAbout(
      namesOf(remade),
      (names) => `Removed, and undo leaves it to the tools that create it: ${names}.`,
    ),
    noteAbout(rewritten, (names) => `Changed, ${lossNote} back what was there before: ${names}.`),
    noteAbout(
      ofOthers,
      (names) => `Changed by other calls meanwhile, so undo of this one leaves it: ${names}.`,
    ),
    noteAbout(
      notOfCommand,
      (names) => `Changed while the command ran, but not by it, so undo leaves it: ${names}.`,
    ),
    noteAbout(
      uncertain,
      (names) =>
        `Changed while the command ran; it is unknown by whom. Undo skips it unless you name it: ${names}.`,
    ),
    noteAbout(
      notRecorded,
      (names) =>
        `It changed more files than are recorded. Removed or changed without a record, ${lossNote} back what was there before: ${names}. \`git status\` shows the rest.`,
    ),
  ].filter((note) => note !== '');
}

function namesOf(leftOut: readonly (readonly [path: string, why: LeftOutReason])[]): string[] {
  return leftOut.map(([path]) => path);
}

function noteAbout(paths: readonly string[], text: (names: string) => string): string {
  return paths.length === 0 ? '' : text(firstNames(paths, mostNamed));
}

// What became of the places that the walk before the command left out: undo has nothing of them, so their loss is named.

/** By path, with the reason why the place was left out. */
type Places = Map<string, LeftOutReason>;

/** `touched` are the left-out places in which something may have changed; `isLost`: something of them that no tool makes again is gone. */
export type LeftOutChanges = { removed: Places; changed: Places; touched: Places; isLost: boolean };

type Asked = {
  before: Pick<TreeBefore, 'tree' | 'startedAt' | 'namesLeftOut'>;
  trace: WriteTrace | undefined;
};

// Each look is one call of the system; beyond this many a loss is still named, but not every file of it.
const mostLooks = 1000;

export function leftOutChanges(workspace: Workspace, { before, trace }: Asked): LeftOutChanges {
  const { tree, startedAt, namesLeftOut } = before;
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
    else if (
      typeof now === 'object' &&
      now.type === 'file' &&
      (namesLeftOut?.has(path) || isWritten(now, startedAt))
    )
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
    if (place.missing.length > 0) return undefined;
    if (place.name.includes('\ufffd')) return entryOfBytes(place.parent, place.name);
    // The walk follows no links, so one on the way has replaced a folder.
    if (place.stat === undefined || place.links.length > 0) return undefined;
    return treeEntry(lstatSync(place.parent.at(place.name)));
  } catch (error) {
    // A file has replaced a folder on the way.
    return error instanceof ToolError && error.code === 'NOT_A_DIRECTORY' ? undefined : 'unknown';
  }
}
