// Reads a session's messages off the stream: the last one, or all from an entry on, found by a search instead of going through those before.
import { DeliverPolicy } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import { streamGone } from './faults.ts';
import { readEntries, readStanding, type Standing, type StoredEntry, standingHeader } from './message.ts';
import { createPlaces } from './places.ts';
import type { MessageQuery, StoredMessage } from './streams.ts';
import { type Texts, tokenOf } from './texts.ts';

export type Message = { standing: Standing; entries: StoredEntry[] };
/** What a message says of its session, before its entries are read. */
export type LastMessage = { standing: Standing; stored: StoredMessage };

export type Messages = {
  /** As the leader of the stream knows it; undefined where there is none. It may say that the session was deleted. */
  last(session: string): Promise<LastMessage | undefined>;
  decode(session: string, stored: StoredMessage): Promise<Message>;
  /** The message that stands at this place in the stream. */
  at(session: string, place: number): Promise<Message | undefined>;
  /** Those that have the entries after `since`, up to this standing. */
  from(session: string, head: Standing, since: number): AsyncGenerator<Message>;
  /** Every message that becomes known makes the next search shorter. */
  note(session: string, standing: Standing): void;
  forget(session: string): void;
};

/** One by one up to here; beyond, a consumer sends them. */
const fewMessages = 8;
const batch = 256;
/** In all longer than a server takes to notice that it is not the leader any more. A log that was restored from a backup is taken as it is after that. */
const triesWhenBehind = 100;
const restWhenBehindMs = 100;
/** A message whose entries are too long for one is kept as a text, and refers to it. */
export const referMark = '@';

/** `heardOf`: the last message of a session that the feed told of. */
export function createMessages(broker: Broker, texts: Texts, heardOf: (session: string) => number): Messages {
  const { jsm, names, patiently } = broker;
  const places = createPlaces();
  const subjectOf = (session: string): string => `${names.subjects}.${tokenOf(session)}`;

  async function decode(session: string, { header, seq, data }: StoredMessage): Promise<Message> {
    const standing = readStanding(header.get(standingHeader), seq);
    const text = Buffer.from(data).toString('utf8');
    const whole = text.startsWith(referMark)
      ? await texts.get({ session, ...standing }, text.slice(1))
      : text;
    places.note(session, standing);
    return { standing, entries: readEntries(whole) };
  }

  async function get(session: string, query: MessageQuery): Promise<Message | undefined> {
    const found = await patiently(() => jsm.streams.getMessage(names.log, query));
    return found === null ? undefined : await decode(session, found);
  }
  const next = (session: string, seq: number): Promise<Message | undefined> =>
    get(session, { seq, next_by_subj: subjectOf(session) });

  /** The message that has this entry: a binary search between the places that are known. */
  async function search(session: string, head: Standing, seq: number): Promise<Message | undefined> {
    let { low, high } = places.around(session, head, seq);
    // The first one of a session is simply the first after whatever was deleted before it.
    while (seq > 1 && low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await next(session, middle);
      if (found === undefined) return undefined;
      if (found.standing.seq >= seq && found.standing.first <= seq) return found;
      if (found.standing.seq < seq) low = found.standing.at + 1;
      else high = middle;
    }
    return await next(session, low);
  }

  return {
    decode,
    at: (session, place) => get(session, { seq: place }),
    async last(session) {
      const isBehind = (at: number): boolean => at < Math.max(places.latest(session), heardOf(session));
      const stored = await lastStored(broker, subjectOf(session), isBehind);
      if (stored === null) return undefined;
      const standing = readStanding(stored.header.get(standingHeader), stored.seq);
      if (standing.deleted === undefined) places.note(session, standing);
      return { stored, standing };
    },
    async *from(session, head, since) {
      let message = await search(session, head, since + 1);
      for (let n = 0; message !== undefined && message.standing.generation === head.generation; n++) {
        yield message;
        const { at, messages: number } = message.standing;
        if (at >= head.at) return;
        if (n >= fewMessages && head.messages - number > fewMessages) {
          const wanted = { subject: subjectOf(session), from: at + 1, to: head.at };
          yield* sent(broker, wanted, (stored) => decode(session, stored));
          return;
        }
        message = await next(session, at + 1);
      }
    },
    note: places.note,
    forget: places.forget,
  };
}

/** A server that was the leader until now may not know yet what was seen here before: the last message is asked for until it does. */
async function lastStored(
  { jsm, names, patiently, clock }: Broker,
  subject: string,
  isBehind: (at: number) => boolean,
): Promise<StoredMessage | null> {
  for (let tries = 1; ; tries++) {
    const stored = await patiently(() => jsm.streams.getMessage(names.log, { last_by_subj: subject }));
    if (!isBehind(stored?.seq ?? 0) || tries === triesWhenBehind) return stored;
    await clock.rest(restWhenBehindMs);
  }
}

type Wanted = { subject: string; from: number; to: number };

/** By a consumer, in batches; one that the server has lost is made again where it was. */
async function* sent(
  broker: Broker,
  { subject, from, to }: Wanted,
  decode: (stored: StoredMessage) => Promise<Message>,
): AsyncGenerator<Message> {
  const { jsm, names, patiently, where } = broker;
  for (let start = from; start <= to; ) {
    const found = await patiently(() => fetchBatch(broker, { subject, from: start, to }));
    const last = found.at(-1);
    if (last === undefined) {
      const { state } = await patiently(() => jsm.streams.info(names.log));
      if (state.last_seq < start) throw streamGone(where);
      // The session was deleted meanwhile.
      return;
    }
    for (const one of found) yield await decode(one);
    start = last.seq + 1;
  }
}

async function fetchBatch({ js, names }: Broker, { subject, from, to }: Wanted): Promise<StoredMessage[]> {
  const consumer = await js.consumers.get(names.log, {
    filter_subjects: subject,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
  });
  const got: StoredMessage[] = [];
  for await (const { seq, data, headers: header } of await consumer.fetch({
    max_messages: batch,
    expires: 2000,
  })) {
    if (header !== undefined) got.push({ seq, data, header });
    if (seq >= to) break;
  }
  await consumer.delete().catch(() => false);
  return got;
}
