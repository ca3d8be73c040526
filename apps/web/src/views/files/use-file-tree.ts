// The state of the file tree: the current row, and what each key does to it.
import { type KeyboardEvent, useMemo, useState } from 'react';
import { openFile } from './open-file.ts';
import { beginTreeEdit } from './tree-edit.ts';
import { setCurrent, setOpen, useTree } from './tree-store.ts';
import { type TreeRow, visibleRows } from './visible-rows.ts';

/** `reveal` brings a line onto the screen. */
type Point = { x: number; y: number };
type MenuState = { path: string; isFolder: boolean; at: Point };

export type FileTreeState = {
  rows: readonly TreeRow[];
  current: string;
  menu: MenuState | undefined;
  use(row: TreeRow): void;
  openMenu(row: TreeRow, at: Point): void;
  closeMenu(): void;
  onKeyDown(event: KeyboardEvent): void;
};

type Screen = { reveal(index: number): void; placeOf(index: number): Point | undefined };

export function useFileTree(screen: Screen): FileTreeState {
  const [menu, setMenu] = useState<MenuState | undefined>();
  const folders = useTree((tree) => tree.folders);
  const open = useTree((tree) => tree.open);
  const current = useTree((tree) => tree.current);
  const rows = useMemo(() => visibleRows({ folders, open }), [folders, open]);
  const use = (row: TreeRow): void => {
    if (row.kind !== 'entry') return;
    setCurrent(row.path);
    if (row.isFolder) setOpen(row.path, !row.isOpen);
    else openFile(row.path);
  };
  const openMenu = (row: TreeRow, at: Point): void => {
    if (row.kind !== 'entry') return;
    setCurrent(row.path);
    setMenu({ path: row.path, isFolder: row.isFolder, at });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.shiftKey && event.key === 'F10' ? 'ContextMenu' : event.key;
    const move = treeKey(key, rows, current);
    const index = rows.findIndex((row) => row.kind === 'entry' && row.path === move?.path);
    const row = rows[index];
    if (move === undefined || row === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (move.do === 'go') {
      setCurrent(move.path);
      screen.reveal(index);
    }
    if (move.do === 'use') use(row);
    if (move.do === 'open' || move.do === 'close') setOpen(move.path, move.do === 'open');
    if ((move.do === 'rename' || move.do === 'delete') && row.kind === 'entry')
      beginTreeEdit({ kind: move.do, path: row.path, isFolder: row.isFolder });
    const place = move.do === 'menu' ? screen.placeOf(index) : undefined;
    if (place !== undefined) openMenu(row, place);
  };
  return { rows, current, menu, use, openMenu, closeMenu: () => setMenu(undefined), onKeyDown };
}

// Where a key leads in the tree, after the ARIA pattern: nothing here touches the screen.
export type TreeMove = { do: 'go' | 'open' | 'close' | 'use' | 'menu' | 'rename' | 'delete'; path: string };

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
  if (key === 'F2') return { do: 'rename', path: row.path };
  if (key === 'Delete') return { do: 'delete', path: row.path };
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
