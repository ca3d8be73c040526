// Messages that are sent while a turn runs. They wait in the session's log, where a restart and other screens find them. The model reads them before its
// next step, or they become the next turn.
import type { Delivery, QueuedMessage } from '@codelab/protocol';
import {
  changeMessage,
  checkQueued,
  deliversAfter,
  queueMessage,
  removeMessage,
} from '@codelab/server/agent';
import { person, type TerminalChat } from './chat.ts';

const via = person().via;

export async function queueText({ host, session }: TerminalChat, text: string): Promise<void> {
  await queueMessage(host, session, { text, delivery: 'step', by: person(), isAttended: true });
}

/** The queue as it is shown above the input: messages for the agent, then the commands that run after them. */
export function waitingLines(chat: TerminalChat, { queue }: { queue: readonly string[] }): QueuedLine[] {
  return [
    ...queuedIn(chat).map(({ text, delivery }) => ({ text, when: delivery })),
    ...queue.filter((text) => !text.startsWith('\0')).map((text) => ({ text, when: 'line' as const })),
  ];
}

export type QueuedLine = { text: string; when: Delivery | 'line' };

/** The messages that the model has not received, in the order they were sent. */
export function queuedIn({ live }: TerminalChat): QueuedMessage[] {
  return [...live.messages.waiting.values()];
}

/** Makes a turn of each queued message, unless the turn before failed: then the user says how to continue. */
export async function deliverQueued(
  chat: TerminalChat,
  { signal, show }: { signal: AbortSignal; show(text: string): void },
): Promise<void> {
  for (let [next] = queuedIn(chat); next !== undefined; [next] = queuedIn(chat)) {
    if (signal.aborted || !(await isWellEnded(chat))) return;
    const { id, text, images } = next;
    const { live } = chat;
    const queued = next;
    show(text);
    const check = (): void => checkQueued(live, queued);
    await chat.start({ text, message: id, check, ...(images && { images }) }, signal);
  }
}

async function isWellEnded({ log, session }: TerminalChat): Promise<boolean> {
  const events = await log.read(session);
  const last = events.findLast(({ body }) => body.type === 'turn.ended' && body.agent === undefined)?.body;
  return last?.type === 'turn.ended' && deliversAfter(last.end);
}

/** The text, unless the model has received it meanwhile. */
export async function unqueue(
  { host, session }: TerminalChat,
  { id, text }: QueuedMessage,
): Promise<string | undefined> {
  try {
    await removeMessage(host, session, { id, by: person() });
    return text;
  } catch {
    // The message was delivered, or was removed elsewhere.
    return undefined;
  }
}

/** Messages of other screens stay with those screens; only messages of a chat are listed. */
export async function unqueueAll(chat: TerminalChat): Promise<string> {
  const texts: string[] = [];
  for (const message of queuedIn(chat).filter(({ by }) => by.via === via))
    texts.push((await unqueue(chat, message)) ?? '');
  return texts.filter((text) => text !== '').join('\n');
}

/** Between the next step and the end of the turn. */
export async function switchDelivery(
  { host, session }: TerminalChat,
  { id, delivery }: QueuedMessage,
): Promise<void> {
  const other: Delivery = delivery === 'step' ? 'turn' : 'step';
  await changeMessage(host, session, { id, delivery: other, by: person() });
}
