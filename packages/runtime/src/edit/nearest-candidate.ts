/**
 * The block of lines most like a string that was not found: ranks all places by what they share with it, aligns
 * the best few line by line, and names how the best of them differs.
 */
import { splitLines } from '../patch/lines.ts';
import { alignLines } from './align-lines.ts';
import { type Difference, nameDifferences } from './name-differences.ts';
import { rankWindows } from './rank-windows.ts';

/** Lines and columns count from 1. Of a block over 2,000 characters, long lines are cut around their first difference. */
export type NearestCandidate = {
  startLine: number;
  endLine: number;
  text: string;
  differences: Difference[];
};

const MAX_WANTED_LINES = 200;
const MAX_TEXT_CHARS = 2_000;
const CUT_CHARS = 100;
const ENOUGH = 0.6;
/** A few characters are soon alike. */
const ENOUGH_FOR_SHORT = 0.75;
const SHORT = 12;

/** Null when nothing in the text is similar. */
export function nearestCandidate(text: string, wanted: string): NearestCandidate | null {
  const lines = splitLines(text);
  const wantedLines = splitLines(wanted).slice(0, MAX_WANTED_LINES);
  const best = bestWindow(lines, wantedLines);
  if (best === null || best.score < (wanted.trim().length < SHORT ? ENOUGH_FOR_SHORT : ENOUGH)) return null;
  const { start, end } = best;
  const block = lines.slice(start, end);
  const differences = nameDifferences(lines, start, wantedLines, alignLines(block, wantedLines));
  return { startLine: start + 1, endLine: end, text: excerpt(block, start + 1, differences), differences };
}

function excerpt(block: string[], startLine: number, differences: Difference[]): string {
  const text = block.join('');
  if (text.length <= MAX_TEXT_CHARS) return text;
  const columns = new Map(differences.toReversed().map(({ line, column }) => [line, column]));
  const cut = block.map((line, index) => {
    const from = Math.max(0, (columns.get(startLine + index) ?? 1) - 1 - CUT_CHARS / 2);
    const part = line.slice(from, from + CUT_CHARS);
    return `${from > 0 ? '…' : ''}${part}${from + part.length < line.length ? '…\n' : ''}`;
  });
  return cut.join('').slice(0, MAX_TEXT_CHARS);
}

type Window = { start: number; end: number; score: number };

function bestWindow(lines: string[], wanted: string[]): Window | null {
  let best: Window | null = null;
  const consider = (start: number, end: number) => {
    if (start < 0 || end > lines.length || start >= end) return;
    const { similarity } = alignLines(lines.slice(start, end), wanted);
    const score = similarity - 0.02 * Math.abs(end - start - wanted.length);
    if (best === null || score > best.score) best = { start, end, score };
  };
  for (const start of rankWindows(lines, wanted)) {
    consider(start, Math.min(start + wanted.length, lines.length));
  }
  const first = best as Window | null;
  if (first === null) return null;
  for (const startsOff of [0, -1, 1]) {
    for (const endsOff of [0, -1, 1]) consider(first.start + startsOff, first.end + endsOff);
  }
  return best;
}
