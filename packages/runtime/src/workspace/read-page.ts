// Reads some lines of a file without holding the file in memory: scans it in pieces until the last requested line has ended.
import { ToolError } from '@codelab/protocol';
import { fault } from './fault.ts';
import { type RegularFile, readChunk } from './read-bytes.ts';
import { startsWithBom } from './text-files.ts';

const pieceBytes = 64 * 1024;
const lineFeed = 0x0a;

type PageRequest = {
  first: number;
  count: number;
  asked: string;
  /** The maximum size of the page. */
  maxBytes: number;
  /** The maximum number of bytes to scan for the page. */
  maxScan: number;
  signal: AbortSignal;
};

/**
 * `hasBom` is about the file; the mark itself is in the bytes when the page begins with line 1. `total` is the number of lines, where
 * counting them is cheap.
 */
type Page = { bytes: Buffer; lines: number; hasMore: boolean; hasBom: boolean; total: number | undefined };

export async function readFilePage(file: RegularFile, request: PageRequest): Promise<Page> {
  const { first, count, asked: path, maxBytes, maxScan, signal } = request;
  const last = first + count - 1;
  const pieces: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let hasBom = false;
  let isOpen = false;
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    if (position > maxScan)
      throw new ToolError(
        'FILE_TOO_LARGE',
        `Line ${first} of ${path} is more than ${maxScan} bytes into the file.`,
      );
    const piece = await readPiece(file.fd, position, path);
    if (position === 0) hasBom = startsWithBom(piece);
    if (piece.length === 0) {
      const total = isOpen ? line : line - 1;
      return { bytes: Buffer.concat(pieces), lines: countLines(pieces), hasMore: false, hasBom, total };
    }
    isOpen = piece.at(-1) !== lineFeed;
    position += piece.length;
    const cut = cutLines(piece, line, first, last);
    line = cut.line;
    if (cut.wanted.length > 0) pieces.push(cut.wanted);
    keptBytes += cut.wanted.length;
    if (keptBytes > maxBytes)
      throw new ToolError(
        'FILE_TOO_LARGE',
        `These lines of ${path} have more than ${maxBytes} bytes. Ask for fewer.`,
      );
    if (line > last) {
      const later = countLines([piece.subarray(piece.length - cut.rest)]);
      const rest = await countRest(file.fd, { position, isOpen, path, signal });
      const hasMore = cut.rest > 0 || rest !== 0;
      const total = rest === undefined ? undefined : last + later + rest;
      return { bytes: Buffer.concat(pieces), lines: countLines(pieces), hasMore, hasBom, total };
    }
  }
}

const maxCounted = 8 * 1024 * 1024;

type RestOfFile = { position: number; isOpen: boolean; path: string; signal: AbortSignal };

/** Counts the lines that begin after `position`; undefined when that would take too long. `isOpen`: a line continues there. */
async function countRest(
  fd: number,
  { position, isOpen, path, signal }: RestOfFile,
): Promise<number | undefined> {
  let lines = isOpen ? -1 : 0;
  let ends = true;
  for (let at = position; at < position + maxCounted; ) {
    signal.throwIfAborted();
    const piece = await readPiece(fd, at, path);
    if (piece.length === 0) return at === position ? 0 : lines + (ends ? 0 : 1);
    for (let feed = piece.indexOf(lineFeed); feed >= 0; feed = piece.indexOf(lineFeed, feed + 1)) lines++;
    ends = piece.at(-1) === lineFeed;
    at += piece.length;
  }
  return undefined;
}

/** The part of a piece that lies in lines first…last; `line` is the number of the line the piece ends in. */
function cutLines(
  piece: Buffer,
  line: number,
  first: number,
  last: number,
): { wanted: Buffer; line: number; rest: number } {
  let from = line >= first ? 0 : piece.length;
  let at = 0;
  for (;;) {
    const end = piece.indexOf(lineFeed, at);
    if (end < 0) return { wanted: piece.subarray(from), line, rest: 0 };
    at = end + 1;
    line++;
    if (line === first) from = at;
    if (line > last) return { wanted: piece.subarray(from, at), line, rest: piece.length - at };
  }
}

function countLines(pieces: readonly Buffer[]): number {
  let lines = 0;
  for (const piece of pieces)
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) lines++;
  const end = pieces.at(-1);
  return end !== undefined && end.length > 0 && end.at(-1) !== lineFeed ? lines + 1 : lines;
}

async function readPiece(fd: number, position: number, path: string): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  try {
    return piece.subarray(0, await readChunk(fd, piece, position));
  } catch (error) {
    throw fault(error, path);
  }
}
