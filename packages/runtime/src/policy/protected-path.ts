// Whether a path is one that an unasked command may not leave changed: the table of protected names, git's own files, our own settings.

import { foldPath } from '../workspace/fold-name.ts';
import { pathTest } from './match-rule.ts';
import { neverBuilt, protectedNames } from './protected-names.ts';

const patterns = [...protectedNames, '.codelab'].map((pattern) => pattern.toLowerCase());
const fitsName = pathTest(patterns.filter((pattern) => !pattern.includes('/')));
const deep = patterns.filter((pattern) => pattern.includes('/'));
const fitsPath = pathTest(deep);

// Most paths have none of the names that these patterns are about, and need not be matched with each of them.
const needed = deep.map((pattern) => pattern.split('/').find((name) => !name.includes('*')) ?? '');
const isPlain = /^[\x20-\x7e]*$/;

function mayFit(path: string): boolean {
  if (!isPlain.test(path)) return true;
  const lower = path.toLowerCase();
  return needed.some((name) => lower.includes(name));
}

/** As in rules: any name on the way counts, under every spelling that some file system takes for it. */
export function isProtectedPath(path: string): boolean {
  return (
    path.split('/').some(isProtectedName) || (path.includes('/') && mayFit(path) && fitsPath(foldPath(path)))
  );
}

const fitsNeverBuilt = pathTest(neverBuilt.map((name) => name.toLowerCase()));

/** Whether its last name is one of the table that no build makes. */
export function isNeverBuilt(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isProtectedName(name) && fitsNeverBuilt(foldPath(name));
}

/** Whether a folder is one in which every file, or some, is protected by its path: a link in its place brings such files along. */
export function isProtectedFolder(path: string): boolean {
  return fitsFolder(foldPath(path));
}

const fitsFolder = pathTest(
  deep.flatMap((pattern) => {
    const names = pattern.split('/').slice(0, -1);
    return names.map((_name, at) => names.slice(0, at + 1).join('/')).filter((one) => one !== '**');
  }),
);

// The same names come again and again: a tree of many files has few different ones.
const known = new Map<string, boolean>();
const maxKnown = 20_000;

function isProtectedName(name: string): boolean {
  const answer = known.get(name) ?? fitsName(foldPath(name));
  if (known.size >= maxKnown) known.clear();
  known.set(name, answer);
  return answer;
}
