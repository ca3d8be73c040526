// An id nobody can guess, without loading Node's crypto where the system gives out random bytes as a file.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

export function randomId(): string {
  return randomOctets(16).toString('hex');
}

function randomOctets(count: number): Buffer {
  if (process.platform === 'win32') return randomBytes(count);
  const bytes = Buffer.alloc(count);
  const fd = openSync('/dev/urandom', 'r');
  try {
    if (readSync(fd, bytes) === count) return bytes;
  } finally {
    closeSync(fd);
  }
  return randomBytes(count);
}
