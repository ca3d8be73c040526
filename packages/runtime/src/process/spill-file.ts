// A file for output that is too large for memory. Large blocks are written while reading continues; when the disk does not keep up, the
// reader is asked to pause.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, write } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../platform/database-lock.ts';
import { createPauses } from '../platform/steps.ts';

export type SpillFile = {
  /** Copies the bytes. False when the caller must send nothing more until `onDrain`. */
  push(bytes: Buffer): boolean;
  /** Writes the remaining bytes and closes the file. */
  end(): Promise<void>;
};

type Options = { path: string; onDrain(): void; onError(error: unknown): void };

const blockBytes = 512 * 1024;
const mostWaiting = 4;

export function openSpillFile({ path, onDrain, onError }: Options): SpillFile {
  ensureFolder(dirname(path));
  pruneOutput(dirname(path));
  const fd = openSync(path, 'wx', 0o600);
  const spares: Buffer[] = [];
  const writing = new Set<Promise<void>>();
  let block: Buffer = Buffer.allocUnsafeSlow(blockBytes);
  let filled = 0;
  let position = 0;

  function flush(): void {
    if (filled === 0) return;
    const full = block;
    const work = writeAll(fd, full.subarray(0, filled), position)
      .catch(onError)
      .then(() => {
        spares.push(full);
        writing.delete(work);
        if (writing.size === mostWaiting - 1) onDrain();
      });
    writing.add(work);
    position += filled;
    filled = 0;
    block = spares.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const copied = bytes.copy(block, filled, at);
        filled += copied;
        at += copied;
        if (filled === blockBytes) flush();
      }
      return writing.size < mostWaiting;
    },
    async end() {
      flush();
      await Promise.all(writing);
      closeSync(fd);
    },
  };
}

function writeAll(fd: number, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, position, (error, written) => {
      if (error !== null) reject(error);
      else if (written === bytes.length) resolve();
      else writeAll(fd, bytes.subarray(written), position + written).then(resolve, reject);
    });
  });
}

/** Deletes old outputs of commands: those older than two weeks, and the oldest ones above one gigabyte. */
const mostMs = 14 * 24 * 60 * 60 * 1000;
const mostBytes = 1024 ** 3;

function pruneOutput(folder: string): void {
  const files = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, size: stat.size, at: stat.mtimeMs }] : [];
  });
  let total = 0;
  for (const { path, size, at } of files.sort((a, b) => b.at - a.at)) {
    total += size;
    if (total > mostBytes || Date.now() - at > mostMs) rmSync(path, { force: true });
  }
}

/** The name contains the session, so that outputs are deleted with their session. */
export function outputPathOf(home: string, session: string, slot: string): string {
  return join(home, 'output', `${ownerOf(session)}${slot}`);
}

export async function removeOutputs(home: string, session: string): Promise<void> {
  const folder = join(home, 'output');
  if (!existsSync(folder)) return;
  const owner = ownerOf(session);
  const pauses = createPauses();
  for (const name of readdirSync(folder)) {
    if (name.startsWith(owner)) rmSync(join(folder, name), { force: true });
    if (pauses.isDue()) await pauses.rest();
  }
}

function ownerOf(session: string): string {
  return `${createHash('sha256').update(session).digest('hex').slice(0, 16)}-`;
}

// The last bytes of a stream, for any number of readers, each with its own cursor. Bytes that were overwritten in between are counted.
type Ring = {
  readonly total: number;
  push(bytes: Buffer): void;
  /** At most `most` bytes from byte number `cursor` on, or from the oldest byte that is still there. */
  read(cursor: number, maxBytes: number): { bytes: Buffer; from: number };
};

export function createRing(capacity: number): Ring {
  let buffer = Buffer.alloc(0);
  let total = 0;

  // Until bytes are overwritten they are in order, so a larger buffer takes them over unchanged.
  function grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(capacity, Math.max(4096, 2 * needed)));
    buffer.copy(larger, 0, 0, total);
    buffer = larger;
  }

  return {
    get total() {
      return total;
    },
    push(bytes) {
      if (buffer.length < capacity && total + bytes.length > buffer.length) grow(total + bytes.length);
      const rest = bytes.subarray(Math.max(0, bytes.length - buffer.length));
      const at = (total + bytes.length - rest.length) % buffer.length;
      const first = rest.copy(buffer, at);
      if (first < rest.length) rest.copy(buffer, 0, first);
      total += bytes.length;
    },
    read(cursor, maxBytes) {
      const from = Math.min(Math.max(cursor, total - buffer.length, 0), total);
      const size = Math.min(maxBytes, total - from);
      if (size === 0) return { bytes: Buffer.alloc(0), from };
      const at = from % buffer.length;
      const first = buffer.subarray(at, at + size);
      const bytes = Buffer.concat([first, buffer.subarray(0, size - first.length)]);
      return { bytes, from };
    },
  };
}
