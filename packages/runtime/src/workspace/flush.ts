// Writing all of it, and making sure it is on the disk, without holding up the event loop.
import { fsync, write } from 'node:fs';
import { promisify } from 'node:util';
import { ToolError } from '@codelab/protocol';
import { errno } from './fault.ts';

const pieceBytes = 8 * 1024 * 1024;

export const syncFd: (fd: number) => Promise<void> = promisify(fsync);

export async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += await writeSome(fd, bytes, done);
}

function writeSome(fd: number, bytes: Buffer, from: number): Promise<number> {
  const length = Math.min(bytes.length - from, pieceBytes);
  return new Promise((resolve, reject) => {
    write(fd, bytes, from, length, from, (error, written) => (error ? reject(error) : resolve(written)));
  });
}

/** Makes the names in a directory durable, after they have changed: when this fails, the change is made all the same. */
export async function flushDirectory(fd: number, asked: string): Promise<void> {
  try {
    await syncFd(fd);
  } catch (error) {
    const text = `${asked} was changed, but the disk does not confirm it (${errno(error)}). Look at it before going on.`;
    throw new ToolError('OUTCOME_UNKNOWN', text, { errno: errno(error) });
  }
}
