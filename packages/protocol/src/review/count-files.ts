// The number of files that a review or a turn has changed: folders are listed, and not counted.
import type { Effect } from '../outcome.ts';

export function countFiles(files: readonly { folder?: true | undefined }[]): number {
  return files.filter(({ folder }) => folder !== true).length;
}

type Counted = { folder?: true | undefined; added: number | null; removed: number | null };

export type ReviewTotals = { files: number; added: number; removed: number };

/** The totals of a review; lines that can't be counted are left out. */
export function reviewTotals(files: readonly Counted[]): ReviewTotals {
  return {
    files: countFiles(files),
    added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
  };
}

/** A folder that was made, moved or removed as such. */
export function isFolderEffect({ op, before, after }: Pick<Effect, 'op' | 'before' | 'after'>): boolean {
  return op === 'mkdir' || (after ?? before)?.type === 'directory';
}
