// Reads a person's choice of what to discard of a review, file by file: the hunks to revert, and the hunks that get another text. Names
// choices that no longer fit.
import { choiceFault, type ErrorCode, ToolError } from '@codelab/protocol';
import { type HunkText, pathMark, type ReviewedChanges, type ReviewedFile } from './review-files.ts';

export type DiscardWish = {
  hunks: readonly string[];
  edits?: readonly HunkText[] | undefined;
  files?: readonly string[] | undefined;
  all?: true | undefined;
};

/** `gone` are hunks to be discarded, `edits` texts of hunks that stay. */
export type FileChoice = {
  file: ReviewedFile;
  discarded: ReadonlySet<string>;
  edits: ReadonlyMap<string, string>;
};

export type Refusal = { path: string; hunks: string[]; reason: string; code: ErrorCode };

export function chooseDiscard(
  { files }: Pick<ReviewedChanges, 'files'>,
  { hunks, edits = [], files: namedFiles = [], all }: DiscardWish,
): { choices: FileChoice[]; refused: Refusal[] } {
  refuseContradiction(hunks, edits);
  const discardedIds = new Set(hunks);
  const texts = new Map(edits.map(({ hunk, text }) => [hunk, text]));
  const paths = new Set(namedFiles);
  const choices: FileChoice[] = [];
  const refused = [...unknownHunks(files, [...discardedIds, ...texts.keys()]), ...unknownFiles(files, paths)];
  for (const file of files) {
    // Whether the agent made an uncertain change is unknown, so `all` leaves the file out; only its own name discards it.
    const isWhole = paths.has(file.path) || (all === true && file.uncertain === undefined);
    const ids = file.hunks.map(({ id }) => id);
    const editedTexts = new Map(ids.flatMap((id) => [[id, texts.get(id)] as const]).filter(isGiven));
    const discarded = new Set(ids.filter((id) => (isWhole || discardedIds.has(id)) && !editedTexts.has(id)));
    if (discarded.size === 0 && editedTexts.size === 0) continue;
    const fault = faultOf(file, editedTexts);
    if (fault === undefined) choices.push({ file, discarded, edits: editedTexts });
    else refused.push({ path: file.path, hunks: [...discarded, ...editedTexts.keys()], ...fault });
  }
  return { choices, refused };
}

function isGiven(entry: readonly [string, string | undefined]): entry is readonly [string, string] {
  return entry[1] !== undefined;
}

function faultOf(
  { gone, hunks }: ReviewedFile,
  edits: ReadonlyMap<string, string>,
): Pick<Refusal, 'reason' | 'code'> | undefined {
  if (gone !== undefined) return { reason: gone, code: 'FILE_NOT_FOUND' };
  const numbered = hunks.flatMap(({ id }, at) => {
    const text = edits.get(id);
    return text === undefined ? [] : [{ hunk: at + 1, text }];
  });
  const choice = { take: numbered.map(({ hunk }) => hunk), edits: numbered };
  const fault = choiceFault(
    hunks.map(({ hunk }) => hunk),
    choice,
  );
  return fault === undefined ? undefined : { reason: fault, code: 'INVALID_ARGUMENTS' };
}

function unknownHunks(files: readonly ReviewedFile[], ids: readonly string[]): Refusal[] {
  const hunkIds = new Set(files.flatMap((file) => file.hunks.map(({ id }) => id)));
  const byMark = new Map(files.map(({ path }) => [pathMark(path), path]));
  return ids
    .filter((id) => !hunkIds.has(id))
    .map((id) => {
      const path = byMark.get(id.slice(0, id.indexOf('-') + 1));
      const reason =
        path === undefined
          ? 'the file no longer has changes to discard, or it was moved; reload the review'
          : 'it was changed since the review was shown; reload the review';
      return { path: path ?? `hunk ${id}`, hunks: [id], reason, code: 'STALE' };
    });
}

function unknownFiles(files: readonly ReviewedFile[], namedFiles: ReadonlySet<string>): Refusal[] {
  const paths = new Set(files.map(({ path }) => path));
  return [...namedFiles]
    .filter((path) => !paths.has(path))
    .map((path) => ({ path, hunks: [], reason: 'the review has no such file', code: 'FILE_NOT_FOUND' }));
}

function refuseContradiction(hunks: readonly string[], edits: readonly HunkText[]): void {
  const discarded = new Set(hunks);
  const editedIds = new Set<string>();
  for (const { hunk } of edits) {
    const fault = discarded.has(hunk)
      ? 'edited and discarded'
      : editedIds.has(hunk)
        ? 'edited twice'
        : undefined;
    if (fault !== undefined)
      throw new ToolError('INVALID_ARGUMENTS', `The hunk ${hunk} is ${fault}. Choose one.`, {
        field: 'edits',
      });
    editedIds.add(hunk);
  }
}
