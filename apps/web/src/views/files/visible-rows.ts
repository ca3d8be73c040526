// The tree as the list of lines that is on the screen: every open folder is followed by what lies in it.
import type { KnownFolder } from './tree-store.ts';

export type TreeRow =
  | {
      kind: 'entry';
      path: string;
      name: string;
      level: number;
      isFolder: boolean;
      isOpen: boolean;
      /** The position among its siblings, from 1. */
      place: number;
      siblings: number;
    }
  | {
      kind: 'note';
      path: string;
      level: number;
      note: 'loading' | 'empty' | 'cut' | 'failed';
      message: string;
    };

type Known = { folders: ReadonlyMap<string, KnownFolder>; open: ReadonlySet<string> };

export function visibleRows(known: Known, path = '.', level = 1): TreeRow[] {
  const folder = known.folders.get(path);
  const note = (what: 'loading' | 'empty' | 'cut' | 'failed', message = ''): TreeRow => ({
    kind: 'note',
    path,
    level,
    note: what,
    message,
  });
  if (folder === undefined || folder.status === 'loading') return [note('loading')];
  if (folder.status === 'failed') return [note('failed', folder.message)];
  const { entries, isCut } = folder;
  if (entries.length === 0) return [note('empty')];
  const rows = entries.flatMap(({ path: entryPath, name, type }, at): TreeRow[] => {
    const isFolder = type === 'directory';
    const isOpen = isFolder && known.open.has(entryPath);
    const row: TreeRow = {
      kind: 'entry',
      path: entryPath,
      name,
      level,
      isFolder,
      isOpen,
      place: at + 1,
      siblings: entries.length,
    };
    return isOpen ? [row, ...visibleRows(known, entryPath, level + 1)] : [row];
  });
  return isCut ? [...rows, note('cut')] : rows;
}
