// Messages to a shared session: a message begins a turn, or is queued while one runs; queued ones follow when the turn has ended.
import type { TurnResult } from '@codelab/agent';
import type { Actor } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { checkQueued, deliversAfter, queuedMessages, queueMessage } from '../../agent/message-queue.ts';
import type { TurnMessage } from '../../agent/open-turn.ts';
import { isTurnHeld } from '../../agent/turn-log.ts';
import type { SayOptions, SendOptions } from '../gateway.ts';

type Turns = {
  begin(options: SayOptions, message: TurnMessage): Promise<unknown>;
  /** The running turn, and the message it began with. */
  running(): { message: string | undefined; started: Promise<unknown> } | undefined;
  onFailure(error: unknown): void;
};

export type MessageDelivery = {
  /** Begins a turn, or queues the message while one runs; returns the id of one that was queued. */
  send(text: string, by: Actor, options: SendOptions): Promise<string | undefined>;
  /** Begins a turn with the next queued message, unless one runs. */
  deliver(): void;
  /** Passes the result on. */
  afterTurn(result: TurnResult): TurnResult;
};

export function createDelivery(
  { host, id: session }: { host: Host; id: string },
  turns: Turns,
): MessageDelivery {
  const isFree = (): boolean => turns.running() === undefined && !isTurnHeld(host, session);

  async function deliverNext(): Promise<void> {
    const [next] = await queuedMessages(host, session);
    if (next === undefined || !isFree()) return;
    const live = await host.session(session);
    const { id: message, text, by, model, attended, images } = next;
    await turns.begin(
      { ...(model !== undefined && { model }), ...(attended && { isAttended: true }) },
      { text, by, message, ...(images && { images }), check: () => checkQueued(live, next) },
    );
  }

  const deliver = (): void => void deliverNext().catch(turns.onFailure);

  return {
    deliver,
    afterTurn(result) {
      if (deliversAfter(result.end)) deliver();
      return result;
    },
    async send(text, by, { messageId: id, delivery, ...options }) {
      const { messages } = await host.session(session);
      const current = turns.running();
      if (id !== undefined && current?.message === id) {
        // A message counts as delivered when it is in the log, not when it was sent.
        await current.started;
        return undefined;
      }
      if (id !== undefined && messages.has(id)) return messages.waiting.has(id) ? id : undefined;
      if (delivery === undefined || isFree()) {
        await turns.begin(options, { ...saidIn(text, by, options), message: id });
        return undefined;
      }
      const { model, images, isAttended } = options;
      const message = { id, text, delivery, by, images, model, isAttended };
      const queued = await queueMessage(host, session, message);
      // The turn may have ended before the message was queued.
      deliver();
      return queued;
    },
  };
}

export function saidIn(text: string, by: Actor, { files, images }: SayOptions): TurnMessage {
  return { text, by, ...(files && { files }), ...(images && { images }) };
}
