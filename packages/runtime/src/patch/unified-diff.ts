/** Writes the difference of two versions of a file as a unified diff that `git apply` takes. */
import type { Diff } from '@codelab/protocol';
import { countChanges } from './count-changes.ts';
import { diffLines } from './diff-lines.ts';
import { type Hunk, hunksFrom } from './hunks.ts';
import { quotePath } from './quote-path.ts';
import { splitAtLineFeeds } from './split-at-line-feeds.ts';

type Versions = {
  path: string;
  before: string | null;
  after: string | null;
  context?: number;
  maxBytes?: number;
};

/** Null means there is no file. The text is empty when no line differs, hence also for an empty file that comes or goes. */
export function unifiedDiff({
  path,
  before,
  after,
  context = 3,
  maxBytes = Number.MAX_SAFE_INTEGER,
}: Versions): Diff {
  const oldLines = splitAtLineFeeds(before ?? '');
  const newLines = splitAtLineFeeds(after ?? '');
  const changes = diffLines(oldLines, newLines);
  const hunks = hunksFrom(oldLines, newLines, changes, context);
  const counts = { ...countChanges(changes), hunks: hunks.length };
  if (hunks.length === 0) return { text: '', ...counts, truncated: false };
  const header = [`--- ${fileName('a', path, before)}`, `+++ ${fileName('b', path, after)}`];
  const text = `${[...header, ...hunks.flatMap(hunkText)].join('\n')}\n`;
  return { text: text.slice(0, maxBytes), ...counts, truncated: text.length > maxBytes };
}

function fileName(side: 'a' | 'b', path: string, content: string | null): string {
  if (content === null) return '/dev/null';
  const name = quotePath(`${side}/${path}`);
  // As git does: without the tab, patch programs end the name at its first space.
  return name.includes(' ') ? `${name}\t` : name;
}

function hunkText(hunk: Hunk): string {
  const header = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
  return `${header}\n${hunk.lines.join('\n')}`;
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}
