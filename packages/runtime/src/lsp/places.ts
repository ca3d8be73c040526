// Where something is, between us and a server: paths and `file:` addresses, and characters as each side counts them.
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export type LspPosition = { line: number; character: number };
export type LspRange = { start: LspPosition; end: LspPosition };

export function uriOf(root: string, path: string): string {
  return pathToFileURL(`${root}/${path}`).href;
}

/** The path from the root of the workspace; undefined for everything that is no file in there. */
export function pathIn(root: string, uri: string): string | undefined {
  if (!uri.startsWith('file:') || uri.length > 8192) return undefined;
  let path: string;
  try {
    const url = new URL(uri);
    if (url.search !== '' || url.hash !== '') return undefined;
    path = fileURLToPath(url);
  } catch {
    return undefined;
  }
  const within = relative(root, path);
  // A file may be called `..name`.
  const [first] = within.split(sep);
  if (within === '' || first === '..' || isAbsolute(within) || path.includes('\0')) return undefined;
  return within.split(sep).join('/');
}

/** Servers spell the same address in several ways, such as `%3A` for a colon. */
export function sameUri(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}

/** How a server counts the characters of a line. Here they are UTF-16 code units, as in a JavaScript string. */
export const positionEncodings = ['utf-16', 'utf-8', 'utf-32'] as const;
export type PositionEncoding = (typeof positionEncodings)[number];

/** The lines of a text as the protocol sees them, without their ends. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

export function toServer(line: string, character: number, encoding: PositionEncoding): number {
  const before = line.slice(0, character);
  if (encoding === 'utf-8') return Buffer.byteLength(before);
  return encoding === 'utf-32' ? [...before].length : character;
}

export function fromServer(line: string, character: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return Math.min(character, line.length);
  let units = 0;
  let counted = 0;
  for (const point of line) {
    const size = encoding === 'utf-8' ? Buffer.byteLength(point) : 1;
    if (counted + size > character) break;
    counted += size;
    units += point.length;
  }
  return units;
}

/** A range of the server's in our characters, as far as the text of its file is known; else it stays as it is. */
export function rangeFrom(
  range: LspRange,
  lines: readonly string[] | undefined,
  encoding: PositionEncoding,
): LspRange {
  if (lines === undefined || encoding === 'utf-16') return range;
  const convert = ({ line, character }: LspPosition): LspPosition => ({
    line,
    character: fromServer(lines[line] ?? '', character, encoding),
  });
  return { start: convert(range.start), end: convert(range.end) };
}

/** Where a position is in a text, in code units; undefined when there is no such place. */
export function offsetOf(
  starts: readonly number[],
  text: string,
  { line, character }: LspPosition,
): number | undefined {
  const start = starts[line];
  if (start === undefined) return undefined;
  const end = starts[line + 1] ?? text.length;
  return Math.min(start + character, end);
}

/** Where each line begins. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}
