/** Writes the difference of two versions of a file as a unified diff that `git apply` takes. */
import { type Diff, diffLines, type Plan, type Risk } from '@codelab/protocol';
import { countChanges, type Hunk, hunksFrom } from './hunks.ts';
import { splitAtLineFeeds } from './lines.ts';
import { quotePath } from './parse/patch-paths.ts';

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
type FileHunks = {
  path: string;
  /** Where it was before, when it was moved. */
  from?: string | undefined;
  hunks: readonly Hunk[];
  wasThere: boolean;
  isThere: boolean;
};

export function unifiedText({ path, from = path, hunks, wasThere, isThere }: FileHunks): string {
  const header = [`--- ${fileName('a', from, wasThere)}`, `+++ ${fileName('b', path, isThere)}`];
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

const small = { lines: 100, files: 5 };
const large = { lines: 2000, files: 50 };

/** Undo takes any change to files back byte for byte, so what counts is how much there is to look through. */
export function editRisk(
  { additions, deletions }: { additions: number; deletions: number },
  files = 1,
): Pick<Plan, 'risk' | 'riskReason'> {
  const lines = additions + deletions;
  const fits = (most: { lines: number; files: number }): boolean =>
    lines <= most.lines && files <= most.files;
  const risk: Risk = fits(small) ? 'low' : fits(large) ? 'medium' : 'high';
  const what = files === 1 ? 'a file' : `${files} files`;
  return { risk, riskReason: `It changes ${lines} lines of ${what}; undo takes it back.` };
}
