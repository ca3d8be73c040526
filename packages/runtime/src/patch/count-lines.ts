/** Counts the lines that hunks add and delete. */
import type { PatchHunk } from './file-patch.ts';

export function countLines(hunks: Iterable<Pick<PatchHunk, 'lines'>>): {
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
