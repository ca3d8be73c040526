// Text by its width in terminal columns: measured, cut, wrapped, indented and aligned.
import { stripVTControlCharacters } from 'node:util';

/**
 * The number of columns a text takes on a terminal: colours, links and combining marks none, East Asian characters and emoji two. A grapheme,
 * such as a family of joined emoji, is measured as one character.
 */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const zero = /\p{Mn}|\p{Me}|[\u1160-\u11ff]|[\u200b-\u200d]/u;
const printableAscii = /^[\x20-\x7e]*$/;
// These characters join several wide characters into one; no others do.
const joined = /\u200d|\ufe0f|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\u{e0020}-\u{e007f}]/u;
// Created on first use: compiling the expression takes 6 ms of a start.
const isEmoji = (grapheme: string): boolean => /^\p{RGI_Emoji}$/v.test(grapheme);

const widestGrapheme = 4;

let segmenter: Intl.Segmenter | undefined;

export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  const withoutControls = stripVTControlCharacters(text);
  let width = 0;
  for (const character of joined.test(withoutControls) ? graphemesOf(withoutControls) : withoutControls)
    width += widthOf(character);
  return width;
}

/** The graphemes of a text, none wider than four columns: longer chains come in pieces. */
export function* graphemesOf(text: string): Iterable<string> {
  if (printableAscii.test(text)) return yield* text;
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

/** One line that fits: longer text ends in an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shortened = '';
  let used = 1;
  for (const character of graphemesOf(text)) {
    used += displayWidth(character);
    if (used > width) break;
    shortened += character;
  }
  return `${shortened}…`;
}

/** Wraps a line to at most `width` columns, between words where possible. No character is lost. */
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

/** Text after a label, wrapped to the screen and aligned with its first line. */
const narrowest = 20;

export function hangText(label: string, text: string, columns: number): string[] {
  const indent = displayWidth(label);
  const lines = wrapText(text, Math.max(narrowest, columns - indent));
  return lines.map((line, i) => (i === 0 ? label : ' '.repeat(indent)) + line.trimEnd());
}

/** Aligns cells in columns, two spaces apart; the last cell of a row may be of any length. */
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

// The width of standard output; a pipe or a file takes lines of any length.

export function screenWidth(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY;
}
