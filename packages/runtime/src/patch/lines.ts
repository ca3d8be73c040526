// Lines of a text and their endings.
import { diffLines } from '@codelab/protocol';

/** Cuts a text into lines, each with its terminator: `\r\n`, `\n` or a lone `\r`. Joined, the lines are the text again. */
export function splitIntoLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  let feed = text.indexOf('\n');
  let carriage = text.indexOf('\r');
  while (feed !== -1 || carriage !== -1) {
    const end = endOfLine(feed, carriage);
    lines.push(text.slice(start, end));
    start = end;
    // Each search resumes only after its last hit was passed, so the text is scanned once per terminator.
    if (feed !== -1 && feed < start) feed = text.indexOf('\n', start);
    if (carriage !== -1 && carriage < start) carriage = text.indexOf('\r', start);
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

function endOfLine(feed: number, carriage: number): number {
  if (carriage === -1) return feed + 1;
  if (feed === -1) return carriage + 1;
  return carriage + 1 === feed ? feed + 1 : Math.min(feed, carriage) + 1;
}

/** How the lines of a text end; undefined when it has no line ending. */
export function detectLineEndings(text: string): 'LF' | 'CRLF' | 'CR' | 'mixed' | undefined {
  const kinds = [
    ...(/(?<!\r)\n/.test(text) ? (['LF'] as const) : []),
    ...(text.includes('\r\n') ? (['CRLF'] as const) : []),
    ...(/\r(?!\n)/.test(text) ? (['CR'] as const) : []),
  ];
  return kinds.length > 1 ? 'mixed' : kinds[0];
}

// Restores the line endings of a file in a rewritten text that has `\n` only.

/**
 * An unchanged line keeps its ending, a replaced line takes over the ending of the old line, and an added line takes the ending of the
 * line above. A text with `\r` is returned unchanged.
 */
export function keepLineEndings(before: string, after: string): string {
  if (after.includes('\r') || !before.includes('\r')) return after;
  if (!NOT_CRLF.test(before)) return after.replaceAll('\n', '\r\n');

  const oldLines = splitIntoLines(before);
  const newLines = splitIntoLines(after);
  const inherited = inheritedEndings(oldLines, newLines);
  // A text with `\r` has a terminated first line, so there is always an ending to start from.
  let ending = endingOf(oldLines[0] ?? '');
  let result = '';
  for (const [index, line] of newLines.entries()) {
    ending = inherited[index] || ending;
    result += line.endsWith('\n') ? contentOf(line) + ending : line;
  }
  return result;
}

const NOT_CRLF = /\r(?!\n)|(?<!\r)\n/;

/** For each new line, the ending of the old line that it equals or replaces; empty where there is no such line or no ending. */
function inheritedEndings(oldLines: string[], newLines: string[]): string[] {
  const endings: string[] = new Array(newLines.length).fill('');
  let oldAt = 0;
  let newAt = 0;
  const inheritUntil = (oldEnd: number) => {
    while (oldAt < oldEnd) endings[newAt++] = endingOf(oldLines[oldAt++] ?? '');
  };
  for (const change of diffLines(oldLines.map(contentOf), newLines.map(contentOf))) {
    inheritUntil(change.oldStart);
    // With an equal number of lines, each new line replaces the old line at the same position.
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
