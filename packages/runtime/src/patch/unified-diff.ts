/** Writes the difference of two versions of a file as a unified diff that `git apply` takes. */
import type { Diff } from '@codelab/protocol';
import { diffLines } from '@codelab/protocol';
import { countChanges } from './count-changes.ts';
import { hunksFrom } from './hunks.ts';
import { splitAtLineFeeds } from './split-at-line-feeds.ts';
import { unifiedText } from './unified-text.ts';

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
