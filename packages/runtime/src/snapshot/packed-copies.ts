// Copies of small files, one after the other in one file of the slot: a file for each takes many times as long. A copy that is needed after
// the command becomes an item of its own.
import {
  chmodSync,
  closeSync,
  openSync,
  readSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { Directory } from '../workspace/directory.ts';
import type { TreeEntry } from './tree-entry.ts';

export const mostPackedBytes = 64 * 1024;

export const packName = 'copies';

/** `add` copies an open file of at most `mostPackedBytes`, and returns where its copy is. */
type CopyPack = Disposable & { add(fd: number, size: number): string };

export function openCopyPack(slot: () => Directory): CopyPack {
  const buffer = Buffer.allocUnsafe(mostPackedBytes);
  let pack: number | undefined;
  let end = 0;
  return {
    add(fd, size) {
      const length = readInto(fd, buffer.subarray(0, size));
      pack ??= openSync(slot().at(packName), 'wx', 0o600);
      for (let done = 0; done < length; ) done += writeSync(pack, buffer, done, length - done, end + done);
      const copy = `${end}+${length}`;
      end += length;
      return copy;
    },
    [Symbol.dispose]() {
      if (pack !== undefined) closeSync(pack);
    },
  };
}

export function isPackedCopy(item: string): boolean {
  return item.includes('+');
}

type Kept = Pick<TreeEntry, 'mode' | 'mtimeMs'>;

/** False when the copy is incomplete, as after a crash, or cannot be written. */
export function unpackCopy(slot: Directory, copy: string, target: string, entry: Kept): boolean {
  const [position = 0, length = 0] = copy.split('+').map(Number);
  const bytes = Buffer.allocUnsafe(length);
  let isWhole = false;
  isStored(target, () => {
    const fd = openSync(slot.at(packName), 'r');
    isWhole = readInto(fd, bytes, position) === length;
    closeSync(fd);
  });
  return isWhole && writeCopy(target, bytes, entry);
}

export function writeCopy(target: string, content: Buffer, { mode, mtimeMs }: Kept): boolean {
  return isStored(target, () => {
    writeFileSync(target, content, { mode: 0o600, flag: 'wx' });
    chmodSync(target, mode);
    utimesSync(target, mtimeMs / 1000, mtimeMs / 1000);
  });
}

/** False where it could not be stored, for example on a full disk: that costs undo this one file. */
export function isStored(target: string, store: () => void): boolean {
  try {
    store();
    return true;
  } catch {
    rmSync(target, { force: true });
    return false;
  }
}

function readInto(fd: number, bytes: Buffer, position?: number): number {
  for (let done = 0; done < bytes.length; ) {
    const at = position === undefined ? null : position + done;
    const got = readSync(fd, bytes, done, bytes.length - done, at);
    if (got === 0) return done;
    done += got;
  }
  return bytes.length;
}
