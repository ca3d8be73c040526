// The screen's state of each open file: its last seen text on the disk, whether it is being saved, and changes by others.
import type { TextFile } from '@codelab/api';
import type { ApiError } from '@codelab/client';
import { create } from 'zustand';
import { useSessionStore } from '../../session/session-store.ts';

/** `fingerprint` null: there is no file any more. */
export type OnDisk = Pick<TextFile, 'text' | 'encoding' | 'line_ending'> & { fingerprint: string | null };

export type EditorFile =
  | { status: 'loading' }
  | { status: 'refused'; error: ApiError }
  | {
      status: 'ready';
      disk: OnDisk;
      isReadOnly: boolean;
      isSaving: boolean;
      /** The file on the disk now, where it differs from what the edits began with. */
      theirs: OnDisk | 'deleted' | undefined;
      /** The worktree that `disk` is of; empty for the workspace. */
      root?: string;
    };

export type ReadyFile = Extract<EditorFile, { status: 'ready' }>;

export const useOpenFiles = create<{ files: ReadonlyMap<string, EditorFile> }>(() => ({ files: new Map() }));

export function putFile(path: string, file: EditorFile): void {
  const placed = file.status === 'ready' ? { root: filesRoot(), ...file } : file;
  useOpenFiles.setState(({ files }) => ({ files: new Map(files).set(path, placed) }));
}

/** Where the files of the session on the screen are: the folder of its worktree, empty for the workspace. */
export function filesRoot(): string {
  return useSessionStore.getState().model.worktree?.path ?? '';
}

export function readyFile(path: string): ReadyFile | undefined {
  const file = useOpenFiles.getState().files.get(path);
  return file?.status === 'ready' ? file : undefined;
}

/** Changes a file that is ready; one that is not stays. A new `disk` is of the session on the screen unless `root` says otherwise. */
export function changeFile(path: string, change: Partial<Omit<ReadyFile, 'status'>>): void {
  const file = readyFile(path);
  const root = change.disk === undefined ? {} : { root: filesRoot() };
  if (file !== undefined) putFile(path, { ...file, ...root, ...change });
}

export function forgetFile(path: string): void {
  useOpenFiles.setState(({ files }) => {
    const rest = new Map(files);
    rest.delete(path);
    return { files: rest };
  });
}
