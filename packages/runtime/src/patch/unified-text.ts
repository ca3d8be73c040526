/** Writes the hunks of one file as a unified diff that `git apply` takes. */
import type { Hunk } from './hunks.ts';
import { quotePath } from './quote-path.ts';

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
