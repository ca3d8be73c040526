/** Keeps only the chosen hunks of a patch, recounted so that what is left applies by itself. */
import { ToolError } from '@codelab/protocol';
import type { FilePatch } from './file-patch.ts';
import { recount } from './recount.ts';

/**
 * Hunks are numbered from 1 across files. A file without hunks, such as a pure rename, counts as one; where a file
 * has hunks, its rename or new mode goes with any of them. Files of which nothing is taken are left out.
 */
export function selectHunks(files: readonly FilePatch[], take: readonly number[]): FilePatch[] {
  const total = files.reduce((sum, file) => sum + Math.max(file.hunks.length, 1), 0);
  const wanted = checked(take, total);
  const selected: FilePatch[] = [];
  let number = 1;
  for (const file of files) {
    const first = number;
    number += Math.max(file.hunks.length, 1);
    const hunks = file.hunks.filter((_, index) => wanted.has(first + index));
    if (hunks.length === file.hunks.length) {
      if (hunks.length > 0 || wanted.has(first)) selected.push(file);
    } else if (hunks.length > 0) selected.push({ ...file, hunks: recount(hunks) });
  }
  return selected;
}

function checked(take: readonly number[], total: number): Set<number> {
  const wanted = new Set<number>();
  for (const number of take) {
    if (!Number.isInteger(number) || number < 1 || number > total)
      throw refusal(`There is no hunk ${number}: they are numbered from 1 to ${total}.`, { number, total });
    if (wanted.has(number)) throw refusal(`Hunk ${number} is named twice.`, { number, total });
    wanted.add(number);
  }
  return wanted;
}

function refusal(message: string, details: Record<string, unknown>): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, details);
}
