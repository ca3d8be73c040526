// The rows of a review as the list shows them. Each knows its height, so that twenty thousand lines need no measuring.
import type { DiffFile, DiffHunk } from '@codelab/protocol';
import { fileChange } from '../../diff/file-name.ts';
import { hunkRows, type PairRow, type UnifiedRow } from '../../diff/hunk-rows.ts';
import { lineEndings } from '../../diff/line-ending.ts';
import type { Piece, ReviewState } from './review-state.ts';

export type ReviewRow =
  | { kind: 'file'; file: number }
  | { kind: 'hunk'; piece: Piece }
  | ({ kind: 'line'; row: UnifiedRow } & OfHunk)
  | ({ kind: 'pair'; row: PairRow } & OfHunk);

type OfHunk = { piece: Piece; hunk: DiffHunk; path: string; isCrlf: boolean };

export const rowHeights: Record<ReviewRow['kind'], number> = { file: 40, hunk: 34, line: 20, pair: 20 };

export function reviewRows({ files, pieces }: ReviewState, isSplit: boolean): ReviewRow[] {
  const rows: ReviewRow[] = [];
  let file = -1;
  for (const piece of pieces) {
    if (piece.file !== file) {
      file = piece.file;
      rows.push({ kind: 'file', file });
    }
    rows.push({ kind: 'hunk', piece });
    if (piece.hunk === undefined) continue;
    const of = files[piece.file];
    const isCrlf = of !== undefined && lineEndings(of).before === 'crlf';
    const path = of === undefined ? '' : fileChange(of).path;
    const ofHunk: OfHunk = { piece, hunk: piece.hunk, path, isCrlf };
    const { unified, pairs } = hunkRows(piece.hunk);
    if (isSplit) for (const row of pairs) rows.push({ kind: 'pair', row, ...ofHunk });
    else for (const row of unified) rows.push({ kind: 'line', row, ...ofHunk });
  }
  return rows;
}

export type Widths = { characters: number; digits: number };

const widest = 2000;

/** How wide the longest line is, and the longest line number. */
export function widthsOf(files: readonly DiffFile[]): Widths {
  let characters = 0;
  let last = 0;
  for (const { hunks } of files)
    for (const { lines, oldStart, oldLines, newStart, newLines } of hunks) {
      last = Math.max(last, oldStart + oldLines, newStart + newLines);
      for (const line of lines) characters = Math.max(characters, widthOf(line));
    }
  return { characters: Math.min(characters, widest), digits: Math.max(3, String(last).length) };
}

function widthOf(line: string): number {
  return line.includes('\t') ? line.length + 4 * (line.split('\t').length - 1) : line.length;
}
