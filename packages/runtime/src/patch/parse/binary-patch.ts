// Binary patches as git writes them (`GIT binary patch`): reading them and applying literals and deltas.
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { ToolError } from '@codelab/protocol';
import { type BinaryPatch, patchFailure } from '../file-patch.ts';

// A binary patch applies only to the exact old bytes it was made from, and its result must have the promised hash.

/** A few kilobytes can inflate to gigabytes; no tool writes files larger than this. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Texts hold one character per byte; null means no file. */
export function applyBinary(before: string | null, patch: BinaryPatch, path: string): string {
  const old = Buffer.from(before ?? '', 'latin1');
  if (before === null ? !isNone(patch.oldHash) : blobHash(old, patch.oldHash) !== patch.oldHash)
    throw patchFailure(
      'The file is not the one the binary patch was made from. Create the patch again from the current files.',
      { path },
    );
  if (isNone(patch.newHash)) return '';
  const newContent = newBytes(old, patch);
  if (newContent === null || blobHash(newContent, patch.newHash) !== patch.newHash)
    throw patchFailure('The binary patch is damaged: it does not make the file it promises. Make it again.', {
      path,
    });
  return newContent.toString('latin1');
}

function newBytes(old: Buffer, { method, size, deflated }: BinaryPatch): Buffer | null {
  if (size > MAX_BYTES) return null;
  try {
    const inflated = inflateSync(deflated, { maxOutputLength: Math.max(size, 1) });
    if (inflated.length !== size) return null;
    return method === 'literal' ? inflated : applyDelta(old, inflated);
  } catch {
    return null;
  }
}

/** The delta format of git packs: two sizes, then pieces copied from the old bytes or included in the delta. */
function applyDelta(old: Buffer, delta: Buffer): Buffer | null {
  const reader = { delta, at: 0 };
  const oldSize = readSize(reader);
  const newSize = readSize(reader);
  if (oldSize !== old.length || newSize > MAX_BYTES) return null;
  const output = Buffer.alloc(newSize);
  let end = 0;
  while (reader.at < delta.length) {
    const command = readByte(reader);
    const piece = (command & 0x80) === 0 ? readPiece(reader, command) : copiedPiece(reader, command, old);
    if (piece === null || end + piece.length > newSize) return null;
    output.set(piece, end);
    end += piece.length;
  }
  return end === newSize ? output : null;
}

type Reader = { delta: Buffer; at: number };

/** Reading beyond the end throws a RangeError, which the caller treats as damage. */
function readByte(reader: Reader): number {
  return reader.delta.readUInt8(reader.at++);
}

function readSize(reader: Reader): number {
  let size = 0;
  for (let factor = 1; factor < 2 ** 42; factor *= 128) {
    const byte = readByte(reader);
    size += (byte & 0x7f) * factor;
    if ((byte & 0x80) === 0) return size;
  }
  throw new RangeError('The size in the delta has too many digits.');
}

function readPiece(reader: Reader, length: number): Buffer | null {
  const piece = reader.delta.subarray(reader.at, reader.at + length);
  reader.at += length;
  return length === 0 || piece.length < length ? null : piece;
}

/** The seven low bits say which bytes of the offset (four) and of the length (three) follow. */
function copiedPiece(reader: Reader, command: number, old: Buffer): Buffer | null {
  const number = (bits: readonly number[]): number =>
    bits.reduce((sum, bit, index) => sum + (command & bit ? readByte(reader) * 256 ** index : 0), 0);
  const offset = number([0x01, 0x02, 0x04, 0x08]);
  const length = number([0x10, 0x20, 0x40]) || 0x10000;
  const piece = old.subarray(offset, offset + length);
  return piece.length < length ? null : piece;
}

/** Repositories with SHA-256 objects have longer hashes. */
function blobHash(bytes: Buffer, sampleHash: string): string {
  const algorithm = sampleHash.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function isNone(hash: string): boolean {
  return /^0+$/.test(hash);
}

/** Reads what follows `GIT binary patch`: the forward patch and the reverse patch. */
type Place = { path: string; patchLine: number };

/** `at` is the line `GIT binary patch`; `index` is the text of the header's index line. */
export function parseBinary(
  lines: readonly string[],
  at: number,
  index: string,
  { path }: Place,
): { binary: BinaryPatch; next: number } {
  const hashes = FULL_INDEX.exec(index);
  if (hashes === null) throw patchFailure(SHORT_INDEX, { path, patchLine: at + 1 });
  const forward = parsePart(lines, at + 1, path);
  if (forward === null)
    throw patchFailure('After "GIT binary patch" a line such as "literal 12" or "delta 12" must follow.', {
      path,
      patchLine: at + 2,
    });
  // The reverse patch is not applied, but when it is damaged the forward patch cannot be trusted either.
  const next = parsePart(lines, forward.next, path)?.next ?? forward.next;
  const [, oldHash = '', newHash = ''] = hashes;
  const { method, size, deflated } = forward;
  return {
    binary: { oldHash, newHash, method, size, deflated, lines: lines.slice(at, next).map(withoutReturn) },
    next,
  };
}

const FULL_INDEX = /^([\da-f]{40}|[\da-f]{64})\.\.([\da-f]{40}|[\da-f]{64})(?: \d+)?$/;
const SHORT_INDEX =
  'Binary patches need the full hashes of both files in the line "index". Make the patch with "git diff --binary", or write the file by a command.';

type Part = Pick<BinaryPatch, 'method' | 'size' | 'deflated'> & { next: number };

function parsePart(lines: readonly string[], at: number, path: string): Part | null {
  const head = /^(literal|delta) (\d{1,10})\r?$/.exec(lines[at] ?? '');
  if (head === null) return null;
  const pieces: Buffer[] = [];
  let next = at + 1;
  for (; next < lines.length; next++) {
    const line = withoutReturn(lines[next] ?? '');
    if (line === '') break;
    const bytes = decodeLine(line);
    if (bytes === null)
      throw patchFailure('This line of the binary patch is damaged. Make the patch again.', {
        path,
        patchLine: next + 1,
      });
    pieces.push(bytes);
  }
  if (next === lines.length)
    throw patchFailure('The binary patch is cut off: an empty line must end it. Send the whole patch.', {
      path,
      patchLine: next,
    });
  const method = head[1] === 'delta' ? 'delta' : 'literal';
  return { method, size: Number(head[2]), deflated: Buffer.concat(pieces), next: next + 1 };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The first letter is the number of bytes (A-Z: 1 to 26, a-z: 27 to 52); then five characters encode every four bytes. */
function decodeLine(line: string): Buffer | null {
  const letter = line.charCodeAt(0);
  const isSmall = letter >= 0x61 && letter <= 0x7a;
  if (!isSmall && !(letter >= 0x41 && letter <= 0x5a)) return null;
  const length = isSmall ? letter - 0x60 + 26 : letter - 0x40;
  const groups = (line.length - 1) / 5;
  if (groups !== Math.ceil(length / 4)) return null;
  const bytes = Buffer.alloc(groups * 4);
  for (let group = 0; group < groups; group++) {
    let value = 0;
    for (const character of line.slice(1 + group * 5, 6 + group * 5)) {
      const digit = DIGITS.indexOf(character);
      if (digit === -1) return null;
      value = value * 85 + digit;
    }
    if (value > 0xffff_ffff) return null;
    bytes.writeUInt32BE(value, group * 4);
  }
  return bytes.subarray(0, length);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** A diff describes binary files either with their bytes or with a notice without bytes. */
export function isBinaryPatch(line: string): boolean {
  return line.startsWith('GIT binary patch') && line.trimEnd() === 'GIT binary patch';
}

export function isBinaryNotice(line: string): boolean {
  return /^(?:Binary files|Files) /.test(line) && line.trimEnd().endsWith(' differ');
}

export function withoutBytes(place: { path?: string; patchLine: number }): ToolError {
  return patchFailure(
    'The patch only says that a binary file differs; the bytes are not in it. Make it with "git diff --binary", or write the file by a command.',
    place,
  );
}
