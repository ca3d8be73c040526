// Reads a located regular file, bounded by size, without following links or waiting on a FIFO.
import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { staleError } from './directory.ts';
import { errno, fault } from './fault.ts';
import type { Located } from './locate.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

// Up to this size a synchronous read ends before a thread pool would have started.
const syncBytes = 2 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

type FileBytes = { bytes: Buffer; stat: BigIntStats };

/** An open regular file, closed when disposed of. */
export type RegularFile = Disposable & { fd: number; stat: BigIntStats };

/** The stat of a place before it is opened; throws unless it is a regular file. */
export function regular(place: Located): BigIntStats {
  if (place.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${place.asked}`);
  if (!place.stat.isFile()) throw notRegular(place);
  return place.stat;
}

export function openRegular(place: Located): RegularFile {
  // The type is checked before opening, because opening a device can have side effects.
  regular(place);
  let fd: number;
  try {
    fd = openSync(place.parent.at(place.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw refusal(error, place);
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) throw notRegular(place);
    place.parent.verifyEntry(place.name, stat);
    return { fd, stat, [Symbol.dispose]: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw refusal(error, place);
  }
}

// A link that has replaced the file is not followed.
function refusal(error: unknown, place: Located): ToolError {
  return errno(error) === 'ELOOP' ? staleError(place.asked) : fault(error, place.asked);
}

export async function readBytes(place: Located, limit: number, signal?: AbortSignal): Promise<FileBytes> {
  using file = openRegular(place);
  return { bytes: await readOpen(file, place.asked, limit, signal), stat: file.stat };
}

/** Reads a whole open file; never more than `limit` bytes, even when it grows meanwhile. */
export async function readOpen(
  file: RegularFile,
  path: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const size = Number(file.stat.size);
  if (size > limit) throw tooLarge(path, size, limit);
  try {
    return size <= syncBytes
      ? readSmall(file.fd, size, path, limit)
      : await readLarge(file.fd, size, path, limit, signal);
  } catch (error) {
    throw fault(error, path);
  }
}

/** Reads a whole open file without yielding, for work that must not be interleaved. */
export function readWhole(file: RegularFile, path: string): Buffer {
  return readSmall(file.fd, Number(file.stat.size), path, Number.MAX_SAFE_INTEGER);
}

// Reads one byte more than the size, to notice a file that grew or reports a wrong size.
function readSmall(fd: number, size: number, path: string, limit: number): Buffer {
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  let filled = 0;
  for (;;) {
    const got = readSync(fd, buffer, filled, buffer.length - filled, filled);
    if (got === 0) return buffer.subarray(0, filled);
    filled += got;
    if (filled > limit) throw tooLarge(path, filled, limit);
    if (filled === buffer.length)
      buffer = Buffer.concat([buffer], Math.min(limit + 1, filled * 2 + chunkBytes));
  }
}

async function readLarge(
  fd: number,
  size: number,
  path: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let filled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const chunk = Buffer.allocUnsafeSlow(Math.max(64, Math.min(chunkBytes, size - filled + 1)));
    const got = await readChunk(fd, chunk, filled);
    if (got === 0) return Buffer.concat(chunks, filled);
    chunks.push(chunk.subarray(0, got));
    filled += got;
    if (filled > limit) throw tooLarge(path, filled, limit);
  }
}

export function readChunk(fd: number, chunk: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, chunk, 0, chunk.length, position, (error, got) => (error ? reject(error) : resolve(got)));
  });
}

export function tooLarge(path: string, size: number, limit: number): ToolError {
  return new ToolError('FILE_TOO_LARGE', `${path} has ${size} bytes; the limit is ${limit}.`, {
    file_size: size,
    max_size: limit,
  });
}

function notRegular(place: Located): ToolError {
  const what = place.stat?.isDirectory() ? 'is a directory' : 'is not a regular file';
  return new ToolError('NOT_REGULAR_FILE', `${place.asked} ${what}.`);
}
