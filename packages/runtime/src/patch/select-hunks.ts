/** Reduces a patch to the chosen hunks and recounts them, so that the rest applies by itself. */
import { ToolError } from '@codelab/protocol';
import type { FilePatch, PatchHunk } from './file-patch.ts';

/**
 * Hunks are numbered from 1 across files. A file without hunks, such as a pure rename, counts as one hunk. In a file with hunks, a rename
 * or new mode is applied with any of its hunks. Files without a chosen hunk are left out.
 */
export function selectHunks(files: readonly FilePatch[], take: readonly number[]): FilePatch[] {
  const total = files.reduce((sum, file) => sum + Math.max(file.hunks.length, 1), 0);
  const numbers = checked(take, total);
  const selected: FilePatch[] = [];
  let number = 1;
  for (const file of files) {
    const first = number;
    number += Math.max(file.hunks.length, 1);
    const hunks = file.hunks.filter((_, index) => numbers.has(first + index));
    if (hunks.length === file.hunks.length) {
      if (hunks.length > 0 || numbers.has(first)) selected.push(file);
    } else if (hunks.length > 0) selected.push({ ...file, hunks: recount(hunks) });
  }
  return selected;
}

function checked(take: readonly number[], total: number): Set<number> {
  const numbers = new Set<number>();
  for (const number of take) {
    if (!Number.isInteger(number) || number < 1 || number > total)
      throw refusal(`There is no hunk ${number}: they are numbered from 1 to ${total}.`, { number, total });
    if (numbers.has(number)) throw refusal(`Hunk ${number} is named twice.`, { number, total });
    numbers.add(number);
  }
  return numbers;
}

function refusal(message: string, details: Record<string, unknown>): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, details);
}

/** Recomputes the numbers of hunks that are applied alone: counts from their lines, new starts from the hunks before. */
export function recount(hunks: readonly PatchHunk[]): PatchHunk[] {
  let growth = 0;
  return hunks.map((hunk) => {
    const { oldLines, newLines } = countSides(hunk.lines);
    const before = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const oldStart = startOf(before, oldLines);
    const newStart = startOf(before + growth, newLines);
    growth += newLines - oldLines;
    return { ...hunk, oldStart, oldLines, newStart, newLines };
  });
}

/** A range is numbered by its first line, an empty range by the line before it. */
function startOf(linesBefore: number, count: number): number {
  return count === 0 ? linesBefore : linesBefore + 1;
}

function countSides(lines: readonly string[]): { oldLines: number; newLines: number } {
  let oldLines = 0;
  let newLines = 0;
  for (const line of lines) {
    if (line[0] === ' ' || line[0] === '-') oldLines++;
    if (line[0] === ' ' || line[0] === '+') newLines++;
  }
  return { oldLines, newLines };
}

/** Counts the lines that hunks add and delete. */
export function countHunkLines(hunks: Iterable<Pick<PatchHunk, 'lines'>>): {
  additions: number;
  deletions: number;
} {
  let additions = 0;
  let deletions = 0;
  for (const { lines } of hunks) {
    for (const line of lines) {
      const sign = line.charCodeAt(0);
      if (sign === 0x2b) additions++;
      else if (sign === 0x2d) deletions++;
    }
  }
  return { additions, deletions };
}
