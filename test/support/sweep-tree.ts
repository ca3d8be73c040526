// A workspace as text, path by path, so that two moments can be compared; git's own folder is left out.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

export type Tree = Readonly<Record<string, string>>;

/** Names that only something unfinished has. */
export const isTemp = (path: string): boolean => /\.codelab[-.]/.test(path);

export function readTree(root: string, below = ''): Tree {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    if (below === '' && name === '.git') continue;
    const path = below === '' ? name : `${below}/${name}`;
    const stat = lstatSync(join(root, path));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[path] = `link to ${readlinkSync(join(root, path))}`;
    else if (stat.isDirectory()) Object.assign(tree, { [path]: `folder ${mode}` }, readTree(root, path));
    else tree[path] = `file ${mode} ${stat.isFile() ? readFileSync(join(root, path), 'latin1') : 'special'}`;
  }
  return tree;
}

/** The file of each name; a name that moved to another file has changed, whatever its content. */
export function readIdentities(root: string): Tree {
  const files = filesBelow(root).filter((path) => !path.startsWith(join(root, '.git/')));
  return Object.fromEntries(
    files.map((path) => {
      const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true });
      return [relative(root, path), `${dev}:${ino}:${birthtimeNs}`];
    }),
  );
}

/** The names that stand for another file than before. */
export function changedIdentities(before: Tree, after: Tree): string[] {
  return Object.keys(before).filter((path) => after[path] !== undefined && after[path] !== before[path]);
}

/** The same without files that are names of files of another folder too: what becomes of those is no business of this one. */
export function readTreeApart(root: string, other: string): Tree {
  const inodes = new Set(filesBelow(other).map((path) => lstatSync(path).ino));
  const shared = filesBelow(root).filter((path) => inodes.has(lstatSync(path).ino));
  return without(readTree(root), (path) => shared.includes(join(root, path)));
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export const isSame = (a: Tree, b: Tree): boolean => JSON.stringify(a) === JSON.stringify(b);

export function without(tree: Tree, isLeftOut: (path: string) => boolean): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !isLeftOut(path)));
}

/** The paths at which two trees differ. */
export function differing(a: Tree, b: Tree): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]).sort();
}

/** A path with everything below it. */
export function stateAt(tree: Tree, path: string): string {
  const parts = Object.entries(tree).filter(
    ([entryPath]) => entryPath === path || entryPath.startsWith(`${path}/`),
  );
  return JSON.stringify(parts);
}

/** The differences, short enough for a line of a report. */
export function describeDifference(found: Tree, expected: Tree): string {
  const short = (text: string | undefined): string => text?.slice(0, 40).replaceAll('\n', '⏎') ?? 'absent';
  return differing(found, expected)
    .slice(0, 4)
    .map((path) => `${path}: ${short(found[path])} instead of ${short(expected[path])}`)
    .join('; ');
}
