/** The diff a human judges, from hunks that are known already; the same that `unifiedDiff` finds by comparing. */
import type { Diff } from '@codelab/protocol';
import type { Hunk } from '../patch/hunks.ts';
import { unifiedText } from '../patch/unified-diff.ts';

type PathHunks = { path: string; hunks: readonly Hunk[]; wasThere?: boolean; maxBytes?: number };

/** Without hunks the text is empty. */
export function unifiedFromHunks({
  path,
  hunks,
  wasThere = true,
  maxBytes = Number.MAX_SAFE_INTEGER,
}: PathHunks): Diff {
  const text = hunks.length === 0 ? '' : unifiedText({ path, hunks, wasThere, isThere: true });
  let additions = 0;
  let deletions = 0;
  for (const line of hunks.flatMap(({ lines }) => lines)) {
    if (line.startsWith('+')) additions++;
    else if (line.startsWith('-')) deletions++;
  }
  const truncated = text.length > maxBytes;
  return { text: text.slice(0, maxBytes), additions, deletions, hunks: hunks.length, truncated };
}
