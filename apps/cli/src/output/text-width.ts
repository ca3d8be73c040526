// Text by the columns it takes in a terminal: measured, cut, wrapped, indented and set in columns.
import { stripVTControlCharacters } from 'node:util';

/**
 * How many columns a text takes on a terminal: colours and links none, combining marks none, East Asian and emoji two. What people see as one
 * character, such as a family of joined emoji, is measured as one.
 */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const zero = /\p{Mn}|\p{Me}|[\u1160-\u11ff]|[\u200b-\u200d]/u;
const plain = /^[\x20-\x7e]*$/;
// Only these make one character of several that have a width of their own.
const joined = /\u200d|\ufe0f|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\u{e0020}-\u{e007f}]/u;
// Made when it is needed: reading it takes 6 ms of a start.
const isEmoji = (grapheme: string): boolean => /^\p{RGI_Emoji}$/v.test(grapheme);

const widestGrapheme = 4;

let segmenter: Intl.Segmenter | undefined;

export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  const bare = stripVTControlCharacters(text);
  let width = 0;
  for (const character of joined.test(bare) ? graphemesOf(bare) : bare) width += widthOf(character);
  return width;
}

/** The characters of a text as people see them, none wider than four columns: longer chains come in pieces. */
export function* graphemesOf(text: string): Iterable<string> {
  if (plain.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text))
    if (widthOf(segment) <= widestGrapheme) yield segment;
    else yield* segment;
}

function widthOf(grapheme: string): number {
  if (grapheme.length > 1 && isEmoji(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += zero.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** One line that fits: what is too long ends in an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of graphemesOf(text)) {
    used += displayWidth(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks a line into lines of at most `width` columns, between words where it can. No character is lost. */
export function wrapText(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of text.split(/(?<= )/)) {
    const needed = displayWidth(piece.trimEnd());
    if (used > 0 && used + needed > width && needed <= width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    for (const character of graphemesOf(piece)) {
      const columns = displayWidth(character);
      if (used + columns > width) {
        lines.push(line);
        line = '';
        used = 0;
      }
      line += character;
      used += columns;
    }
  }
  return [...lines, line];
}

/** Text behind a label, broken to the screen with the following lines under its beginning. */
const narrowest = 20;

export function hangText(label: string, text: string, columns: number): string[] {
  const indent = displayWidth(label);
  const lines = wrapText(text, Math.max(narrowest, columns - indent));
  return lines.map((line, i) => (i === 0 ? label : ' '.repeat(indent)) + line.trimEnd());
}

/** Lines up cells under each other, two spaces apart; the last cell of a row runs free. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.slice(0, -1).entries())
      widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
  return rows.map((row) =>
    row
      .map((cell, i) =>
        i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell)),
      )
      .join('  ')
      .trimEnd(),
  );
}

// How wide standard output is; a pipe or a file takes lines of any length.

export function screenWidth(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY;
}
