// Proves one session on the stream: every link of its chain, the texts its entries refer to, and that each message's header says the same
// as the entries up to it.
import { isDeepStrictEqual } from 'node:util';
import type { Damage, EventBody } from '@codelab/protocol';
import { blobKeys, chainHash } from '../../entries.ts';
import { chain, emptyStanding, type Standing } from '../message.ts';
import type { Texts } from '../texts.ts';
import type { Message } from './kept-messages.ts';
import type { Messages } from './read-messages.ts';
import type { Reader } from './read-session.ts';

export type ProvenStore = { messages: Messages; reader: Reader; texts: Texts };

type Options = { signal: AbortSignal; onEntry?(seq: number, hash: string): void };
/** `seq`: its last entry, 0 when it is not there. */
type Proven = { seq: number; damage?: Damage };

export async function proveSession(
  { messages, reader, texts }: ProvenStore,
  session: string,
  { signal, onEntry }: Options,
): Promise<Proven> {
  const head = await reader.standing(session);
  const { seq } = head;
  if (seq === 0) return { seq };
  let standing = { ...emptyStanding(head.generation) };
  const checked = new Set<string>();
  for await (const message of messages.from(session, head, { since: 0, isFresh: true })) {
    signal.throwIfAborted();
    const found =
      checkMessage(session, standing, message) ?? (await badText(texts, session, message, checked));
    if (found !== undefined) return { seq, damage: { session, ...found } };
    for (const entry of message.entries) onEntry?.(entry.seq, entry.hash);
    standing = message.standing;
  }
  if (standing.seq !== head.seq || standing.hash !== head.hash) {
    const problem = `The log ends at ${standing.seq}, but ${head.seq} entries were recorded.`;
    return { seq, damage: { session, seq: standing.seq + 1, problem } };
  }
  return { seq };
}

type Found = Omit<Damage, 'session'>;

function checkMessage(session: string, before: Standing, { standing, entries }: Message): Found | undefined {
  let { seq, hash } = before;
  for (const entry of entries) {
    seq++;
    if (entry.seq !== seq) return { seq, problem: `Entry ${seq} is missing.` };
    hash = chainHash(hash, { session, ...entry });
    if (entry.hash !== hash) return { seq, problem: `Entry ${seq} was changed: its hash does not fit.` };
  }
  if (standing.seq !== seq || standing.hash !== hash)
    return { seq: seq + 1, problem: `The log ends at ${seq}, but ${standing.seq} entries were recorded.` };
  return isSame(session, before, { standing, entries })
    ? undefined
    : { seq: 0, problem: 'The summary of this session was changed.' };
}

function isSame(session: string, before: Standing, { standing, entries }: Message): boolean {
  // A message without entries says who may append; all else is as before.
  if (entries.length === 0) return true;
  const { after } = chain(before, {
    session,
    time: entries[0]?.time ?? 0,
    texts: entries.map(({ json }) => json),
    bodies: entries.map(({ json }) => JSON.parse(json) as EventBody),
  });
  const { id: _, at: __, owner: ___, waiting, ...stored } = standing;
  const { id: _a, at: _b, owner: _c, waiting: open, ...computed } = after;
  return isDeepStrictEqual(stored, computed) && (waiting === undefined || isDeepStrictEqual(waiting, open));
}

async function badText(
  texts: Texts,
  session: string,
  { standing, entries }: Message,
  checked: Set<string>,
): Promise<Found | undefined> {
  for (const { seq, json } of entries)
    for (const key of blobKeys(json)) {
      if (checked.has(key)) continue;
      checked.add(key);
      const text = await texts.find({ session, generation: standing.generation }, key);
      if (text === undefined)
        return { seq, problem: `A text it refers to is missing or was changed (${key}).` };
    }
  return undefined;
}
