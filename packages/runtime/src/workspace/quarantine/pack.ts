// The old contents of many files in one file of a slot, synced once: a file for each would cost more than the rest of a large change.
import {
  closeSync,
  fchmodSync,
  fchownSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import type { Directory } from '../directory.ts';

export type Packed = { item: string; bytes: Buffer; mode: number; uid: number; gid: number };

type Entry = { offset: number; length: number; mode: number; uid: number; gid: number };
type Index = { start: number; entries: Record<string, Entry> };

const packName = 'pack';

/** Writes a pack and returns it open, to be synced and closed by the caller. */
export function writePack(slot: Directory, pieces: readonly Packed[]): number {
  let offset = 0;
  const entries: Record<string, Entry> = {};
  for (const { item, bytes, mode, uid, gid } of pieces) {
    entries[item] = { offset, length: bytes.length, mode, uid, gid };
    offset += bytes.length;
  }
  const header = Buffer.from(`${JSON.stringify(entries)}\n`);
  const fd = openSync(slot.at(packName), 'wx', 0o600);
  try {
    const packBytes = Buffer.concat([header, ...pieces.map(({ bytes }) => bytes)]);
    for (let done = 0; done < packBytes.length; ) done += writevSync(fd, [packBytes.subarray(done)]);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}

export function isPacked(slot: Directory, item: string): boolean {
  return indexOf(slot)?.entries[item] !== undefined;
}

/** Unpacks an item into a file of its own; false when there is no such item. */
export function unpack(slot: Directory, item: string): boolean {
  const index = indexOf(slot);
  const entry = index?.entries[item];
  if (index === undefined || entry === undefined) return false;
  const bytes = Buffer.alloc(entry.length);
  const from = openSync(slot.at(packName), 'r');
  try {
    for (let done = 0; done < bytes.length; ) {
      const got = readSync(from, bytes, done, bytes.length - done, index.start + entry.offset + done);
      if (got === 0) return false;
      done += got;
    }
  } finally {
    closeSync(from);
  }
  writeAs(slot, item, bytes, entry);
  return true;
}

// The item gets its name only once it is complete, so a full disk leaves no partial item.
function writeAs(slot: Directory, item: string, bytes: Buffer, entry: Entry): void {
  const temp = slot.at(`${item}.tmp`);
  try {
    writeTemp(temp, bytes, entry);
    renameSync(temp, slot.at(item));
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

function writeTemp(temp: string, bytes: Buffer, { uid, gid, mode }: Entry): void {
  const fd = openSync(temp, 'w', 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writevSync(fd, [bytes.subarray(done)]);
    if (process.geteuid?.() === 0) fchownSync(fd, uid, gid);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

let last: { path: string; version: string; index: Index } | undefined;

// Items are read one after the other, so the index is read once for all of them.
function indexOf(slot: Directory): Index | undefined {
  const stat = statSync(slot.at(packName), { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const version = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}`;
  if (last?.path === slot.real && last.version === version) return last.index;
  const index = readIndex(slot, stat.size);
  if (index !== undefined) last = { path: slot.real, version, index };
  return index;
}

function readIndex(slot: Directory, size: number): Index | undefined {
  const fd = openSync(slot.at(packName), 'r');
  try {
    for (let length = Math.min(size, 64 * 1024); ; length = Math.min(size, length * 4)) {
      const head = Buffer.alloc(length);
      const end = head.subarray(0, readSync(fd, head, 0, length, 0)).indexOf(0x0a);
      if (end >= 0) return { start: end + 1, entries: JSON.parse(head.toString('utf8', 0, end)) };
      if (length === size) return undefined;
    }
  } finally {
    closeSync(fd);
  }
}
