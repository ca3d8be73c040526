// Parses ripgrep's output into hits: records of path, NUL, `line:column:offset:match` and a newline, one per match. The reader holds no
// more of a line than the match, and only the beginning of a long match.
import type { Hit } from './search-request.ts';

const newline = 10;
const carriageReturn = 13;
const zero = 48;
const colon = 58;
const maxRecord = 64 * 1024;
const notice = /^(.*?): (?:WARNING: stopped searching binary file after match|binary file matches) \(.*\)\n/s;

type Taker = {
  hit(hit: Hit): void;
  /** Called when a file turns out to be binary after some of its lines were printed. */
  binary(path: string): void;
};

type RecordReader = { read(chunk: Buffer): void; end(): void };

export function createRecordReader(taker: Taker): RecordReader {
  let partial: Buffer = Buffer.alloc(0);
  let isSkipping = false;
  let lastLine = 0;
  let lastPath = { bytes: partial, text: '' };

  function pathAt(buffer: Buffer, from: number, to: number): string {
    const isSame =
      to - from === lastPath.bytes.length && buffer.compare(lastPath.bytes, 0, to - from, from, to) === 0;
    if (isSame) return lastPath.text;
    const bytes = Buffer.from(buffer.subarray(from, to));
    lastPath = { bytes, text: plainPath(bytes.toString()) };
    lastLine = 0;
    return lastPath.text;
  }

  function take(bytes: Buffer, from: number, nul: number, end: number): void {
    const path = pathAt(bytes, from, nul);
    const numbers = readNumbers(bytes, nul + 1, end);
    // Further matches in the same line are skipped.
    if (numbers === undefined || numbers.line === lastLine) return;
    const { line, offset, column, next } = numbers;
    lastLine = line;
    const last = end > next && bytes[end - 1] === carriageReturn ? end - 1 : end;
    taker.hit({ path, line, offset, start: column - 1, match: bytes.subarray(next, last) });
  }

  /** Returns the start of the next record. */
  function skip(bytes: Buffer): number {
    const end = bytes.indexOf(newline);
    isSkipping = end < 0;
    return isSkipping ? bytes.length : end + 1;
  }

  function read(chunk: Buffer): void {
    const bytes = partial.length === 0 ? chunk : Buffer.concat([partial, chunk]);
    let from = isSkipping ? skip(bytes) : 0;
    for (let nul = bytes.indexOf(0, from); nul >= 0; nul = bytes.indexOf(0, from)) {
      from += skipNotice(bytes, from, nul, taker);
      const end = bytes.indexOf(newline, nul);
      if (end < 0) break;
      take(bytes, from, nul, end);
      from = end + 1;
    }
    partial = bytes.subarray(from);
    if (partial.length <= maxRecord) return;
    take(partial, 0, partial.indexOf(0), maxRecord);
    partial = Buffer.alloc(0);
    isSkipping = true;
  }

  return { read, end: () => void skipNotice(partial, 0, partial.length, taker) };
}

// ripgrep prints a notice in place of a path when it gives up on a file; the notice has no NUL.
function skipNotice(bytes: Buffer, from: number, to: number, taker: Taker): number {
  const end = bytes.indexOf(newline, from);
  if (end < 0 || end >= to) return 0;
  const match = notice.exec(bytes.toString('utf8', from, to));
  if (match === null) return 0;
  taker.binary(plainPath(match[1] ?? ''));
  return Buffer.byteLength(match[0]);
}

type Numbers = { line: number; column: number; offset: number; next: number };

/** Parses `12:5:345:` digit by digit, because there may be thousands of records. */
function readNumbers(bytes: Buffer, from: number, end: number): Numbers | undefined {
  const values = [0, 0, 0];
  let colons = 0;
  for (let at = from; at < end; at++) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit === colon - zero) {
      colons++;
      if (colons === 3)
        return { line: values[0] ?? 0, column: values[1] ?? 0, offset: values[2] ?? 0, next: at + 1 };
    } else if (digit < 0 || digit > 9) return undefined;
    else values[colons] = (values[colons] ?? 0) * 10 + digit;
  }
  return undefined;
}

function plainPath(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}
