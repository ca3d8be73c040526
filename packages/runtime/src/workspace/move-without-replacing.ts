// Gives a file another name, but never in the place of something: a link refuses to replace what appears at this very moment.
import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { errno } from './fault.ts';

// File systems without hard links, and files that may not have another.
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Throws EEXIST when something is there. A crash in between leaves both names, which recovery completes. */
export function moveWithoutReplacing(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!noLinks.includes(errno(error) ?? '')) throw error;
    renameSync(source, target);
    return;
  }
  try {
    unlinkSync(source);
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}
