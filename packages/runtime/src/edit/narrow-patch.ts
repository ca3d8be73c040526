/**
 * Reduces a patch to the hunks that a human chose, as they edited them. Where a hunk's lines alone would not place it exactly, the patch
 * is recomputed by comparing the file with the chosen text, so that the patch produces exactly that text.
 */
import { chosenText, diffLines, type HunkChoice, rewriteHunk, ToolError } from '@codelab/protocol';
import type { FilePatch, PatchHunk } from '../patch/file-patch.ts';
import { withCarriageReturns } from '../patch/place-hunks.ts';
import { recount, selectHunks } from '../patch/select-hunks.ts';
import { hunksFrom, splitAtLineFeeds } from '../patch/unified-diff.ts';
import type { PlannedPatch } from './plan-patch.ts';

export function narrowPatch(patch: PlannedPatch, choice: HunkChoice): FilePatch[] {
  const { files, patched } = patch;
  const selected = selectHunks(files, choice.take);
  // A hunk that was found at an offset could be found at another place once the hunks before it are left out.
  const hasMoved = patched.some(({ offsets }) => offsets.some((offset) => offset !== 0));
  if (choice.edits === undefined && !hasMoved) return selected;
  return files.flatMap((file, index) => narrowFile(patch, file, choiceWithin(files, index, choice)));
}

/** Narrows a patch without files to compare with: only the hunks show what was edited. */
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

function narrowFile(patch: PlannedPatch, file: FilePatch, choice: HunkChoice): FilePatch[] {
  if (choice.take.length === 0) return [];
  if (file.hunks.length === 0) return [file];
  const source = sourceOf(patch, file);
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
    // Only a part of the file is deleted, so the file stays.
    const { oldMode: _, ...rest } = file;
    return hunks.length === 0 ? [] : [{ ...rest, operation: 'update', newPath: file.oldPath, hunks }];
  }
  const isNothing = hunks.length === 0 && file.operation === 'update' && file.newMode === undefined;
  return isNothing ? [] : [{ ...file, hunks }];
}

type Source = { text: string; hunks: PatchHunk[]; isCrlf: boolean };

/** The text a file's hunks apply to, and the hunks at their real places; undefined when the file is not text. */
function sourceOf({ files, patched, targets }: PlannedPatch, file: FilePatch): Source | undefined {
  const path = file.newPath ?? file.oldPath;
  const paths = [file.oldPath, file.newPath].filter((name) => name !== null);
  const isShared = files.some((other) => other !== file && paths.some((name) => isNamed(other, name)));
  const change = patched.find((candidate) => candidate.path === path);
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

/** The part of a choice that concerns one file, with hunk numbers from the file's first hunk. */
function choiceWithin(files: readonly FilePatch[], index: number, { take, edits }: HunkChoice): HunkChoice {
  const countOf = ({ hunks }: FilePatch): number => Math.max(hunks.length, 1);
  const before = files.slice(0, index).reduce((sum, file) => sum + countOf(file), 0);
  const end = before + countOf(files[index] as FilePatch);
  const isOwn = (number: number): boolean => number > before && number <= end;
  const ofFile = edits
    ?.filter(({ hunk }) => isOwn(hunk))
    .map((edit) => ({ ...edit, hunk: edit.hunk - before }));
  return {
    take: take.filter(isOwn).map((number) => number - before),
    ...(ofFile !== undefined && ofFile.length > 0 && { edits: ofFile }),
  };
}

/** The patch has LF for a file with CRLF, and so do the edits that a human made in it. */
function withCrlf({ take, edits = [] }: HunkChoice): HunkChoice {
  return { take, edits: edits.map((edit) => ({ ...edit, text: edit.text.replace(/(?<!\r)\n/g, '\r\n') })) };
}
