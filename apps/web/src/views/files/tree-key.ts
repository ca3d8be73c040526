// Where a key leads in the tree, after the ARIA pattern: nothing here touches the screen.
import type { TreeRow } from './visible-rows.ts';

export type TreeMove = { do: 'go'; path: string } | { do: 'open' | 'close' | 'use' | 'menu'; path: string };

type EntryRow = Extract<TreeRow, { kind: 'entry' }>;

/** Undefined when the key means nothing here. */
export function treeKey(key: string, rows: readonly TreeRow[], current: string): TreeMove | undefined {
  const entries = rows.filter((row): row is EntryRow => row.kind === 'entry');
  const at = entries.findIndex(({ path }) => path === current);
  const row = entries[at];
  const go = (index: number): TreeMove | undefined => {
    const there = entries[Math.min(Math.max(index, 0), entries.length - 1)];
    return there && { do: 'go', path: there.path };
  };
  if (key === 'ArrowDown') return go(at + 1);
  if (key === 'ArrowUp') return go(at - 1);
  if (key === 'Home') return go(0);
  if (key === 'End') return go(entries.length - 1);
  if (row === undefined) return undefined;
  if (key === 'PageDown') return go(at + 15);
  if (key === 'PageUp') return go(at - 15);
  if (key === 'Enter' || key === ' ') return { do: 'use', path: row.path };
  if (key === 'ContextMenu') return { do: 'menu', path: row.path };
  if (key === 'ArrowRight') {
    if (!row.isFolder) return undefined;
    const below = entries[at + 1];
    if (!row.isOpen) return { do: 'open', path: row.path };
    return below !== undefined && below.level > row.level ? { do: 'go', path: below.path } : undefined;
  }
  if (key === 'ArrowLeft') {
    if (row.isOpen) return { do: 'close', path: row.path };
    const above = entries.slice(0, at).findLast(({ level }) => level < row.level);
    return above && { do: 'go', path: above.path };
  }
  return /^[^\s]$/u.test(key) ? byLetter(key, entries, at) : undefined;
}

function byLetter(key: string, entries: readonly EntryRow[], at: number): TreeMove | undefined {
  const wanted = key.toLowerCase();
  const found = [...entries.slice(at + 1), ...entries.slice(0, at)].find(({ name }) =>
    name.toLowerCase().startsWith(wanted),
  );
  return found && { do: 'go', path: found.path };
}
