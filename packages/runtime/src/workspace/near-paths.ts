// Suggestions for a missing path: the same name elsewhere, or a similar one, among a bounded number of entries.
import { nearestName } from '@codelab/protocol';
import { createPauses } from '../platform/steps.ts';
import { type NamedEntry, readNamedEntries } from './byte-names.ts';
import type { Directory } from './directory.ts';

const most = { visited: 5000, depth: 8, near: 3, chars: 4096 };

/** Returns at most three paths, the likeliest first. */
export async function nearPaths(root: Directory, missing: string, isShown: (path: string) => boolean) {
  const names = missing.split('/').filter((name) => name !== '' && name !== '.' && name !== '..');
  const missingName = names.at(-1);
  if (missingName === undefined || missing.length > most.chars) return [];
  const near = await lookAround(root, missingName);
  const best = [near.same, near.folded, near.alike].find((paths) => paths.length > 0) ?? [];
  return best
    .filter(isShown)
    .map((path) => ({ path, shared: sharedNames(path, names) }))
    .toSorted((a, b) => b.shared - a.shared || a.path.length - b.path.length)
    .slice(0, most.near)
    .map(({ path }) => path);
}

type NearNames = { same: string[]; folded: string[]; alike: string[] };

/** Breadth first, so that names near the root are found before the limit is reached. Yields to other calls. */
async function lookAround(root: Directory, missingName: string): Promise<NearNames> {
  const pauses = createPauses();
  const near: NearNames = { same: [], folded: [], alike: [] };
  let visited = 0;
  let folders = [''];
  for (let depth = 0; depth < most.depth && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (pauses.isDue()) await pauses.rest();
      for (const { name, isFolder } of entriesBelow(root, folder)) {
        if (++visited > most.visited) return near;
        addIfNear(near, folder + name, name, missingName);
        if (isFolder && !isLeftOut(name)) below.push(`${folder}${name}/`);
      }
    }
    folders = below;
  }
  return near;
}

function addIfNear(near: NearNames, path: string, name: string, missingName: string): void {
  // A hidden name is proposed only when the caller named a hidden one.
  if (name.startsWith('.') && !missingName.startsWith('.')) return;
  if (name === missingName) near.same.push(path);
  else if (foldedStem(name) === foldedStem(missingName)) near.folded.push(path);
  else if (isAlike(name, missingName)) near.alike.push(path);
}

const leftOut = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__', 'venv']);

function isLeftOut(name: string): boolean {
  return name.startsWith('.') || leftOut.has(name);
}

function entriesBelow(root: Directory, folder: string): NamedEntry[] {
  try {
    const names = folder.split('/').filter((name) => name !== '');
    using stack = new DisposableStack();
    let directory = root;
    for (const name of names) directory = stack.use(directory.openBelow(name));
    return readNamedEntries(directory);
  } catch {
    // Deleted, unreadable or not enterable: nothing is found there.
    return [];
  }
}

/** `Utils.ts`, `utils.js` and `u-tils.ts` have the same folded stem. */
function foldedStem(name: string): string {
  return name
    .replace(/(?<=.)\.[a-z0-9]+$/i, '')
    .replace(/[-_ .]/g, '')
    .toLowerCase();
}

function isAlike(name: string, missingName: string): boolean {
  const [a, b] = [foldedStem(name), foldedStem(missingName)];
  // In short names every letter counts.
  return Math.min(a.length, b.length) >= 4 && nearestName(b, [a]) === a && Math.abs(a.length - b.length) <= 2;
}

function sharedNames(path: string, names: readonly string[]): number {
  return path.split('/').filter((name) => names.includes(name)).length;
}
