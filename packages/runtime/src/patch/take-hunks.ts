/** The text with only some of the hunks of a change applied, numbered from 1 as the diff shows them. */
import { diffLines } from '@codelab/protocol';
import { groupChanges } from './group-changes.ts';
import { splitAtLineFeeds } from './split-at-line-feeds.ts';

export function takeHunks(before: string, after: string, take: readonly number[], context = 3): string {
  const oldLines = splitAtLineFeeds(before);
  const newLines = splitAtLineFeeds(after);
  const wanted = new Set(take);
  const taken = groupChanges(diffLines(oldLines, newLines), context)
    .filter((_, i) => wanted.has(i + 1))
    .flat();
  const result: string[] = [];
  let from = 0;
  for (const change of taken) {
    result.push(...oldLines.slice(from, change.oldStart), ...newLines.slice(change.newStart, change.newEnd));
    from = change.oldEnd;
  }
  return [...result, ...oldLines.slice(from)].join('');
}
