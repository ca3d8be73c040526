// Loading a file into the editor, saving it, and following changes of it on disk.
import { ApiError } from '@codelab/client';
import { useEffect } from 'react';
import { useLayout } from '../../layout/layout-store.ts';
import { followFiles } from '../../session/changes/follow-files.ts';
import { currentSession, ensureSession } from '../../session/current-session.ts';
import { sessionFiles } from '../../session/session-files.ts';
import { currentViewText } from '../../text/use-text.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import {
  dispatchToBuffer,
  dropBuffer,
  isDirty,
  openBuffer,
  replaceText,
  setClean,
  stateOf,
} from './buffers.ts';
import { editsField, editsOf, exactText, noEdits, setEdits } from './exact-text.ts';
import {
  changeFile,
  type EditorFile,
  filesRoot,
  forgetFile,
  type OnDisk,
  putFile,
  readyFile,
  useOpenFiles,
} from './open-files.ts';
import { isOther, readable } from './other-encoding.ts';

// Opening, saving and following one file. A save goes through only on top of what was seen; whatever others did is shown, never written over unasked.
export async function loadFile(path: string): Promise<void> {
  const known = useOpenFiles.getState().files.get(path);
  if (known?.status === 'ready' || known?.status === 'loading') return;
  putFile(path, { status: 'loading' });
  try {
    const disk = await sessionFiles.read(path);
    const isReadOnly = isOther(disk);
    openBuffer(path, readable(path, disk), isReadOnly);
    putFile(path, { status: 'ready', disk, isReadOnly, isSaving: false, theirs: undefined });
  } catch (error) {
    putFile(path, { status: 'refused', error: asApiError(error) });
  }
}

/** Upon `STALE` what stands there is shown beside. */
export async function saveEditorFile(path: string): Promise<void> {
  const file = readyFile(path);
  const state = stateOf(path);
  if (file === undefined || state === undefined || file.isSaving || file.isReadOnly) return;
  const { disk } = file;
  if (!isDirty(path) && disk.fingerprint !== null) return;
  // Typed over a file of another worktree: a person decides whether it is saved here.
  if (file.root !== filesRoot()) {
    changeFile(path, { theirs: await readNow(path) });
    return;
  }
  const edits = state.field(editsField);
  const text = exactText(disk.text, editsOf(edits));
  // Edits that are typed during the save count from here.
  dispatchToBuffer(path, { effects: setEdits.of(noEdits(state)) });
  changeFile(path, { isSaving: true });
  try {
    const session_id = await ensureSession();
    // The bytes are what the page says: it knows how each line ended.
    const { fingerprint } = await sessionFiles.write({
      path,
      text,
      fingerprint: disk.fingerprint,
      session_id,
      line_endings: 'exact',
    });
    changeFile(path, {
      disk: { ...disk, text, fingerprint },
      ...(file.root !== undefined && { root: file.root }),
      isSaving: false,
      theirs: undefined,
    });
    setClean(path, state.doc);
    toast(currentViewText().editor.saved(path));
    if (changedDuringSave.delete(path)) await lookAgain(path);
  } catch (error) {
    const since = stateOf(path)?.field(editsField);
    if (since !== undefined) dispatchToBuffer(path, { effects: setEdits.of(edits.compose(since)) });
    changeFile(path, { isSaving: false });
    changedDuringSave.delete(path);
    if (error instanceof ApiError && ['STALE', 'ALREADY_EXISTS'].includes(error.code)) await lookAgain(path);
    else toastError(error);
  }
}

/** Files that may have become other ones while they were saved, because another session came onto the screen or a call changed them. */
const changedDuringSave = new Set<string>();

/** The file may have changed on the disk: without edits it is shown as it is now, with edits both are kept. */
export async function lookAgain(path: string): Promise<void> {
  const before = readyFile(path);
  if (before?.isSaving) changedDuringSave.add(path);
  // A file that was shown by consent was read once; the page may not read it again.
  if (before === undefined || before.isSaving || (before.isReadOnly && !isOther(before.disk))) return;
  const now = await readNow(path);
  const file = readyFile(path);
  if (now === undefined || file === undefined || file.isSaving || file.disk !== before.disk) return;
  if (now === 'deleted') {
    changeFile(path, { theirs: file.disk.fingerprint === null ? undefined : 'deleted' });
    return;
  }
  if (now.fingerprint === file.disk.fingerprint) changeFile(path, { theirs: undefined });
  else if (isDirty(path)) changeFile(path, { theirs: now });
  else takeOver(path, now);
}

export function takeTheirs(path: string): void {
  const theirs = readyFile(path)?.theirs;
  if (theirs !== undefined && theirs !== 'deleted') takeOver(path, theirs);
}

/** Saves on top of what stands there now. */
export async function keepMine(path: string): Promise<void> {
  const file = readyFile(path);
  if (file?.theirs === undefined) return;
  const fingerprint = file.theirs === 'deleted' ? null : file.theirs.fingerprint;
  changeFile(path, { disk: { ...file.disk, fingerprint }, theirs: undefined });
  await saveEditorFile(path);
}

/** The text as it would be saved. */
export function mine(path: string): string {
  const file = readyFile(path);
  const state = stateOf(path);
  if (file === undefined || state === undefined) return '';
  return exactText(file.disk.text, editsOf(state.field(editsField)));
}

function takeOver(path: string, disk: OnDisk): void {
  replaceText(path, readable(path, disk));
  changeFile(path, { disk, theirs: undefined });
}

/** Undefined when nothing can be said now. */
async function readNow(path: string): Promise<OnDisk | 'deleted' | undefined> {
  const session = currentSession();
  try {
    const disk = await sessionFiles.read(path);
    // Another session may have other files, and coming onto the screen it looks again.
    return currentSession() === session ? disk : undefined;
  } catch (error) {
    if (currentSession() !== session) return undefined;
    return error instanceof ApiError && error.code === 'FILE_NOT_FOUND' ? 'deleted' : undefined;
  }
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ code: 'INTERNAL', message: String(error), status: 0 });
}

// Opens a file while a tab shows it and keeps it true: the session's own changes and the return to the page make it look again.
export function useKeptFile(path: string): EditorFile {
  useEffect(() => {
    // A file that was never saved is not on the disk.
    const look = (): void => {
      if (readyFile(path)?.disk.fingerprint !== null) void lookAgain(path);
    };
    void loadFile(path).then(look);
    window.addEventListener('focus', look);
    const stop = followOpenFile(path, () => {
      // A file that could not be shown may be there in the worktree of another session.
      if (useOpenFiles.getState().files.get(path)?.status === 'refused') void loadFile(path);
      else look();
    });
    return () => {
      window.removeEventListener('focus', look);
      stop();
      // The tab was closed, not only left; what is not saved is kept for when it is opened again.
      if (!useLayout.getState().tabs.some(({ view, param }) => view === 'file' && param === path))
        forget(path);
    };
  }, [path]);
  return useOpenFiles(({ files }) => files.get(path)) ?? loading;
}

const loading: EditorFile = { status: 'loading' };

/** Calls `look` when the file may have changed; returns how to stop. */
export function followOpenFile(path: string, look: () => void): () => void {
  return followFiles((paths) => {
    if (paths === undefined || paths.includes(path)) look();
  });
}

function forget(path: string): void {
  if (isDirty(path)) return;
  dropBuffer(path);
  forgetFile(path);
}
