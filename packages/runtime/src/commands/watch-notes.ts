// Notes about changes of a command that undo will not revert.
import { lstatSync } from 'node:fs';
import { firstNames, lossNote } from '@codelab/protocol';
import { canBeMadeAgain } from '../snapshot/not-kept.ts';
import type { TreeDifference } from '../snapshot/tree-entry.ts';
import type { LeftOutReason, Tree } from '../snapshot/walk-tree.ts';
import { entriesOf } from '../workspace/trees/tree.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type NotUndoable = {
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

export function watchNotes(workspace: Workspace, before: Tree, after: Tree, refused: NotUndoable): string[] {
  const { withoutOld, ofOthers, notOfCommand, uncertain, notRecorded, hasEffects } = refused;
  // Without effects to undo, only paths that were newly left out are worth a note.
  const leftOut = new Map([...after.leftOut, ...(hasEffects ? before.leftOut : [])]);
  const removed = [...before.leftOut].filter(([path]) => isGone(workspace, path));
  const unrecoverable = removed.filter(([path, reason]) => !canBeMadeAgain(path, reason));
  const remade = removed.filter(([path, reason]) => canBeMadeAgain(path, reason));
  const notes = Object.entries(reasonTexts).map(([reason, text]) => {
    const paths = [...leftOut].filter(([, itemReason]) => itemReason === reason).map(([path]) => path);
    return noteAbout(paths, (names) => `Undo leaves out what is ${text}: ${names}.`);
  });
  return [
    ...notes,
    noteAbout(namesOf(unrecoverable), (names) => `Removed, ${lossNote} it back: ${names}.`),
    noteAbout(
      namesOf(remade),
      (names) => `Removed, and undo leaves it to the tools that create it: ${names}.`,
    ),
    noteAbout(withoutOld, (names) => `Changed, ${lossNote} back what was there before: ${names}.`),
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
        `It changed more files than are recorded. Changed without a record, ${lossNote} back what was there before: ${names}. \`git status\` shows the rest.`,
    ),
  ].filter((note) => note !== '');
}

function namesOf(leftOut: readonly (readonly [path: string, why: LeftOutReason])[]): string[] {
  return leftOut.map(([path]) => path);
}

function noteAbout(paths: readonly string[], text: (names: string) => string): string {
  return paths.length === 0 ? '' : text(firstNames(paths, mostNamed));
}

function isGone(workspace: Workspace, path: string): boolean {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    // A name that is not UTF-8 is never found by name, only by elimination.
    if (place.name.includes('\ufffd'))
      return !entriesOf(place.parent).some(({ name }) => name === place.name);
    return lstatSync(place.parent.at(place.name), { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
