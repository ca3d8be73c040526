/**
 * A patch reduced to the hunks that a human took, as they edited them. Where its lines alone would not place a hunk exactly, the file
 * is compared anew with the text that was chosen, so that the patch gives that text and nothing else.
 */
import { chosenText, diffLines, type HunkChoice, rewriteHunk, ToolError } from '@codelab/protocol';
import type { FilePatch, PatchHunk } from '../patch/file-patch.ts';
import { withCarriageReturns } from '../patch/place-hunks.ts';
import { recount, selectHunks } from '../patch/select-hunks.ts';
import { hunksFrom, splitAtLineFeeds } from '../patch/unified-diff.ts';
import type { PlannedPatch } from './plan-patch.ts';

export function narrowPatch(planned: PlannedPatch, choice: HunkChoice): FilePatch[] {
  const { files, patched } = planned;
  const selected = selectHunks(files, choice.take);
  // A hunk that was found elsewhere could be found somewhere else again without those before it.
  const hasMoved = patched.some(({ offsets }) => offsets.some((offset) => offset !== 0));
  if (choice.edits === undefined && !hasMoved) return selected;
  return files.flatMap((file, index) => narrowFile(planned, file, choiceWithin(files, index, choice)));
}

/** The same without any file to compare with: the hunks themselves say what was edited. */
export function rewritePatch(files: readonly FilePatch[], { take, edits = [] }: HunkChoice): FilePatch[] {
  const texts = new Map(edits.map(({ hunk, text }) => [hunk, text]));
  let number = 0;
  const rewritten = files.map((file) => {
    if (file.hunks.length === 0) number++;
    const hunks = file.hunks.map((hunk) => {
      const text = texts.get(++number);
      return text === undefined ? hunk : rewriteHunk(hunk, text);
    });
    return { ...file, hunks };
  });
  return selectHunks(rewritten, take).map((file) => ({ ...file, hunks: recount(file.hunks) }));
}

function narrowFile(planned: PlannedPatch, file: FilePatch, choice: HunkChoice): FilePatch[] {
  if (choice.take.length === 0) return [];
  if (file.hunks.length === 0) return [file];
  const source = sourceOf(planned, file);
  if (source === undefined) {
    if (choice.edits === undefined) return selectHunks([file], choice.take);
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `Hunks of ${file.newPath ?? file.oldPath} can be taken or left, but not edited: it is not UTF-8 text, or several parts of the patch change it.`,
    );
  }
  const after = chosenText(source.text, source.hunks, source.isCrlf ? withCrlf(choice) : choice);
  const [oldLines, newLines] = [splitAtLineFeeds(source.text), splitAtLineFeeds(after)];
  const hunks: PatchHunk[] = hunksFrom(oldLines, newLines, diffLines(oldLines, newLines));
  if (file.operation === 'delete' && after !== '') {
    // Only a part of the file goes, so the file stays.
    const { oldMode: _, ...kept } = file;
    return hunks.length === 0 ? [] : [{ ...kept, operation: 'update', newPath: file.oldPath, hunks }];
  }
  const isNothing = hunks.length === 0 && file.operation === 'update' && file.newMode === undefined;
  return isNothing ? [] : [{ ...file, hunks }];
}

type Source = { text: string; hunks: PatchHunk[]; isCrlf: boolean };

/** The text a file's hunks apply to, and the hunks where they were placed; undefined when that can't be told as text. */
function sourceOf({ files, patched, targets }: PlannedPatch, file: FilePatch): Source | undefined {
  const path = file.newPath ?? file.oldPath;
  const paths = [file.oldPath, file.newPath].filter((name) => name !== null);
  const isShared = files.some((other) => other !== file && paths.some((name) => isNamed(other, name)));
  const change = patched.find((one) => one.path === path);
  const bytes = file.operation === 'create' ? '' : targets.get(file.oldPath ?? '')?.text;
  const text = bytes === undefined ? undefined : decoded(bytes);
  if (isShared || change === undefined || text === undefined) return undefined;
  const isCrlf = change.tolerant.includes('line endings');
  const hunks = file.hunks.map((hunk, i): PatchHunk => {
    const placed = { ...hunk, oldStart: hunk.oldStart + (change.offsets[i] ?? 0) };
    return isCrlf ? withCarriageReturns(placed) : placed;
  });
  return { text, hunks, isCrlf };
}

function isNamed({ oldPath, newPath }: FilePatch, name: string): boolean {
  return oldPath === name || newPath === name;
}

function decoded(bytes: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The part of a choice that is about one file, counted from its own first hunk. */
function choiceWithin(files: readonly FilePatch[], index: number, { take, edits }: HunkChoice): HunkChoice {
  const countOf = ({ hunks }: FilePatch): number => Math.max(hunks.length, 1);
  const before = files.slice(0, index).reduce((sum, file) => sum + countOf(file), 0);
  const end = before + countOf(files[index] as FilePatch);
  const isOwn = (number: number): boolean => number > before && number <= end;
  const own = edits?.filter(({ hunk }) => isOwn(hunk)).map((edit) => ({ ...edit, hunk: edit.hunk - before }));
  return {
    take: take.filter(isOwn).map((number) => number - before),
    ...(own !== undefined && own.length > 0 && { edits: own }),
  };
}

/** The patch was written with plain line feeds for a file that has others, and so is what a human wrote into it. */
function withCrlf({ take, edits = [] }: HunkChoice): HunkChoice {
  return { take, edits: edits.map((edit) => ({ ...edit, text: edit.text.replace(/(?<!\r)\n/g, '\r\n') })) };
}
