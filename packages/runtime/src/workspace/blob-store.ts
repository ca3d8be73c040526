// Texts and bytes kept by their hash, one private file each: what is kept twice is stored once. No index, no cache.
import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errno } from './fault.ts';

export type BlobStore = {
  /** Keeps data and returns its key, the hex digest; with `durable` it is on the disk when this returns. */
  put(data: string | Uint8Array, options: { durable: boolean }): string;
  get(key: string): Buffer | undefined;
  remove(key: string): void;
};

// Fresh memory for every megabyte of text would cost more than encoding it.
let scratch: Buffer = Buffer.allocUnsafeSlow(0);
const maxScratch = 16 * 1024 * 1024;

export function createBlobStore(folder: string): BlobStore {
  const fileOf = (key: string): string => join(folder, key.slice(0, 2), key.slice(2));
  return {
    put(data, { durable }) {
      const bytes = typeof data === 'string' ? encode(data) : data;
      const key = hash('sha256', bytes, 'hex');
      const file = fileOf(key);
      if (existsSync(file)) return key;
      const shelf = join(folder, key.slice(0, 2));
      mkdirSync(shelf, { recursive: true, mode: 0o700 });
      const temp = join(folder, `${randomBytes(9).toString('hex')}.tmp`);
      try {
        writeFileSync(temp, bytes, { mode: 0o600, flag: 'wx', flush: durable });
        renameSync(temp, file);
      } catch (error) {
        rmSync(temp, { force: true });
        throw error;
      }
      if (durable) syncFolder(shelf);
      return key;
    },
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
  };
}

function encode(text: string): Uint8Array {
  const most = text.length * 3;
  if (most > maxScratch) return Buffer.from(text, 'utf8');
  if (scratch.length < most) scratch = Buffer.allocUnsafeSlow(most);
  return scratch.subarray(0, scratch.write(text, 'utf8'));
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
