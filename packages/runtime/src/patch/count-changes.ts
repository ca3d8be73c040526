/** Counts the lines that changes add and delete. */
import type { LineChange } from '@codelab/protocol';

export function countChanges(changes: readonly LineChange[]): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const change of changes) {
    additions += change.newEnd - change.newStart;
    deletions += change.oldEnd - change.oldStart;
  }
  return { additions, deletions };
}
