// Steps that make a change last: folders made, names moved without replacing another, and everything synced.
import { fsync, linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { ToolError } from '@codelab/protocol';
import type { Directory } from './directory.ts';
import { errno, fault } from './fault.ts';
import type { Located } from './locate.ts';

/** Making sure that what was written is on the disk, without holding up the event loop. */
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

// Makes the folders a new file needs, one below the other by descriptor; whatever was made is removed again unless it is kept.

/** `left`: what was made and could not be removed again. */
export type Parents = Disposable & { place: Located; left: readonly string[]; keep(): void };

export function makeParents(asked: Located): Parents {
  const opened: Directory[] = [];
  const made: { parent: Directory; name: string; path: string }[] = [];
  const left: string[] = [];
  let isKept = false;
  const undo = (): void => {
    if (!isKept)
      for (const { parent, name, path } of made.toReversed()) if (!isRemoved(parent, name)) left.push(path);
    for (const directory of opened) directory[Symbol.dispose]();
  };
  try {
    let parent = asked.parent;
    for (const [i, name] of asked.missing.entries()) {
      if (makeOne(parent, name)) made.push({ parent, name, path: pathOfMissing(asked, i) });
      parent = parent.openBelow(name);
      opened.push(parent);
    }
    const stat =
      asked.missing.length === 0
        ? asked.stat
        : lstatSync(parent.at(asked.name), { bigint: true, throwIfNoEntry: false });
    const place: Located = { ...asked, parent, missing: [], stat };
    return { place, left, keep: () => (isKept = true), [Symbol.dispose]: undo };
  } catch (error) {
    undo();
    throw fault(error, asked.asked);
  }
}

function makeOne(parent: Directory, name: string): boolean {
  try {
    mkdirSync(parent.at(name));
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

/** When somebody has put something in, it is theirs now. */
function isRemoved(parent: Directory, name: string): boolean {
  try {
    rmdirSync(parent.at(name));
    return true;
  } catch (error) {
    return errno(error) === 'ENOENT';
  }
}

function pathOfMissing({ path, name, missing }: Located, at: number): string {
  const below = missing.length - 1 - at + (name === '.' ? 0 : 1);
  return path
    .split('/')
    .slice(0, -below || undefined)
    .join('/');
}

// Gives a file another name, but never in the place of something: a link refuses to replace what appears at this very moment.

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
