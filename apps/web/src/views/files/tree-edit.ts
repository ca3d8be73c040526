// A person's own changes to files of the tree: calls of the session like any other, recorded and undoable. A deny rule still applies.
import { ApiError } from '@codelab/client';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { closeTab, useLayout } from '../../layout/layout-store.ts';
import { ensureSession } from '../../session/current-session.ts';
import { sessionFiles } from '../../session/session-files.ts';
import { setDirty, useDirty } from '../editor/dirty-store.ts';
import { forgetRecent, openFile } from './open-file.ts';
import { readFoldersOf, setCurrent, setOpen } from './tree-store.ts';

/** `path`: the folder that something is made in, or what is renamed or deleted. */
export type TreeEdit = { kind: 'file' | 'folder' | 'rename' | 'delete'; path: string; isFolder: boolean };

/** The edit that a dialog asks about now. */
export const useTreeEdit = create<{ edit: TreeEdit | undefined }>(() => ({ edit: undefined }));

export function beginTreeEdit(edit: TreeEdit): void {
  // After the menu has given the focus back.
  setTimeout(() => useTreeEdit.setState({ edit }));
}

export async function makeFile(path: string): Promise<void> {
  const session_id = await ensureSession();
  await sessionFiles.write({ path, text: '', fingerprint: null, session_id });
  await reveal(path);
  openFile(path);
}

export async function makeFolder(path: string): Promise<void> {
  await call('create_directory', { path });
  await reveal(path);
}

export async function rename(from: string, to: string): Promise<void> {
  await call('move_file', { from, to });
  const open = tabsBelow(from);
  for (const { key } of open) closeTab(key);
  forgetRecent(from);
  await readFoldersOf([from]);
  await reveal(to);
  for (const { param } of open) openFile(to + param.slice(from.length));
}

export async function remove(path: string, isFolder: boolean): Promise<void> {
  await call('delete_file', { path, ...(isFolder && { recursive: true }) });
  for (const { key } of tabsBelow(path)) closeTab(key);
  await dropUnsaved(path);
  forgetRecent(path);
  await readFoldersOf([path]);
}

async function dropUnsaved(path: string): Promise<void> {
  const lost = [...useDirty.getState().paths].filter((unsaved) => isBelow(unsaved, path));
  if (lost.length === 0) return;
  const [{ dropBuffer }, { forgetFile }] = await Promise.all([
    import('../editor/buffers.ts'),
    import('../editor/open-files.ts'),
  ]);
  for (const unsaved of lost) {
    dropBuffer(unsaved);
    forgetFile(unsaved);
    setDirty(unsaved, false);
  }
}

/** Unsaved edits would be lost, or be saved under a name that is gone. */
export function unsavedBelow(path: string): boolean {
  return [...useDirty.getState().paths].some((unsaved) => isBelow(unsaved, path));
}

/** A new file goes into the current folder, or beside the current file. */
export function folderAt(path: string, isFolder: boolean): string {
  if (isFolder || path === '') return path;
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function call(tool: string, args: Record<string, unknown>): Promise<void> {
  const session = await ensureSession();
  const outcome = await api.call(session, { tool, args, approve: true });
  if (outcome.status === 'completed') return;
  const { code, message } = outcome.error;
  throw new ApiError({ code, message, status: 0 });
}

async function reveal(path: string): Promise<void> {
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) setOpen(path.slice(0, at), true);
  await readFoldersOf([path]);
  setCurrent(path);
}

function tabsBelow(path: string) {
  return useLayout.getState().tabs.filter(({ view, param }) => view === 'file' && isBelow(param, path));
}

function isBelow(inner: string, path: string): boolean {
  return inner === path || inner.startsWith(`${path}/`);
}
