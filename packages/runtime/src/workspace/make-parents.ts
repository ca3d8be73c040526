// Makes the folders a new file needs, one below the other by descriptor; whatever was made is removed again unless it is kept.
import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { errno, fault } from './fault.ts';
import type { Located } from './locate.ts';

export type Parents = Disposable & { place: Located; keep(): void };

export function makeParents(asked: Located): Parents {
  const opened: Directory[] = [];
  const made: { parent: Directory; name: string }[] = [];
  let isKept = false;
  const undo = (): void => {
    if (!isKept) for (const { parent, name } of made.toReversed()) removeQuietly(parent, name);
    for (const directory of opened) directory[Symbol.dispose]();
  };
  try {
    let parent = asked.parent;
    for (const name of asked.missing) {
      if (makeOne(parent, name)) made.push({ parent, name });
      parent = parent.openBelow(name);
      opened.push(parent);
    }
    const stat =
      asked.missing.length === 0
        ? asked.stat
        : lstatSync(parent.at(asked.name), { bigint: true, throwIfNoEntry: false });
    const place: Located = { ...asked, parent, missing: [], stat };
    return { place, keep: () => (isKept = true), [Symbol.dispose]: undo };
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

function removeQuietly(parent: Directory, name: string): void {
  try {
    rmdirSync(parent.at(name));
  } catch {
    // Somebody has put something in; it is theirs now.
  }
}
