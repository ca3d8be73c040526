// Outgoing messages. Each has an id, so that it can be sent again after a lost answer and is accepted once. This browser stores them until
// the log has them: a lost connection, a reload or a killed gateway loses none.
import { ApiError, newId } from '@codelab/client';
import type { Delivery, ImagePart } from '@codelab/protocol';
import { create } from 'zustand';
import { api } from '../api/api.ts';
import { remembered } from '../remembered.ts';
import { useSessionStore } from './session-store.ts';

export type OutboxMessage = {
  id: string;
  /** Empty: the message makes its session. */
  session: string;
  text: string;
  delivery: Delivery;
  model?: string;
  agent_type?: string;
  images?: readonly Pick<ImagePart, 'data' | 'name'>[];
  /** The session it makes works in a git worktree of its own. */
  isInWorktree?: true;
};

/** `hasImages`: too large for the list, they are kept apart under the message's id. */
type Kept = OutboxMessage & { isTaken?: boolean; hasImages?: boolean };

const stored = remembered<Kept[]>('outbox', [], Array.isArray);

export const useOutbox = create<{ waiting: readonly Kept[] }>(() => ({
  waiting: stored.read().map(({ isTaken: _, ...message }) => message),
}));

useOutbox.subscribe(({ waiting }) => stored.write(waiting.map(({ images: _, ...message }) => message)));

type Ends = { resolve(session: string): void; reject(error: unknown): void };
const ends = new Map<string, Ends>();

type Images = NonNullable<OutboxMessage['images']>;

/** The outbox's access to the conversation: it creates sessions, stores images, and restores a refused text into the field. */
type Helpers = {
  makeSession(message: OutboxMessage): Promise<string>;
  imagesOf(id: string): Promise<Images>;
  onTaken(id: string): void;
  onRefused(message: OutboxMessage, error: unknown): void;
};

let helpers: Helpers | undefined;

/** To be called once. What a reload left here is sent from then on. */
export function startOutbox(conversation: Helpers): void {
  helpers = conversation;
  void pump();
}

/** Resolves with its session once the gateway has taken it; rejects when it is refused. A lost connection is waited for. */
export function send({
  id = newId(),
  ...message
}: Omit<OutboxMessage, 'id'> & { id?: string }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  ends.set(id, { resolve, reject });
  useOutbox.setState(({ waiting }) => ({
    waiting: [...waiting, { ...message, id, ...(message.images && { hasImages: true }) }],
  }));
  void pump();
  return promise;
}

let isPumping = false;

/** Messages are delivered one after the other, so that they arrive in the order they were written. */
async function pump(): Promise<void> {
  if (isPumping || helpers === undefined) return;
  isPumping = true;
  try {
    for (let failures = 0; ; ) {
      const next = useOutbox.getState().waiting.find(({ isTaken }) => !isTaken);
      if (next === undefined) return;
      const problem = await deliver(next, helpers);
      failures = problem === undefined ? 0 : failures + 1;
      if (problem !== undefined) await pause(Math.min(8000, 250 * 2 ** failures));
    }
  } finally {
    isPumping = false;
  }
}

/** Returns an error that may pass; any other error rejects the message. */
async function deliver(
  message: Kept,
  { makeSession, imagesOf, onTaken, onRefused }: Helpers,
): Promise<unknown> {
  const { id, text, delivery, model, agent_type } = message;
  try {
    const images = message.images ?? (message.hasImages ? await imagesOf(id) : []);
    const session = message.session || (await makeSession(message));
    if (message.session === '') change(id, { session });
    const more = { ...(model && { model }), ...(agent_type && { agent_type }) };
    const seen = images.length > 0 && { images: [...images] };
    await api.sendMessage(session, text, { delivery, message_id: id, ...more, ...seen });
    change(id, { isTaken: true });
    if (message.hasImages) onTaken(id);
    ends.get(id)?.resolve(session);
    removeDelivered();
  } catch (error) {
    if (mayPass(error)) return error;
    useOutbox.setState(({ waiting }) => ({ waiting: waiting.filter((other) => other.id !== id) }));
    // After a reload no caller waits for the message: its text goes back into the field.
    if (!ends.has(id)) onRefused(message, error);
    ends.get(id)?.reject(error);
    ends.delete(id);
  }
  return undefined;
}

function change(id: string, news: Partial<Kept>): void {
  useOutbox.setState(({ waiting }) => ({
    waiting: waiting.map((message) => (message.id === id ? { ...message, ...news } : message)),
  }));
}

function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429);
}

/** Removes messages that the log has. */
function removeDelivered(): void {
  const { model } = useSessionStore.getState();
  const { waiting } = useOutbox.getState();
  const undelivered = waiting.filter(
    ({ id, session }) => session !== model.id || !model.knownMessages.has(id),
  );
  if (undelivered.length < waiting.length) useOutbox.setState({ waiting: undelivered });
}

// After a lost connection the gateway may be another process: messages that it took and did not log are sent again.
useSessionStore.subscribe((now, before) => {
  removeDelivered();
  if (now.connection !== 'live' || before.connection === 'live') return;
  for (const { id, session } of useOutbox.getState().waiting)
    if (session === now.model.id) change(id, { isTaken: false });
  void pump();
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
  });
}
