// Makes the folders a new file needs, one below the other by descriptor; whatever was made is removed again unless it is kept.
import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { errno, fault } from './fault.ts';
import type { Located } from './locate.ts';

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
