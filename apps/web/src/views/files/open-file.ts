// Opening a file at a position, the files opened last, and starting a search by name.
import { visibleLine } from '@codelab/protocol';
import { create } from 'zustand';
import { showView } from '../../layout/show-view.ts';
import { remembered } from '../../remembered.ts';

/** Both count from 1. */
type TextPosition = { line?: number | undefined; column?: number | undefined };

/** The position that an open file is to be shown at next; `count` tells that it was asked for again. */
export const useRevealedPosition = create<{ path: string; line: number; column: number; count: number }>(
  () => ({ path: '', line: 0, column: 0, count: 0 }),
);

/** Opens a file of the workspace in the editor, with the caret at a line and column where one is named. */
export function openFile(path: string, { line, column = 1 }: TextPosition = {}): void {
  noteRecent(path);
  showView('file', path, visibleLine(path.slice(path.lastIndexOf('/') + 1)));
  if (line !== undefined)
    useRevealedPosition.setState(({ count }) => ({ path, line, column, count: count + 1 }));
}

// The files that were opened lately, newest first: what one looks for is often among them.
const most = 30;
const storedPaths = remembered<string[]>('recentFiles', [], Array.isArray);

export const useRecentFiles = create<{ paths: readonly string[] }>(() => ({
  paths: storedPaths.read().filter((path) => typeof path === 'string'),
}));

function noteRecent(path: string): void {
  put([path, ...useRecentFiles.getState().paths.filter((other) => other !== path)].slice(0, most));
}

/** The file is gone, or everything below the folder. */
export function forgetRecent(path: string): void {
  put(useRecentFiles.getState().paths.filter((other) => other !== path && !other.startsWith(`${path}/`)));
}

function put(paths: readonly string[]): void {
  useRecentFiles.setState({ paths });
  storedPaths.write([...paths]);
}

// Asks for the field that finds a file, also where the files are not on the screen yet.
export const useFindRequest = create<{ isWanted: boolean }>(() => ({ isWanted: false }));

export function findFile(): void {
  useFindRequest.setState({ isWanted: true });
  showView('files');
}
