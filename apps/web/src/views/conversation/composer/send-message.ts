// A message on its way out: what was picked for it, and the sending.
import { newId } from '@codelab/client';
import type { Delivery, PolicyMode } from '@codelab/protocol';
import { create } from 'zustand';
import { api } from '../../../api/api.ts';
import {
  currentSession,
  modeOfNewSession,
  openSession,
  pickModeBy,
} from '../../../session/current-session.ts';
import { type OutboxMessage, send, startOutbox } from '../../../session/outbox.ts';
import { sessionValue } from '../../../session/screen-state.ts';
import type { Entry } from '../../../session/session-model.ts';
import { useSessionStore } from '../../../session/session-store.ts';
import { toastError } from '../../../ui/toast.tsx';
import { clearImages, keptImagesOf, moveImages, takeImages } from './attached-images.ts';
import { joinDrafts, keepDraft, savedDraft } from './drafts.ts';

// Says something in the session on the screen; one that does not exist yet is made by it.

/** How often something was said here: whoever says something wants to see it. */
export const useSentCount = create<{ count: number }>(() => ({ count: 0 }));

type Sending = {
  /** What was only picked leaves the draft and its images alone. */
  isTyped?: boolean;
  session?: string;
  images?: OutboxMessage['images'];
  /** For this message, in the place of what was picked. */
  model?: string;
  profile?: string;
};

/** Resolves with the session once the message was taken. While a turn runs, it is queued. */
export async function sendMessage(content: string, sending: Sending = {}): Promise<string> {
  const { isTyped = true, session = currentSession() } = sending;
  const { delivery, ...picked } = usePicks.getState();
  const { profile = picked.profile, model = picked.model } = sending;
  useSentCount.setState(({ count }) => ({ count: count + 1 }));
  const id = newId();
  const attached = isTyped ? takeImages(session, id) : [];
  const images = sending.images ?? attached;
  const wish = { ...(profile !== '' && { agent_type: profile }), ...(model !== '' && { model }) };
  try {
    return await send({
      ...{ id, session, text: content, delivery, ...wish },
      ...(images.length > 0 && { images }),
    });
  } catch (error) {
    if (attached.length > 0) moveImages(id, session);
    throw error;
  }
}

startOutbox({
  // The first message makes the session.
  async makeSession({ agent_type }) {
    const mode = await modeOfNewSession();
    const wish = { ...(agent_type !== undefined && { agent_type }), ...(mode !== undefined && { mode }) };
    const { id } = await api.sessions.create(wish);
    moveImages('', id);
    if (currentSession() === '') openSession(id);
    return id;
  },
  imagesOf: keptImagesOf,
  onTaken: clearImages,
  onRefused({ id, session, text }, error) {
    keepDraft(session, joinDrafts(text, savedDraft(session)));
    moveImages(id, session);
    toastError(error);
  },
});

/** Which profile and model the next message goes to; empty is what the session or the gateway has. `mode`: of the next new session. */
type Picks = { profile: string; model: string; mode: PolicyMode | undefined; delivery: Delivery };

const keptPicks = sessionValue<Partial<Picks>>(
  'picks',
  (value) => typeof value === 'object' && value !== null,
);

export const usePicks = create<Picks>(() => ({
  ...{ profile: '', model: '', mode: undefined, delivery: 'step' },
  ...keptPicks.read(''),
}));
pickModeBy(() => usePicks.getState().mode);
let isPickedHere = false;
const stopFollowing = usePicks.subscribe(keepPicks);
// Picked on another device: unless something was picked here by then.
void keptPicks.newer('').then((picks) => {
  if (picks === undefined || isPickedHere) return;
  stopFollowing();
  usePicks.setState(picks);
  usePicks.subscribe(keepPicks);
});

function keepPicks({ profile, model, delivery }: Picks): void {
  isPickedHere = true;
  keptPicks.write('', { profile, model, delivery });
}

// Sends a message again from where it was said: on a branch that begins with everything before it, with the files undone if that is wanted.
type Wanted = { text: string; undoesFiles: boolean };
/** How many files were restored, and in which sessions they were, the latest undo first: redo goes in this order. */
export type Restored = { files: number; sessions: readonly string[] };

export async function sendOnBranch(
  { at, turn, images }: Extract<Entry, { kind: 'user' }>,
  { text, undoesFiles }: Wanted,
): Promise<Restored> {
  const { id: current, status, origin, entries } = useSessionStore.getState().model;
  if (status !== 'idle' && status !== 'error') await api.cancel(current);
  const first = entries.find((entry) => entry.kind === 'user' && entry.at.session === current);
  const isFirstOfBranch = first?.kind === 'user' && first.at.seq === at.seq && at.session === current;
  // What stands first on a branch is another way to go on from where it left the original, not a branch of the branch.
  const branch =
    isFirstOfBranch && origin !== undefined
      ? await api.sessions.fork(origin.session, origin.seq)
      : await api.sessions.branch(at.session, at.seq);
  // What this branch did comes first: it was done later.
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

async function undoAll(wanted: readonly { session: string; from: number }[]): Promise<Restored> {
  const paths = new Set<string>();
  const sessions: string[] = [];
  for (const { session, from } of wanted) {
    const done = await undoFrom(session, from);
    for (const path of done) paths.add(path);
    if (done.length > 0) sessions.unshift(session);
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
