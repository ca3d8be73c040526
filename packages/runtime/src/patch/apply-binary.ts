/** Applies a binary patch of git: the old bytes must be the very ones it was made from, and the new ones those it promises. */
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { BinaryPatch } from './file-patch.ts';
import { patchFailure } from './patch-failure.ts';

/** A few kilobytes can be inflated to gigabytes; no tool writes files larger than this. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Texts hold one character for each byte; null stands for no file. */
export function applyBinary(before: string | null, patch: BinaryPatch, path: string): string {
  const old = Buffer.from(before ?? '', 'latin1');
  if (before === null ? !isNone(patch.oldHash) : blobHash(old, patch.oldHash) !== patch.oldHash)
    throw patchFailure(
      'The file is not the one the binary patch was made from. Make the patch again from the present files.',
      { path },
    );
  if (isNone(patch.newHash)) return '';
  const made = newBytes(old, patch);
  if (made === null || blobHash(made, patch.newHash) !== patch.newHash)
    throw patchFailure('The binary patch is damaged: it does not make the file it promises. Make it again.', {
      path,
    });
  return made.toString('latin1');
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

/** The deltas of git's packs: two sizes, then pieces that are copied from the old bytes or stand in the delta itself. */
function applyDelta(old: Buffer, delta: Buffer): Buffer | null {
  const reader = { delta, at: 0 };
  const oldSize = readSize(reader);
  const newSize = readSize(reader);
  if (oldSize !== old.length || newSize > MAX_BYTES) return null;
  const made = Buffer.alloc(newSize);
  let end = 0;
  while (reader.at < delta.length) {
    const command = readByte(reader);
    const piece = (command & 0x80) === 0 ? readPiece(reader, command) : copiedPiece(reader, command, old);
    if (piece === null || end + piece.length > newSize) return null;
    made.set(piece, end);
    end += piece.length;
  }
  return end === newSize ? made : null;
}

type Reader = { delta: Buffer; at: number };

/** Reading on at the end throws a RangeError, which counts as damage. */
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

/** In a repository of SHA-256 the hashes are longer. */
function blobHash(bytes: Buffer, like: string): string {
  const algorithm = like.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function isNone(hash: string): boolean {
  return /^0+$/.test(hash);
}
