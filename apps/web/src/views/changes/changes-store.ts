// The changes of the session on the screen, read again whenever it changed a file; and the trash.
import type { ChangeTurn, TrashEntry } from '@codelab/api';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { useSession } from '../../session/session-store.ts';
import { currentText } from '../../text/use-text.ts';

type Known = { session: string; turns: readonly ChangeTurn[] | undefined; problem: string };

export const useChangesStore = create<Known>(() => ({ session: '', turns: undefined, problem: '' }));
export const useTrashStore = create<{ entries: readonly TrashEntry[] | undefined; problem: string }>(() => ({
  entries: undefined,
  problem: '',
}));

let latest = 0;

export async function readChanges(session: string): Promise<void> {
  const question = ++latest;
  if (session !== useChangesStore.getState().session)
    useChangesStore.setState({ session, turns: session === '' ? [] : undefined, problem: '' });
  if (session === '') return;
  try {
    const { turns } = await api.changes.list(session);
    if (question === latest) useChangesStore.setState({ turns, problem: '' });
  } catch (error) {
    if (question === latest) useChangesStore.setState({ problem: messageOf(error) });
  }
}

export async function readTrash(): Promise<void> {
  try {
    const entries = await api.changes.trash();
    useTrashStore.setState({ entries, problem: '' });
  } catch (error) {
    useTrashStore.setState({ problem: messageOf(error) });
  }
}

/** Reads what `read` reads at once and whenever the session changed files. */
export function useReadUponChange(read: (session: string) => Promise<void>): void {
  const session = useSession(({ id }) => id);
  const count = useSession(({ touched }) => touched.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count says that there is something new to read.
  useEffect(() => void read(session), [session, count, read]);
}

function messageOf(error: unknown): string {
  return errorMessage(error, currentText());
}

// The file of a change that somebody clicked: the change opens with it in view.
/** `of` is the change, as its tab names it; `count` tells that it was asked for again. */
export const useRevealedFile = create<{ of: string; path: string; count: number }>(() => ({
  of: '',
  path: '',
  count: 0,
}));

export function revealFile(of: string, path: string): void {
  useRevealedFile.setState(({ count }) => ({ of, path, count: count + 1 }));
}

// The undo or redo that somebody has asked for; the dialog shows it.
export type UndoDialogRequest =
  | { verb: 'undo'; turn?: number; call_id?: string; what: string }
  | { verb: 'redo'; what: string };

export const useUndoRequest = create<{ wanted: UndoDialogRequest | undefined }>(() => ({
  wanted: undefined,
}));

export function requestUndo(wanted: UndoDialogRequest | undefined): void {
  useUndoRequest.setState({ wanted });
}
