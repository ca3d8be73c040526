// The folders of the workspace as far as they were read: when they are opened, and again when something in them changed.
import type { FolderEntry } from '@codelab/api';
import { create } from 'zustand';
import { errorMessage } from '../../error-help.ts';
import { remembered } from '../../remembered.ts';
import { sessionFiles } from '../../session/session-files.ts';
import { currentText } from '../../text/use-text.ts';

export type KnownFolder =
  | { status: 'loading' }
  | { status: 'ready'; entries: readonly FolderEntry[]; isCut: boolean }
  | { status: 'failed'; message: string };

type TreeState = {
  folders: ReadonlyMap<string, KnownFolder>;
  open: ReadonlySet<string>;
  /** The path the keyboard is at. */
  current: string;
};

const root = '.';
const storedFolders = remembered<string[]>('openFolders', [], Array.isArray);
const mostKept = 200;

export const useTree = create<TreeState>(() => ({
  folders: new Map(),
  open: new Set(storedFolders.read().filter((path) => typeof path === 'string')),
  current: '',
}));

export function setCurrent(current: string): void {
  useTree.setState({ current });
}

export function isKnownFolder(path: string): boolean {
  const folder = useTree.getState().folders.get(parentOf(path));
  const entries = folder?.status === 'ready' ? folder.entries : [];
  return entries.some((entry) => entry.path === path && entry.type === 'directory');
}

export function setOpen(path: string, isOpen: boolean): void {
  useTree.setState(({ open }) => {
    const next = new Set(open);
    if (isOpen) next.add(path);
    else next.delete(path);
    storedFolders.write([...next].slice(-mostKept));
    return { open: next };
  });
  if (isOpen && useTree.getState().folders.get(path)?.status !== 'ready') void readFolder(path);
}

export function closeAll(): void {
  storedFolders.write([]);
  useTree.setState({ open: new Set() });
}

/** The root and whatever is open. */
export async function readOpenFolders(): Promise<void> {
  const { open } = useTree.getState();
  await Promise.all([root, ...open].map(readFolder));
}

/** The folders these paths lie in, as far as they are shown. */
export async function readFoldersOf(paths: Iterable<string>): Promise<void> {
  const { folders } = useTree.getState();
  const wanted = new Set<string>();
  // A path in a new folder changes the nearest folder that is known.
  for (const path of paths)
    for (let parent = parentOf(path); ; parent = parentOf(parent)) {
      if (folders.has(parent)) wanted.add(parent);
      if (parent === root) break;
    }
  await Promise.all([...wanted].map(readFolder));
}

function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? root : path.slice(0, at);
}

const latestReads = new Map<string, number>();

/** Answers may arrive in another order than they were asked for; only that of the latest question is shown. */
async function readFolder(path: string): Promise<void> {
  const read = (latestReads.get(path) ?? 0) + 1;
  latestReads.set(path, read);
  if (!useTree.getState().folders.has(path)) put(path, { status: 'loading' });
  const folder = await listFolder(path);
  if (latestReads.get(path) === read) put(path, folder);
}

async function listFolder(path: string): Promise<KnownFolder> {
  try {
    const { entries, truncated } = await sessionFiles.list(path);
    // Git's own files are not files of the project.
    const shown = entries.filter(({ name }) => name !== '.git');
    return { status: 'ready', entries: shown, isCut: truncated };
  } catch (error) {
    return { status: 'failed', message: errorMessage(error, currentText()) };
  }
}

function put(path: string, folder: KnownFolder): void {
  useTree.setState(({ folders }) => ({ folders: new Map(folders).set(path, folder) }));
}
