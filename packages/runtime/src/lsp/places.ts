// Converts places between us and a server: paths and `file:` URIs, and character positions in each side's encoding.
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export type LspPosition = { line: number; character: number };
export type LspRange = { start: LspPosition; end: LspPosition };

export function uriOf(root: string, path: string): string {
  return pathToFileURL(`${root}/${path}`).href;
}

/** The path in the workspace; undefined for a URI that is no file in the workspace. */
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
  const relativePath = relative(root, path);
  // A file may be called `..name`.
  const [first] = relativePath.split(sep);
  if (relativePath === '' || first === '..' || isAbsolute(relativePath) || path.includes('\0'))
    return undefined;
  return relativePath.split(sep).join('/');
}

/** Servers spell the same URI in several ways, such as `%3A` for a colon. */
export function sameUri(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}

/** The encoding in which a server counts characters. We count UTF-16 code units, as in a JavaScript string. */
export const positionEncodings = ['utf-16', 'utf-8', 'utf-32'] as const;
export type PositionEncoding = (typeof positionEncodings)[number];

/** The lines of a text as the protocol defines them, without line endings. */
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
  let countedUnits = 0;
  for (const point of line) {
    const size = encoding === 'utf-8' ? Buffer.byteLength(point) : 1;
    if (countedUnits + size > character) break;
    countedUnits += size;
    units += point.length;
  }
  return units;
}

/** A server's range in UTF-16 units, if the text of its file is known; otherwise unchanged. */
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

/** The offset of a position in a text, in code units; undefined when the text has no such position. */
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

/** The offset of each line's start. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}
