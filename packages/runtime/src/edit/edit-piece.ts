/**
 * The piece of a large file that an edit is about: the lines around the only place where its string stands, found in the bytes. The rest
 * of the file is neither decoded nor encoded. Whatever this does not cover is edited as a whole text.
 */
import type { Hunk } from '../patch/unified-diff.ts';
import type { OldText } from '../workspace/text-files.ts';
import type { StringEdit } from './tolerant-match.ts';

/** Whole lines of the file: their place in bytes, how many lines come before them, and their text. */
export type FilePiece = { start: number; end: number; linesBefore: number; text: string };

/** A smaller file is decoded in less time than it takes to look for the piece. */
const fewBytes = 32 * 1024;
/** Only the beginning of a long string is searched for: on repetitive texts a search takes the product of both lengths. */
const probeBytes = 250;
const mostProbed = 64;
/** More than a hunk shows on each side, so that no hunk ends where the piece does. */
const linesAround = 8;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Undefined when the edits need the whole text: several of them, several places or none, other line endings, or a byte order mark. */
export function findPiece(
  { bytes, hasBom }: Pick<OldText, 'bytes' | 'hasBom'>,
  edits: readonly StringEdit[],
): FilePiece | undefined {
  const [edit, ...others] = edits;
  if (edit === undefined || others.length > 0 || hasBom || bytes.length < fewBytes) return undefined;
  // Half a surrogate pair has no bytes of its own, and line endings are matched by their meaning.
  if (edit.old_string === '' || !edit.old_string.isWellFormed() || !edit.new_string.isWellFormed())
    return undefined;
  if (bytes.includes(carriageReturn)) return undefined;
  const oldBytes = Buffer.from(edit.old_string, 'utf8');
  const at = onlyPlace(bytes, oldBytes);
  if (at === undefined) return undefined;
  const start = startOfLines(bytes, at);
  const end = endOfLines(bytes, at + oldBytes.length);
  const text = bytes.toString('utf8', start, end);
  return { start, end, linesBefore: countLineFeeds(bytes.subarray(0, start)), text };
}

/** The bytes of the file with another text in the place of the piece. */
export function withPiece(
  { bytes }: Pick<OldText, 'bytes'>,
  { start, end }: FilePiece,
  text: string,
): Buffer {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text, 'utf8'), bytes.subarray(end)]);
}

/** The hunks of the piece as hunks of the file. */
export function withLinesBefore(hunks: readonly Hunk[], { linesBefore: lines }: FilePiece): Hunk[] {
  return hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + lines,
    newStart: hunk.newStart + lines,
  }));
}

/** Where the bytes stand when they stand at one place only; places that overlap are several. */
function onlyPlace(bytes: Buffer, oldBytes: Buffer): number | undefined {
  const probe = oldBytes.subarray(0, probeBytes);
  let found: number | undefined;
  let probed = 0;
  for (let at = bytes.indexOf(probe); at !== -1; at = bytes.indexOf(probe, at + 1)) {
    if (++probed > mostProbed) return undefined;
    if (bytes.compare(oldBytes, 0, oldBytes.length, at, Math.min(at + oldBytes.length, bytes.length)) !== 0)
      continue;
    if (found !== undefined) return undefined;
    found = at;
  }
  return found;
}

function startOfLines(bytes: Buffer, at: number): number {
  let start = at;
  for (let line = 0; line <= linesAround && start > 0; line++)
    start = start === 1 ? 0 : bytes.lastIndexOf(lineFeed, start - 2) + 1;
  return start;
}

function endOfLines(bytes: Buffer, at: number): number {
  let end = at;
  for (let line = 0; line <= linesAround && end < bytes.length; line++)
    end = bytes.indexOf(lineFeed, end) + 1 || bytes.length;
  return end;
}

/** Four bytes at a time: twice as fast as a search from line feed to line feed, and nothing is allocated. */
export function countLineFeeds(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  const isShort = length < 8;
  const head = isShort ? length : -byteOffset & 3;
  const words = isShort ? new Int32Array(0) : new Int32Array(buffer, byteOffset + head, (length - head) >> 2);
  let count = 0;
  // An iterator would make an object for each word until the loop is compiled.
  for (let at = 0; at < words.length; at++) {
    // A byte is 0 where the line feed stands; adding 0x7f carries into the top bit of every other byte.
    const differs = (words[at] ?? 0) ^ 0x0a0a0a0a;
    const others = ((differs & 0x7f7f7f7f) + 0x7f7f7f7f) | differs;
    const feeds = (~others & 0x80808080) >>> 7;
    if (feeds !== 0) count += (feeds & 1) + ((feeds >>> 8) & 1) + ((feeds >>> 16) & 1) + (feeds >>> 24);
  }
  for (let at = 0; at < head; at++) if (bytes[at] === lineFeed) count++;
  for (let at = head + 4 * words.length; at < length; at++) if (bytes[at] === lineFeed) count++;
  return count;
}
