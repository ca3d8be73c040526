import type { DiffFile, DiffHunk } from '@codelab/protocol';

// The line endings of a file's hunks, before and after.

type LineEnding = 'lf' | 'crlf' | 'mixed' | 'none';
export type LineEndings = { before: LineEnding; after: LineEnding };

const known = new WeakMap<readonly DiffHunk[], LineEndings>();

export function diffLineEndings({ hunks }: DiffFile): LineEndings {
  const found = known.get(hunks) ?? { before: endingOf(hunks, '-'), after: endingOf(hunks, '+') };
  known.set(hunks, found);
  return found;
}

function endingOf(hunks: readonly DiffHunk[], sign: '-' | '+'): LineEnding {
  let crlf = 0;
  let lf = 0;
  for (const { lines } of hunks)
    for (const [at, line] of lines.entries()) {
      if ((line[0] !== ' ' && line[0] !== sign) || lines[at + 1]?.startsWith('\\')) continue;
      if (line.endsWith('\r')) crlf++;
      else lf++;
    }
  if (crlf > 0 && lf > 0) return 'mixed';
  return crlf > 0 ? 'crlf' : lf > 0 ? 'lf' : 'none';
}
