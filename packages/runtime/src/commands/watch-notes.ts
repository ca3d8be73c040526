// Notes about changes of a command that undo will not revert.
import { firstNames, lossNote } from '@codelab/protocol';
import type { LeftOutChanges } from '../snapshot/left-out.ts';
import { canBeMadeAgain } from '../snapshot/not-kept.ts';
import type { TreeDifference } from '../snapshot/tree-entry.ts';
import type { LeftOutReason, Tree } from '../snapshot/walk-tree.ts';

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

export function watchNotes(
  before: Tree,
  after: Tree,
  { removed, changed, touched }: LeftOutChanges,
  refused: NotUndoable,
): string[] {
  const { withoutOld, ofOthers, notOfCommand, uncertain, notRecorded, hasEffects } = refused;
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
    noteAbout(namesOf(unrecoverable), (names) => `Removed, ${lossNote} it back: ${names}.`),
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
