// The rows of a review as the list shows them. Each knows its height, so that twenty thousand lines need no measuring.
import type { DiffFile, DiffHunk, Review, ReviewItem } from '@codelab/protocol';
import type { ReactNode } from 'react';
import { fileChange } from '../../diff/file-name.ts';
import { type DiffLine, hunkRows, type PairRow, type UnifiedRow } from '../../diff/hunk-rows.ts';
import { diffLineEndings } from '../../diff/line-ending.ts';

export type ReviewRow =
  | { kind: 'file'; file: number }
  | { kind: 'hunk'; item: ReviewItem }
  | ({ kind: 'line'; row: UnifiedRow } & OfHunk)
  | ({ kind: 'pair'; row: PairRow } & OfHunk)
  | ({ kind: 'note' } & RowNote);

/** A note between the lines, such as a comment. Its height is known before it is rendered. */
export type RowNote = { key: string; height: number; content: ReactNode };

/** The notes of a review, and which files are folded. */
export type RowNotes = {
  isFolded(file: number): boolean;
  atTop(file: number): readonly RowNote[];
  below(file: number, line: DiffLine): readonly RowNote[];
};

type OfHunk = { item: ReviewItem; hunk: DiffHunk; path: string; isCrlf: boolean };

const heights = { file: 40, hunk: 34, line: 20, pair: 20 };

export function rowHeight(row: ReviewRow | undefined): number {
  return row?.kind === 'note' ? row.height : heights[row?.kind ?? 'line'];
}

export function reviewRows({ files, items }: Review, isSplit: boolean, notes?: RowNotes): ReviewRow[] {
  const rows: ReviewRow[] = [];
  let file = -1;
  for (const item of items) {
    if (item.file !== file) {
      file = item.file;
      rows.push({ kind: 'file', file }, ...(notes?.atTop(file) ?? []).map(noteRow));
    }
    if (notes?.isFolded(file)) continue;
    rows.push({ kind: 'hunk', item });
    if (item.hunk === undefined) continue;
    const of = files[item.file];
    const isCrlf = of !== undefined && diffLineEndings(of).before === 'crlf';
    const path = of === undefined ? '' : fileChange(of).path;
    const ofHunk: OfHunk = { item, hunk: item.hunk, path, isCrlf };
    rows.push(...linesOf(ofHunk, isSplit, notes));
  }
  return rows;
}

function linesOf(ofHunk: OfHunk, isSplit: boolean, notes: RowNotes | undefined): ReviewRow[] {
  const { file } = ofHunk.item;
  const { unified, pairs } = hunkRows(ofHunk.hunk);
  const below = (...lines: (DiffLine | undefined)[]): ReviewRow[] =>
    notes === undefined
      ? []
      : [...new Set(lines)].flatMap((line) =>
          line === undefined ? [] : notes.below(file, line).map(noteRow),
        );
  return isSplit
    ? pairs.flatMap((row) => [{ kind: 'pair', row, ...ofHunk }, ...below(row.left, row.right)])
    : unified.flatMap((row) => [{ kind: 'line', row, ...ofHunk }, ...below(row.line)]);
}

function noteRow(note: RowNote): ReviewRow {
  return { kind: 'note', ...note };
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

const counts = new WeakMap<DiffFile, { added: number; removed: number }>();

/** How many lines a file of a diff gains and loses. */
export function countDiffLines(file: DiffFile): { added: number; removed: number } {
  const counted = counts.get(file) ?? count(file);
  counts.set(file, counted);
  return counted;
}

function count({ hunks }: DiffFile): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks)
    for (const line of lines) {
      if (line.startsWith('+')) added++;
      if (line.startsWith('-')) removed++;
    }
  return { added, removed };
}
