import type { DiffHunk } from '@codelab/protocol';
// The lines of a hunk on the screen: numbered on both sides, and each removed line beside its replacement.

export type DiffLine = {
  sign: ' ' | '-' | '+';
  /** The text without its sign and line feed. */
  text: string;
  old: number | undefined;
  new: number | undefined;
  /** The last line of the file, without a line feed. */
  isOpen: boolean;
};

export type UnifiedRow = { line: DiffLine; partner: DiffLine | undefined };
export type PairRow = { left: DiffLine | undefined; right: DiffLine | undefined };
export type HunkRows = { unified: readonly UnifiedRow[]; pairs: readonly PairRow[] };

const known = new WeakMap<DiffHunk, HunkRows>();

export function hunkRows(hunk: DiffHunk): HunkRows {
  const rows = known.get(hunk) ?? makeRows(numbered(hunk));
  known.set(hunk, rows);
  return rows;
}

function numbered(hunk: DiffHunk): DiffLine[] {
  const lines: DiffLine[] = [];
  let old = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
  let now = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
  for (const [at, raw] of hunk.lines.entries()) {
    if (raw.startsWith('\\')) continue;
    const sign = raw.startsWith('-') ? '-' : raw.startsWith('+') ? '+' : ' ';
    lines.push({
      sign,
      text: raw.slice(1),
      old: sign === '+' ? undefined : old++,
      new: sign === '-' ? undefined : now++,
      isOpen: hunk.lines[at + 1]?.startsWith('\\') === true,
    });
  }
  return lines;
}

function makeRows(lines: readonly DiffLine[]): HunkRows {
  const unified: UnifiedRow[] = [];
  const pairs: PairRow[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined || line.sign === ' ') {
      if (line !== undefined) {
        unified.push({ line, partner: undefined });
        pairs.push({ left: line, right: line });
      }
      at++;
      continue;
    }
    const { removed, added, end } = changeAt(lines, at);
    unified.push(...removed.map((changed, i) => ({ line: changed, partner: added[i] })));
    unified.push(...added.map((changed, i) => ({ line: changed, partner: removed[i] })));
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      pairs.push({ left: removed[i], right: added[i] });
    at = end;
  }
  return { unified, pairs };
}

/** Some diffs put added lines before removed ones; a run without context is one change all the same. */
function changeAt(
  lines: readonly DiffLine[],
  start: number,
): { removed: DiffLine[]; added: DiffLine[]; end: number } {
  let end = start;
  while (end < lines.length && lines[end]?.sign !== ' ') end++;
  const run = lines.slice(start, end);
  return {
    removed: run.filter(({ sign }) => sign === '-'),
    added: run.filter(({ sign }) => sign === '+'),
    end,
  };
}
