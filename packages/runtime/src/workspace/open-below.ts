// Opens a regular file directly below an open directory; undefined when it is gone, or a link, a FIFO or anything else by now.
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Directory } from './directory.ts';
import type { OpenFile } from './read-bytes.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function openBelow(directory: Directory, name: string): OpenFile | undefined {
  let fd: number;
  try {
    fd = openSync(directory.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  const stat = fstatSync(fd, { bigint: true });
  if (stat.isFile()) return { fd, stat, [Symbol.dispose]: () => closeSync(fd) };
  closeSync(fd);
  return undefined;
}
