// Reads a session's messages off the stream: the last one, or all from an entry on, found by a search instead of going through those before.
import { DeliverPolicy } from '@nats-io/jetstream';
import type { Broker } from '../broker.ts';
import { readEntries, readStanding, type Standing, standingHeader } from '../message.ts';
import { streamGone } from '../requests.ts';
import type { MessageQuery, StoredMessage } from '../streams.ts';
import { type Texts, tokenOf } from '../texts.ts';
import { createKeptMessages, type KeptMessages, type Message } from './kept-messages.ts';
import { createPlaces, type Places } from './places.ts';

/** The data of a message about its session, before its entries are read. */
export type LastMessage = { standing: Standing; stored: StoredMessage };

type Wanted = {
  since: number;
  /** The maximum number of entries; default: all. */
  limit?: number;
  /** Read from the servers, bypassing the cache: for verification. */
  isFresh?: boolean;
};

export type Messages = {
  /** The last message of the session, as the leader of the stream has it; undefined when there is none. It may say that the session was deleted. */
  last(session: string): Promise<LastMessage | undefined>;
  decode(session: string, stored: StoredMessage): Promise<Message>;
  /** The message at this position of the stream. */
  at(session: string, place: number): Promise<Message | undefined>;
  /** The messages that have the entries after `since`, up to this standing. */
  from(session: string, head: Standing, range: Wanted): AsyncGenerator<Message>;
  /** Keeps a message that was just stored. */
  note(session: string, message: Message): void;
  forget(session: string): void;
};

/** Up to this many messages are requested one by one; a consumer, which takes four requests, sends more. */
const fewMessages = 4;
const batch = 256;
/** The tries take longer than a server needs to notice that it is no longer the leader. After them the log counts as restored from a backup, and its last message as the last. */
const triesWhenBehind = 100;
const restWhenBehindMs = 100;
/** Entries that are too long for one message are stored as a text; the message has this mark and the key of the text. */
export const referMark = '@';

/** `heardOf`: the place of the last message of a session that the feed has received; 0 when there is none. */
export function createMessages(broker: Broker, texts: Texts, heardOf: (session: string) => number): Messages {
  const [places, kept] = [createPlaces(), createKeptMessages()];
  const { decode, decodeShort, at, next } = createLookup(broker, texts, { places, kept });
  const subjectOf = (session: string): string => subjectIn(broker, session);
  return {
    decode,
    at,
    async last(session) {
      const isBehind = (place: number): boolean => place < Math.max(places.latest(session), heardOf(session));
      const stored = await lastStored(broker, subjectOf(session), isBehind);
      if (stored === null) return undefined;
      const standing = readStanding(stored.header.get(standingHeader), stored.seq);
      if (standing.deleted === undefined) places.note(session, standing);
      return { stored, standing };
    },
    async *from(session, head, { since, limit = Number.POSITIVE_INFINITY, isFresh = false }) {
      const keptMessages = isFresh ? undefined : kept.find(session, head, since);
      if (keptMessages !== undefined) return yield* keptMessages;
      const subject = subjectOf(session);
      const send = async function* (from: number): AsyncGenerator<Message> {
        for await (const batch of batches(broker, { stream: broker.names.log, subject, from, to: head.at })) {
          // A reader may need only the first few: the others are cached for its next page.
          const messages = batch.map((stored) => decodeShort(session, stored));
          for (const [i, stored] of batch.entries()) yield messages[i] ?? (await decode(session, stored));
        }
      };
      const isMany = (remaining: number): boolean => Math.min(remaining, limit) > fewMessages;
      if (since === 0 && isMany(head.messages)) return yield* send(head.generation + 1);
      const range = places.rangeOf(session, head, since + 1);
      let message = await search(range, since + 1, (place) => next(session, place));
      while (message !== undefined && message.standing.generation === head.generation) {
        yield message;
        const { at: place, messages: number } = message.standing;
        if (place >= head.at) return;
        if (isMany(head.messages - number)) return yield* send(place + 1);
        message = await next(session, place + 1);
      }
    },
    note(session, message) {
      places.note(session, message.standing);
      kept.note(session, message);
    },
    forget(session) {
      places.forget(session);
      kept.forget(session);
    },
  };
}

function subjectIn({ names }: Broker, session: string): string {
  return `${names.subjects}.${tokenOf(session)}`;
}

type Lookup = Pick<Messages, 'decode' | 'at'> & {
  /** Undefined when the entries include a long text, which has to be requested. */
  decodeShort(session: string, stored: StoredMessage): Message | undefined;
  /** The first message of the session at this place in the stream or after it. */
  next(session: string, place: number): Promise<Message | undefined>;
};

/** Reads single messages by their position in the stream. */
function createLookup(
  broker: Broker,
  texts: Texts,
  { places, kept }: { places: Places; kept: KeptMessages },
): Lookup {
  const { jsm, names, withRetries } = broker;

  function keep(session: string, { header, seq }: StoredMessage, entries: string): Message {
    const message = {
      standing: readStanding(header.get(standingHeader), seq),
      entries: readEntries(entries),
    };
    places.note(session, message.standing);
    kept.note(session, message);
    return message;
  }

  function decodeShort(session: string, stored: StoredMessage): Message | undefined {
    const text = Buffer.from(stored.data).toString('utf8');
    return text.startsWith(referMark) ? undefined : keep(session, stored, text);
  }

  async function decode(session: string, stored: StoredMessage): Promise<Message> {
    const short = decodeShort(session, stored);
    if (short !== undefined) return short;
    const { generation } = readStanding(stored.header.get(standingHeader), stored.seq);
    const key = Buffer.from(stored.data).toString('utf8').slice(referMark.length);
    return keep(session, stored, await texts.get({ session, generation }, key));
  }

  async function get(session: string, query: MessageQuery): Promise<Message | undefined> {
    const found = await withRetries(() => jsm.streams.getMessage(names.log, query));
    return found === null ? undefined : await decode(session, found);
  }

  return {
    decode,
    decodeShort,
    at: (session, place) => get(session, { seq: place }),
    next: (session, place) => get(session, { seq: place, next_by_subj: subjectIn(broker, session) }),
  };
}

/** Finds the message that has the entry `seq` by a binary search between two places of the stream. */
async function search(
  { low, high }: { low: number; high: number },
  seq: number,
  next: (place: number) => Promise<Message | undefined>,
): Promise<Message | undefined> {
  // The first entry of a session is in the first message after an earlier deletion.
  while (seq > 1 && low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await next(middle);
    if (found === undefined) return undefined;
    if (found.standing.seq >= seq && found.standing.first <= seq) return found;
    if (found.standing.seq < seq) low = found.standing.at + 1;
    else high = middle;
  }
  return await next(low);
}

/**
 * A server that was the leader until now may lack messages that this process has seen, so the last message is requested until none is
 * missing.
 */
async function lastStored(
  { jsm, names, withRetries, clock }: Broker,
  subject: string,
  isBehind: (at: number) => boolean,
): Promise<StoredMessage | null> {
  for (let tries = 1; ; tries++) {
    const stored = await withRetries(() => jsm.streams.getMessage(names.log, { last_by_subj: subject }));
    if (!isBehind(stored?.seq ?? 0) || tries === triesWhenBehind) return stored;
    await clock.rest(restWhenBehindMs);
  }
}

type Range = { stream: string; subject: string; from: number; to: number };

/** A consumer sends the messages in batches; one that the server has lost is made again after the last batch. */
export async function* batches(
  broker: Broker,
  { stream, subject, from, to }: Range,
): AsyncGenerator<StoredMessage[]> {
  const { jsm, withRetries, where } = broker;
  for (let start = from; start <= to; ) {
    const found = await withRetries(() => fetchBatch(broker, { stream, subject, from: start, to }));
    const last = found.at(-1);
    if (last === undefined) {
      const { state } = await withRetries(() => jsm.streams.info(stream));
      if (state.last_seq < start) throw streamGone(where);
      // The session was deleted meanwhile.
      return;
    }
    yield found;
    start = last.seq + 1;
  }
}

async function fetchBatch({ js }: Broker, { stream, subject, from, to }: Range): Promise<StoredMessage[]> {
  const consumer = await js.consumers.get(stream, {
    filter_subjects: subject,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
  });
  const messages: StoredMessage[] = [];
  for await (const { seq, data, headers: header } of await consumer.fetch({
    max_messages: batch,
    expires: 2000,
  })) {
    if (header !== undefined) messages.push({ seq, data, header });
    if (seq >= to) break;
  }
  // The deletion is not awaited: the server removes an unused consumer itself.
  consumer.delete().catch(() => false);
  return messages;
}
