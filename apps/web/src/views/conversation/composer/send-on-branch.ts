// Sends a message again from its place: on a branch that begins with everything before it, with the files undone on request.
import type { Session } from '@codelab/api';
import { api } from '../../../api/api.ts';
import { branchTitle, useBranches } from '../../../session/branches.ts';
import { openSession } from '../../../session/current-session.ts';
import type { UserEntry } from '../../../session/session-model.ts';
import { useSessionStore } from '../../../session/session-store.ts';
import { sendMessage } from './send-message.ts';

type Wanted = { text: string; undoesFiles: boolean };
/** How many files were restored, and in which sessions they were, the latest undo first: redo goes in this order. */
export type Restored = { files: number; sessions: readonly string[] };

export async function sendOnBranch(entry: UserEntry, { text, undoesFiles }: Wanted): Promise<Restored> {
  const { at, turn, images } = entry;
  const { id: current, status } = useSessionStore.getState().model;
  if (status !== 'idle' && status !== 'error') await api.cancel(current);
  const branch = await makeBranch(entry);
  await nameBranch(branch, text, entry.text);
  // The changes of this branch are undone first: they were made later.
  const restored = undoesFiles
    ? await undoAll([
        ...(current === at.session ? [] : [{ session: current, from: 1 }]),
        { session: at.session, from: turn },
      ])
    : { files: 0, sessions: [] };
  openSession(branch.id);
  await sendMessage(text, { isTyped: false, session: branch.id, ...(images && { images }) });
  return restored;
}

/** The first message of a branch goes on in another way from where the branch left the original: no branch of the branch. */
async function makeBranch({ at, key }: UserEntry): Promise<Session> {
  const { id: current, origin, firstMessage } = useSessionStore.getState().model;
  const isFirstOfBranch = at.session === current && firstMessage === key;
  return isFirstOfBranch && origin !== undefined
    ? await api.sessions.fork(origin.session, origin.seq)
    : await api.sessions.branch(at.session, at.seq);
}

/** A fork has the title of its original, which would make the two look alike in every list. */
async function nameBranch({ id, title: ofOriginal }: Session, text: string, edited: string): Promise<void> {
  const titles = useBranches.getState().all.map(({ title }) => title);
  const title = branchTitle(text, edited, [ofOriginal, ...titles]);
  if (title !== '') await api.sessions.update(id, { title });
}

async function undoAll(wanted: readonly { session: string; from: number }[]): Promise<Restored> {
  const paths = new Set<string>();
  const sessions: string[] = [];
  for (const { session, from } of wanted) {
    const restored = await undoFrom(session, from);
    for (const path of restored) paths.add(path);
    if (restored.length > 0) sessions.unshift(session);
  }
  return { files: paths.size, sessions };
}

/** The paths that were restored. */
async function undoFrom(session: string, from_turn: number): Promise<string[]> {
  try {
    const { files } = await api.changes.undo(session, { from_turn });
    return files.filter(({ state }) => state === 'done').map(({ path }) => path);
  } catch (error) {
    // Nothing was changed since, or all of it was undone before.
    if (error instanceof Error && 'code' in error && error.code === 'FILE_NOT_FOUND') return [];
    throw error;
  }
}
