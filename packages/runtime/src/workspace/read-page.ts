// Reads some lines out of a file without holding the file: it is scanned in pieces until the last wanted line has ended.
import { ToolError } from '@codelab/protocol';
import { fault } from './fault.ts';
import { type OpenFile, readChunk } from './read-bytes.ts';
import { startsWithBom } from './text-files.ts';

const pieceBytes = 64 * 1024;
const lineFeed = 0x0a;

type PageRequest = {
  first: number;
  count: number;
  asked: string;
  /** Most bytes the page itself may have. */
  maxBytes: number;
  /** Most bytes that are looked through to find it. */
  maxScan: number;
  signal: AbortSignal;
};

/** `hasBom` is about the file; the mark itself is in the bytes when the page begins with line 1. */
type Page = { bytes: Buffer; lines: number; hasMore: boolean; hasBom: boolean };

export async function readPage(file: OpenFile, request: PageRequest): Promise<Page> {
  const { first, count, asked, maxBytes, maxScan, signal } = request;
  const last = first + count - 1;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let hasBom = false;
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    if (position > maxScan)
      throw new ToolError(
        'FILE_TOO_LARGE',
        `Line ${first} of ${asked} is more than ${maxScan} bytes into the file.`,
      );
    const piece = await readPiece(file.fd, position, asked);
    if (position === 0) hasBom = startsWithBom(piece);
    if (piece.length === 0)
      return { bytes: Buffer.concat(kept), lines: countLines(kept), hasMore: false, hasBom };
    position += piece.length;
    const cut = cutLines(piece, line, first, last);
    line = cut.line;
    if (cut.wanted.length > 0) kept.push(cut.wanted);
    keptBytes += cut.wanted.length;
    if (keptBytes > maxBytes)
      throw new ToolError(
        'FILE_TOO_LARGE',
        `These lines of ${asked} have more than ${maxBytes} bytes. Ask for fewer.`,
      );
    if (line > last) {
      const hasMore = cut.rest > 0 || (await readPiece(file.fd, position, asked)).length > 0;
      return { bytes: Buffer.concat(kept), lines: countLines(kept), hasMore, hasBom };
    }
  }
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

function countLines(kept: readonly Buffer[]): number {
  let lines = 0;
  for (const piece of kept)
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) lines++;
  const end = kept.at(-1);
  return end !== undefined && end.length > 0 && end.at(-1) !== lineFeed ? lines + 1 : lines;
}

async function readPiece(fd: number, position: number, asked: string): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  try {
    return piece.subarray(0, await readChunk(fd, piece, position));
  } catch (error) {
    throw fault(error, asked);
  }
}
