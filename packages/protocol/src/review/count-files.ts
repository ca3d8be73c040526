// How many files a review or a turn has changed: folders are listed, and not counted.
import type { Effect } from '../outcome.ts';

export function countFiles(files: readonly { folder?: true | undefined }[]): number {
  return files.filter(({ folder }) => folder !== true).length;
}

/** A folder that was made, moved or removed as such. */
export function isFolderEffect({ op, before, after }: Pick<Effect, 'op' | 'before' | 'after'>): boolean {
  return op === 'mkdir' || (after ?? before)?.type === 'directory';
}
