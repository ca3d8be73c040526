/** Describes line by line how a block of a file differs from the wanted one; invisible characters are named. */
import { diffLines, type LineChange, visibleLine } from '@codelab/protocol';
import { type Alignment, fitWithin, foldTypography } from './align-lines.ts';

/** Line and column count from 1, in the file. `expected` and `found` are display texts of at most 80 characters. */
export type TextDifference = { line: number; column: number; expected: string; found: string };

const MAX_DIFFERENCES = 20;
const MAX_CHARS = 80;
const MAX_STRETCH = 300;
const MAX_PARTS = 3;

export function nameDifferences(
  lines: readonly string[],
  start: number,
  expected: readonly string[],
  { pairs }: Alignment,
): TextDifference[] {
  const differences: TextDifference[] = [];
  let line = start;
  for (const pair of pairs) {
    if (differences.length >= MAX_DIFFERENCES) break;
    if (pair.found !== null) line = start + pair.found;
    if (pair.expected === null) differences.push(wholeLine(line, 'no line', lineText(lines[line] ?? '')));
    else if (pair.found === null)
      differences.push(wholeLine(line, lineText(expected[pair.expected] ?? ''), 'no line'));
    else {
      const isFirst = pair.expected === 0;
      const isLast = pair.expected === expected.length - 1;
      const found = compare(lines[line] ?? '', expected[pair.expected] ?? '', isFirst, isLast);
      for (const difference of found) differences.push({ line: line + 1, ...difference });
    }
  }
  return differences.slice(0, MAX_DIFFERENCES);
}

function wholeLine(line: number, expected: string, found: string): TextDifference {
  return { line: line + 1, column: 1, expected, found };
}

function lineText(line: string): string {
  return namedCharacters(cutLine(line).content, false);
}

type InLine = Omit<TextDifference, 'line'>;

/** The first wanted line may begin inside its line of the file, the last may end inside. */
function compare(foundLine: string, expectedLine: string, isFirst: boolean, isLast: boolean): InLine[] {
  const found = cutLine(foundLine);
  const expected = cutLine(expectedLine);
  const isOpen = isLast && expected.ending === '';
  const fit =
    isFirst || isOpen ? fitWithin(foldTypography(found.content), foldTypography(expected.content)) : null;
  const from = isFirst && fit !== null ? startOf(found.content, expected.content, fit.start) : 0;
  const open = isOpen && fit !== null ? found.content.slice(from, fit.end) : undefined;
  const fitted = open === undefined ? [] : differingParts(open, expected.content);
  // Both the wanted line and the file's line go on after the fit, so the whole lines are compared.
  const isShort = fitted.some(
    ({ oldStart, newEnd }) => oldStart === open?.length && newEnd === expected.content.length,
  );
  const content = open === undefined || isShort ? found.content.slice(from) : open;
  const parts = content === open ? fitted : differingParts(content, expected.content);
  // `\n` matches any line ending, so only a wanted `\r` can be missing.
  if (parts.length === 0 && expected.ending.includes('\r') && expected.ending !== found.ending) {
    const column = found.content.length + 1;
    return [{ column, expected: nameEnding(expected.ending), found: nameEnding(found.ending) }];
  }
  return parts.map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const isAtEnd = from + oldEnd === found.content.length && newEnd === expected.content.length;
    return {
      column: from + oldStart + 1,
      expected: namedCharacters(expected.content.slice(newStart, newEnd), isAtEnd),
      found: namedCharacters(content.slice(oldStart, oldEnd), isAtEnd),
    };
  });
}

/** Blanks before the fit belong to it when the wanted line begins with blanks. */
function startOf(found: string, expected: string, start: number): number {
  return /^\s/.test(expected) && found.slice(0, start).trim() === '' ? 0 : start;
}

/** A few separate differences are listed one by one; many are reported as one stretch. */
function differingParts(found: string, expected: string): LineChange[] {
  const stretch = differingStretch(found, expected);
  const { oldStart, oldEnd, newStart, newEnd } = stretch;
  if (oldStart === oldEnd && newStart === newEnd) return [];
  if (Math.max(oldEnd - oldStart, newEnd - newStart) > MAX_STRETCH) return [stretch];
  const parts = diffLines(
    found.slice(oldStart, oldEnd).split(''),
    expected.slice(newStart, newEnd).split(''),
  );
  if (parts.length > MAX_PARTS) return [stretch];
  return parts.map((part) => ({
    oldStart: part.oldStart + oldStart,
    oldEnd: part.oldEnd + oldStart,
    newStart: part.newStart + newStart,
    newEnd: part.newEnd + newStart,
  }));
}

function differingStretch(found: string, expected: string): LineChange {
  let start = 0;
  let oldEnd = found.length;
  let newEnd = expected.length;
  while (start < oldEnd && start < newEnd && found[start] === expected[start]) start++;
  while (oldEnd > start && newEnd > start && found[oldEnd - 1] === expected[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart: start, oldEnd, newStart: start, newEnd };
}

function nameEnding(ending: string): string {
  return { '\r\n': '⟨CRLF⟩', '\r': '⟨CR⟩', '\n': '⟨LF⟩' }[ending] ?? '⟨end of file⟩';
}

function namedCharacters(piece: string, isAtEnd: boolean): string {
  const text = nameCharacters(piece.slice(0, MAX_CHARS), isAtEnd && piece.length <= MAX_CHARS);
  return piece.length > MAX_CHARS || text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
}

/** Renders a piece of a line so that invisible and look-alike characters can be told apart: `⟨tab⟩`, `⟨3 blanks⟩`, `’⟨U+2019⟩`. */
const SHORT = 8;

/** `isAtEnd`: the piece ends its line, so its last blanks are trailing ones. */
function nameCharacters(piece: string, isAtEnd: boolean): string {
  if (piece === '') return isAtEnd ? '⟨end of line⟩' : 'nothing';
  const isShort = piece.length <= SHORT;
  const withNames = piece.replace(RUN, (run, at: number) => {
    const isEdge = at === 0 || at + run.length === piece.length;
    if (run === ' ' && !isEdge) return run;
    return nameRun(run, isAtEnd && at + run.length === piece.length);
  });
  const marked = withNames.replace(isShort ? NOT_ASCII : LOOKALIKE, markCharacter);
  return visibleLine(marked);
}

const RUN = / +|\t+/g;
const LOOKALIKE = /[\u00a0\u2007\u202f\u2010-\u2015\u2212\u2018-\u201f]/g;
// The brackets ⟨ ⟩ mark named characters, so they are not named themselves.
const NOT_ASCII = /[^\0-\x7f⟨⟩]/gu;
const NO_BREAK = /[\u00a0\u2007\u202f]/;

function nameRun(run: string, isTrailing: boolean): string {
  const kind = run[0] === '\t' ? 'tab' : 'blank';
  const count = run.length === 1 ? '' : `${run.length} `;
  return `⟨${count}${isTrailing ? 'trailing ' : ''}${kind}${run.length === 1 ? '' : 's'}⟩`;
}

function markCharacter(character: string): string {
  const escaped = visibleLine(character);
  if (escaped !== character) return escaped;
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (NO_BREAK.test(character)) return `⟨${code} no-break space⟩`;
  return `${character}⟨${code}⟩`;
}

/** Splits a line into content and terminator, which is `\r\n`, `\n`, `\r` or nothing. */
export function cutLine(line: string): { content: string; ending: string } {
  let end = line.length;
  if (line.charCodeAt(end - 1) === 10) end--;
  if (line.charCodeAt(end - 1) === 13) end--;
  return { content: line.slice(0, end), ending: line.slice(end) };
}
