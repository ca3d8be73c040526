// Sends a message with the options picked for it.
import { newId } from '@codelab/client';
import { type Delivery, type PolicyMode, titleFrom } from '@codelab/protocol';
import { create } from 'zustand';
import { api } from '../../../api/api.ts';
import {
  currentSession,
  modeOfNewSession,
  openSession,
  registerPicks,
} from '../../../session/current-session.ts';
import { type OutboxMessage, send, startOutbox } from '../../../session/outbox.ts';
import { sessionValue } from '../../../session/screen-state.ts';
import { toastError } from '../../../ui/toast.tsx';
import { clearImages, keptImagesOf, moveImages, takeImages } from './attached-images.ts';
import { returnToDraft } from './drafts.ts';

/** How many messages were sent from this page. The list scrolls to its end with each. */
export const useSentCount = create<{ count: number }>(() => ({ count: 0 }));

type Sending = {
  /** A message that was not typed leaves the draft and its images alone. */
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
      ...(session === '' && picked.isInWorktree && { isInWorktree: true as const }),
    });
  } catch (error) {
    if (attached.length > 0) moveImages(id, session);
    throw error;
  }
}

startOutbox({
  // The first message makes the session.
  async makeSession({ agent_type, isInWorktree, text }) {
    const mode = await modeOfNewSession();
    const wish = { ...(agent_type !== undefined && { agent_type }), ...(mode !== undefined && { mode }) };
    const title = titleFrom(text);
    // The title names the branch.
    const worktree = isInWorktree && { worktree: {}, ...(title !== '' && { title }) };
    const { id } = await api.sessions.create({ ...wish, ...worktree });
    usePicks.setState({ isInWorktree: false });
    moveImages('', id);
    if (currentSession() === '') openSession(id);
    return id;
  },
  imagesOf: keptImagesOf,
  onTaken: clearImages,
  onRefused({ id, session, text }, error) {
    returnToDraft(session, text);
    moveImages(id, session);
    toastError(error);
  },
});

/** Which profile and model the next message goes to; empty is what the session or the gateway has. `mode`: of the next new session. */
type Picks = {
  profile: string;
  model: string;
  mode: PolicyMode | undefined;
  delivery: Delivery;
  /** The next new session works in a git worktree of its own. */
  isInWorktree: boolean;
};

const keptPicks = sessionValue<Partial<Picks>>(
  'picks',
  (value) => typeof value === 'object' && value !== null,
);

export const usePicks = create<Picks>(() => ({
  ...{ profile: '', model: '', mode: undefined, delivery: 'step', isInWorktree: false },
  ...keptPicks.read(''),
}));
registerPicks({
  read: () => usePicks.getState(),
  onMade: () => usePicks.setState({ isInWorktree: false }),
});
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
