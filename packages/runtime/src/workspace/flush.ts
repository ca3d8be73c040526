// Making sure that what was written is on the disk, without holding up the event loop.
import { fsync } from 'node:fs';
import { promisify } from 'node:util';
import { ToolError } from '@codelab/protocol';
import { errno } from './fault.ts';

export const syncFd: (fd: number) => Promise<void> = promisify(fsync);

/** Makes the names in a directory durable, after they have changed: when this fails, the change is made all the same. */
export async function flushDirectory(fd: number, asked: string): Promise<void> {
  try {
    await syncFd(fd);
  } catch (error) {
    const text = `${asked} was changed, but the disk does not confirm it (${errno(error)}). Look at it before going on.`;
    throw new ToolError('OUTCOME_UNKNOWN', text, { errno: errno(error) });
  }
}
