// Texts and bytes stored by their hash, one private file each, so equal content is stored once. No index, no cache.
import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../platform/database-lock.ts';
import { errno } from './fault.ts';

export type BlobStore = {
  /**
   * Stores data and returns its key, the hex digest. With `durable` the data is on the disk on return, even when it was stored before. A
   * file of another size, torn by a power failure, is replaced.
   */
  put(data: string | Uint8Array, options: { durable: boolean }): string;
  has(key: string): boolean;
  get(key: string): Buffer | undefined;
  remove(key: string): void;
  /** The keys of everything stored, a few at a time. Temporary files that a killed process left are removed on the way. */
  keys(): Iterable<string[]>;
};

// Fresh memory for every megabyte of text would cost more than encoding it.
let scratch: Buffer = Buffer.allocUnsafeSlow(0);
const maxScratch = 16 * 1024 * 1024;
const staleTempMs = 60 * 60 * 1000;

export function createBlobStore(folder: string): BlobStore {
  const shelfOf = (key: string): string => join(folder, key.slice(0, 2));
  const fileOf = (key: string): string => join(shelfOf(key), key.slice(2));
  return {
    put(data, { durable }) {
      const bytes = typeof data === 'string' ? encode(data) : data;
      const key = hash('sha256', bytes, 'hex');
      const file = fileOf(key);
      const isWhole = statSync(file, { throwIfNoEntry: false })?.size === bytes.length;
      // The process that stored the blob first may not have synced it.
      const isStored = isWhole && (!durable || isSynced(file));
      if (!isStored) write(folder, file, bytes, durable);
      if (durable) sync(shelfOf(key));
      return key;
    },
    has: (key) => existsSync(fileOf(key)),
    remove(key) {
      rmSync(fileOf(key), { force: true });
    },
    get(key) {
      try {
        return readFileSync(fileOf(key));
      } catch (error) {
        if (errno(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    *keys() {
      for (const name of namesIn(folder)) {
        if (name.endsWith('.tmp')) removeStale(join(folder, name));
        if (/^[0-9a-f]{2}$/.test(name)) yield namesIn(join(folder, name)).map((rest) => name + rest);
      }
    },
  };
}

function write(folder: string, file: string, bytes: Uint8Array, durable: boolean): void {
  ensureFolder(join(file, '..'));
  const temp = join(folder, `${randomBytes(9).toString('hex')}.tmp`);
  try {
    writeFileSync(temp, bytes, { mode: 0o600, flag: 'wx', flush: durable });
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errno(error) === 'ENOENT') return [];
    throw error;
  }
}

// A younger temp file may belong to another process that is still writing.
function removeStale(temp: string): void {
  const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(temp, { throwIfNoEntry: false }) ?? {};
  if (Date.now() - mtimeMs > staleTempMs) rmSync(temp, { force: true });
}

function encode(text: string): Uint8Array {
  const most = text.length * 3;
  if (most > maxScratch) return Buffer.from(text, 'utf8');
  if (scratch.length < most) scratch = Buffer.allocUnsafeSlow(most);
  return scratch.subarray(0, scratch.write(text, 'utf8'));
}

/** False when another process has removed the file meanwhile. */
function isSynced(file: string): boolean {
  try {
    sync(file);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
