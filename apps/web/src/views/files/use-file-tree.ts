// What the tree shows and what its keys do. `reveal` brings a line onto the screen.
import { type KeyboardEvent, useMemo, useState } from 'react';
import { openFile } from './open-file.ts';
import { treeKey } from './tree-key.ts';
import { setCurrent, setOpen, useTree } from './tree-store.ts';
import { type TreeRow, visibleRows } from './visible-rows.ts';

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
    const place = move.do === 'menu' ? screen.placeOf(index) : undefined;
    if (place !== undefined) openMenu(row, place);
  };
  return { rows, current, menu, use, openMenu, closeMenu: () => setMenu(undefined), onKeyDown };
}
