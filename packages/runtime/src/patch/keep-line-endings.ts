/** Gives a rewritten text, which has `\n` only, the line endings of the file it replaces. */
import { diffLines } from '@codelab/protocol';
import { splitLines } from './split-lines.ts';

/**
 * A line the file had keeps its own ending, one that replaces another takes over its ending, and an added one takes that of the
 * line above it. A text with `\r` is left alone.
 */
export function keepLineEndings(before: string, after: string): string {
  if (after.includes('\r') || !before.includes('\r')) return after;
  if (!NOT_CRLF.test(before)) return after.replaceAll('\n', '\r\n');

  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const inherited = inheritedEndings(oldLines, newLines);
  // A text with `\r` has a first line that ends, so there is always an ending to start from.
  let ending = endingOf(oldLines[0] ?? '');
  let result = '';
  for (const [index, line] of newLines.entries()) {
    ending = inherited[index] || ending;
    result += line.endsWith('\n') ? contentOf(line) + ending : line;
  }
  return result;
}

const NOT_CRLF = /\r(?!\n)|(?<!\r)\n/;

/** For each new line the ending of the old line it equals or replaces; empty where there is none or that one has no ending. */
function inheritedEndings(oldLines: string[], newLines: string[]): string[] {
  const endings: string[] = new Array(newLines.length).fill('');
  let oldAt = 0;
  let newAt = 0;
  const inheritUntil = (oldEnd: number) => {
    while (oldAt < oldEnd) endings[newAt++] = endingOf(oldLines[oldAt++] ?? '');
  };
  for (const change of diffLines(oldLines.map(contentOf), newLines.map(contentOf))) {
    inheritUntil(change.oldStart);
    // As many lines as before: each replaces the one in its place.
    if (change.oldEnd - change.oldStart === change.newEnd - change.newStart) inheritUntil(change.oldEnd);
    oldAt = change.oldEnd;
    newAt = change.newEnd;
  }
  inheritUntil(oldLines.length);
  return endings;
}

function endingOf(line: string): string {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : '';
}

function contentOf(line: string): string {
  return line.slice(0, line.length - endingOf(line).length);
}
