// Messages sent while the agent works and not yet delivered, as a fold over the session's events.
import type { Actor } from '../call.ts';
import type { EventBody } from '../event.ts';
import type { ImagePart } from './image.ts';
import type { Delivery } from './message-event.ts';

export type QueuedMessage = {
  id: string;
  text: string;
  delivery: Delivery;
  by: Actor;
  queuedAt: number;
  images?: readonly ImagePart[] | undefined;
  model?: string | undefined;
  attended?: true | undefined;
};

export type MessageQueue = {
  /** The queued messages, in the order they were sent. */
  waiting: ReadonlyMap<string, QueuedMessage>;
  /** Whether a message with this id was ever sent. */
  has(id: string): boolean;
  apply(event: { time: number; body: EventBody }): void;
};

export function createMessageQueue(): MessageQueue {
  const queued = new Map<string, QueuedMessage>();
  const sentIds = new Set<string>();
  return {
    waiting: queued,
    has: (id) => sentIds.has(id),
    apply({ time, body }) {
      switch (body.type) {
        case 'message.queued': {
          const { type: _, ...message } = body;
          if (!sentIds.has(body.id)) queued.set(body.id, { ...message, queuedAt: time });
          sentIds.add(body.id);
          return;
        }
        case 'message.changed': {
          const before = queued.get(body.id);
          const { text = before?.text, delivery = before?.delivery } = body;
          if (before !== undefined && text !== undefined && delivery !== undefined)
            queued.set(body.id, { ...before, text, delivery });
          return;
        }
        case 'message.removed':
          queued.delete(body.id);
          return;
        case 'turn.steered':
        case 'turn.started':
          if (body.message === undefined) return;
          queued.delete(body.message);
          sentIds.add(body.message);
          return;
        default:
          return;
      }
    },
  };
}
