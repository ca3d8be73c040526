/** Writes the difference of two versions of a file as a unified diff that `git apply` takes. */
import { type Diff, diffLines } from '@codelab/protocol';
import { countChanges, type Hunk, hunksFrom } from './hunks.ts';
import { splitAtLineFeeds } from './lines.ts';
import { quotePath } from './patch-paths.ts';

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
  const text = unifiedText({ path, hunks, wasThere: before !== null, isThere: after !== null });
  return { text: text.slice(0, maxBytes), ...counts, truncated: text.length > maxBytes };
}

// Writes the hunks of one file as a unified diff that `git apply` takes.

/** A file that was or is not there is named `/dev/null` on that side. */
type FileHunks = { path: string; hunks: readonly Hunk[]; wasThere: boolean; isThere: boolean };

export function unifiedText({ path, hunks, wasThere, isThere }: FileHunks): string {
  const header = [`--- ${fileName('a', path, wasThere)}`, `+++ ${fileName('b', path, isThere)}`];
  return `${[...header, ...hunks.map(hunkText)].join('\n')}\n`;
}

function fileName(side: 'a' | 'b', path: string, isThere: boolean): string {
  if (!isThere) return '/dev/null';
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
