// Walks a directory tree by descriptor, depth first, names in order, and stops at the number of entries it may return.
import { type Dirent, lstatSync, type Stats } from 'node:fs';
import type { Directory } from '../directory.ts';
import { errno } from '../fault.ts';
import { isStateFolderError } from '../state-folder.ts';
import { entriesOf } from './tree.ts';

// Matches are counted up to here; beyond it the total is a lower bound.
const maxVisited = 200_000;
const maxDepth = 500;

export type ListedEntry = {
  name: string;
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  size?: number;
  modified?: string;
};

type Options = {
  prefix: string;
  recursive: boolean;
  includeHidden: boolean;
  wanted(path: string, name: string): boolean;
  maxEntries: number;
  signal: AbortSignal;
};

export function listTree(
  root: Directory,
  options: Options,
): { entries: ListedEntry[]; total: number; truncated: boolean } {
  // When there are too many entries, those nearest to the top are kept: one large folder must not hide the entries after it.
  const byDepth: { at: number; entry: ListedEntry }[][] = [];
  let [total, visited] = [0, 0];

  function visit(directory: Directory, below: string, depth: number): void {
    options.signal.throwIfAborted();
    for (const dirent of entriesOf(directory)) {
      const { name } = dirent;
      if (name.startsWith('.') && !options.includeHidden) continue;
      if (++visited > maxVisited) return;
      const path = below + name;
      const entry = describe(directory, dirent, options.prefix + path);
      if (entry === undefined) continue;
      if (options.wanted(path, name)) keep(entry, depth);
      if (options.recursive && entry.type === 'directory' && depth < maxDepth)
        enter(directory, name, `${path}/`, depth + 1);
    }
  }

  function keep(entry: ListedEntry, depth: number): void {
    const level = byDepth[depth] ?? [];
    byDepth[depth] = level;
    if (level.length < options.maxEntries) level.push({ at: total, entry });
    total++;
  }

  function enter(parent: Directory, name: string, below: string, depth: number): void {
    try {
      using directory = parent.openBelow(name);
      visit(directory, below, depth);
    } catch (error) {
      // A folder that has been deleted, swapped for a link or made unreadable is listed without its content.
      if (isStateFolderError(error)) return;
      if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) throw error;
    }
  }

  visit(root, '', 0);
  const first = byDepth.flat().slice(0, options.maxEntries);
  const entries = first.sort((a, b) => a.at - b.at).map(({ entry }) => entry);
  return { entries, total, truncated: total > entries.length || visited > maxVisited };
}

function describe(directory: Directory, found: Dirent, path: string): ListedEntry | undefined {
  const { name } = found;
  const stat = lstatSync(directory.at(name), { throwIfNoEntry: false });
  // An entry that is gone is not listed; a name that is not UTF-8 cannot be opened, but is listed.
  if (stat === undefined) return name.includes('\ufffd') ? { name, path, type: typeOf(found) } : undefined;
  const modified = stat.mtime.toISOString();
  if (stat.isDirectory()) return { name, path, type: 'directory', modified };
  return { name, path, type: typeOf(stat), size: stat.size, modified };
}

function typeOf(entry: Dirent | Stats): ListedEntry['type'] {
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symlink';
  return entry.isFile() ? 'file' : 'other';
}
