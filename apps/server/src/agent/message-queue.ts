// Messages that people send while the agent works: queued in the log of the session, changed, removed, and delivered to the model at its
// next step or as the next turn. Every process with the session sees the same queue, and each message is delivered once.
import {
  type Actor,
  type Delivery,
  type EventBody,
  type ImagePart,
  type QueuedMessage,
  ToolError,
  type TurnEnd,
} from '@codelab/protocol';
import { type Host, randomId } from '@codelab/runtime';

export type NewMessage = {
  id?: string | undefined;
  text: string;
  delivery: Delivery;
  by: Actor;
  images?: readonly ImagePart[] | undefined;
  model?: string | undefined;
  isAttended?: boolean | undefined;
};

export type MessageChange = { text?: string | undefined; delivery?: Delivery | undefined };

/** The queued messages, in the order they were sent. */
export async function queuedMessages(host: Host, session: string): Promise<QueuedMessage[]> {
  const live = await host.session(session);
  await live.catchUp();
  return [...live.messages.waiting.values()];
}

/** Returns the id of the message. A message with an id that was sent before is not queued again. */
export async function queueMessage(host: Host, session: string, message: NewMessage): Promise<string> {
  const { id = randomId(), text, delivery, by, images, model, isAttended } = message;
  const live = await host.session(session);
  const optionalFields = {
    ...(images && images.length > 0 && { images: [...images] }),
    ...(model !== undefined && { model }),
    ...(isAttended && { attended: true as const }),
  };
  const body: EventBody = { type: 'message.queued', id, text, delivery, by, ...optionalFields };
  await live.commit(() => (live.messages.has(id) ? [] : [body]), { durable: true });
  return id;
}

export async function changeMessage(
  host: Host,
  session: string,
  { id, by, ...change }: MessageChange & { id: string; by: Actor },
): Promise<void> {
  const live = await host.session(session);
  await live.catchUp();
  const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  await live.commit(
    () => {
      if (!live.messages.waiting.has(id)) throw notQueued(id);
      return [{ type: 'message.changed', id, by, ...changes }];
    },
    { durable: true },
  );
}

export async function removeMessage(
  host: Host,
  session: string,
  { id, by }: { id: string; by: Actor },
): Promise<void> {
  const live = await host.session(session);
  await live.catchUp();
  await live.commit(
    () => {
      if (!live.messages.waiting.has(id)) throw notQueued(id);
      return [{ type: 'message.removed', id, by }];
    },
    { durable: true },
  );
}

/** Throws when the message is no longer queued as it was read, because it was changed, removed or delivered meanwhile. */
export function checkQueued(
  { messages }: Awaited<ReturnType<Host['session']>>,
  { id, text }: QueuedMessage,
): void {
  if (messages.waiting.get(id)?.text !== text) throw notQueued(id);
}

/** Whether queued messages are sent automatically; after a failure or a cancellation people decide when to send them. */
export function deliversAfter(end: TurnEnd): boolean {
  return end !== 'cancelled' && end !== 'failed' && end !== 'unanswered' && end !== 'cost_limit';
}

function notQueued(id: string): ToolError {
  return new ToolError(
    'STALE',
    `The message ${id} is no longer queued: it was delivered or removed. Send a new one.`,
    { reason: 'not_queued' },
  );
}
