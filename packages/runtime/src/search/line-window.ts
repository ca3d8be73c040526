// The part of a line that an answer shows: all of it, or the part around the match of a long line. No character is cut in two.
import type { Hit } from './search-request.ts';

const shownBytes = 500;
const bytesBefore = 100;
// Up to here the column counts characters; further on, counting would cost too much and the column is in bytes.
const countedBytes = 64 * 1024;

/** The column counts UTF-16 units as editors do, from 1, in the whole line. */
export type FoundText = { column: number; text: string; match: string };

/** `read` returns the bytes from an offset in the line; fewer at the end of the file. */
export function lineWindow(
  { start, match }: Pick<Hit, 'start' | 'match'>,
  read: (from: number, length: number) => Buffer,
): FoundText {
  const from = start <= shownBytes - bytesBefore ? 0 : start - bytesBefore;
  const window = read(from, shownBytes + 4);
  const newline = window.indexOf(10);
  const line = newline < 0 ? window : window.subarray(0, newline);
  const isCut = line.length > shownBytes;
  const first = from === 0 ? 0 : nextCharacter(line);
  const last = isCut ? previousCharacter(line, shownBytes) : line.length;
  const content = withoutReturn(line.subarray(first, last));
  const decoded = content.toString();
  const text = `${from === 0 ? '' : '…'}${decoded}${isCut ? '…' : ''}`;
  const isPlain = from === 0 && decoded.length === content.length && start + match.length <= content.length;
  if (isPlain) return { column: start + 1, text, match: decoded.slice(start, start + match.length) };
  return { column: columnOf(start, from === 0 ? window : undefined, read), text, match: cutMatch(match) };
}

function columnOf(
  start: number,
  window: Buffer | undefined,
  read: (from: number, length: number) => Buffer,
): number {
  if (start === 0 || start > countedBytes) return start + 1;
  return (window ?? read(0, start)).toString('utf8', 0, start).length + 1;
}

function cutMatch(match: Buffer): string {
  const isCut = match.length > shownBytes;
  return isCut ? `${match.toString('utf8', 0, previousCharacter(match, shownBytes))}…` : match.toString();
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}

function nextCharacter(bytes: Buffer): number {
  let count = 0;
  while (isContinuation(bytes[count])) count++;
  return count;
}

function previousCharacter(bytes: Buffer, at: number): number {
  let characterStart = at;
  while (characterStart > 0 && isContinuation(bytes[characterStart])) characterStart--;
  return characterStart;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
