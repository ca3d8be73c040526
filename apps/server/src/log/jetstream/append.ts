// Appends entries as one message, which the server stores only when the last message of the session is the one that the writer knows.
import { type AppendOptions, type EventBody, type SessionEvent, ToolError } from '@codelab/protocol';
import { headers } from '@nats-io/transport-node';
import { noteChars, type StoredEntry, writeEvent } from '../entries.ts';
import type { Broker } from './broker.ts';
import { chain, type Standing, standingHeader, writeEntries, writeStanding } from './message.ts';
import { type Messages, referMark } from './reading/read-messages.ts';
import { codeOf, wrongLastSequence } from './requests.ts';
import { keyOf, type Texts, tokenOf } from './texts.ts';

/** This process among the gateways, and the sessions it owns. Undefined: it is not a gateway, and appends like any program. */
export type Identity = { node: string | undefined; epochs: Map<string, number> };

/** A node may append when its lease is later than the one in the session. Its append records the lease, which keeps earlier owners out. */
function checkOwner(session: string, { owner }: Standing, { node, epochs }: Identity): void {
  if (node === undefined || owner === undefined || owner.node === '') return;
  const epoch = epochs.get(session) ?? 0;
  if (epoch > owner.epoch || (epoch === owner.epoch && owner.node === node)) return;
  throw new ToolError(
    'STALE',
    `The session ${session} is served by another gateway now. Nothing was recorded; connect again.`,
    { moved: true },
  );
}

/** An append of the owner names it. A new session has no owner yet, because there was nothing to fence. */
function ownerAfter(session: string, { node, epochs }: Identity): Pick<Standing, 'owner'> {
  const epoch = epochs.get(session);
  return node === undefined || epoch === undefined ? {} : { owner: { node, epoch } };
}

export type Appender = {
  append(session: string, bodies: readonly EventBody[], options: AppendOptions): Promise<SessionEvent[]>;
  /** Publishes a message without entries. Undefined when another message was stored first. */
  mark(session: string, before: Standing, after: Standing): Promise<Standing | undefined>;
  forget(session: string): void;
  /** The session's state after the last append of this process; undefined when unknown. */
  known(session: string): Standing | undefined;
  /** Resolves when the append that is running has ended; undefined when none is. It may be stored, and seen by others, before this process is told. */
  running(session: string): Promise<void> | undefined;
  /** Stores the state of a session after a stored message; a message without entries is only a mark. */
  note(session: string, standing: Standing, entries?: StoredEntry[]): void;
  /** The number of appends that were refused because the session had moved on. */
  readonly conflicts: number;
};

type Text = { json: string; chars: number; longTexts: readonly string[] };

const maxKnown = 10_000;

type Parts = {
  messages: Messages;
  reader: { standing(session: string): Promise<Standing> };
  texts: Texts;
  publish: Publish;
  identity: Identity;
};

export function createAppender(broker: Broker, parts: Parts): Appender {
  const standings = createStandings(parts);
  const { known, note, forget } = standings;
  const appends = createRunningAppends();

  async function appendEntries(
    session: string,
    bodies: readonly EventBody[],
    options: AppendOptions,
  ): Promise<SessionEvent[]> {
    const before = await standings.at(session, options.expected);
    if (bodies.length === 0) return [];
    const events = await publishEntries(broker, { ...parts, note }, { session, bodies, before, options });
    if (events !== undefined) return events;
    forget(session);
    // Refused as a conflict when the message that was first has entries, or names another owner; appended when it only marks something.
    return await appendEntries(session, bodies, options);
  }

  return {
    append: (...args) => appends.run(args[0], () => appendEntries(...args)),
    note,
    known,
    running: appends.running,
    forget,
    async mark(session, before, after) {
      forget(session);
      const stored = await parts.publish({ session, payload: '', before, after });
      if (stored !== undefined && stored.deleted === undefined) note(session, stored);
      return stored;
    },
    get conflicts() {
      return standings.conflicts;
    },
  };
}

type RunningAppends = Pick<Appender, 'running'> & {
  run<T>(session: string, work: () => Promise<T>): Promise<T>;
};

function createRunningAppends(): RunningAppends {
  const appends = new Map<string, PromiseWithResolvers<void> & { count: number }>();
  return {
    running: (session) => appends.get(session)?.promise,
    async run(session, work) {
      const running = appends.get(session) ?? { count: 0, ...Promise.withResolvers<void>() };
      appends.set(session, running);
      running.count++;
      try {
        return await work();
      } finally {
        running.count--;
        if (running.count === 0) {
          appends.delete(session);
          running.resolve();
        }
      }
    },
  };
}

type Standings = Pick<Appender, 'known' | 'note' | 'forget' | 'conflicts'> & {
  /** The state of the session, or a conflict when its last entry is not the expected one. */
  at(session: string, expected: number): Promise<Standing>;
};

function createStandings({ messages, reader, identity }: Parts): Standings {
  const afterAppend = new Map<string, Standing>();
  let conflicts = 0;
  return {
    known: (session) => afterAppend.get(session),
    forget: (session) => void afterAppend.delete(session),
    note(session, standing, entries = []) {
      if (afterAppend.size >= maxKnown) afterAppend.delete(afterAppend.keys().next().value ?? '');
      afterAppend.set(session, standing);
      messages.note(session, { standing, entries });
    },
    async at(session, expected) {
      const known = afterAppend.get(session);
      if (known?.seq === expected) return known;
      const stored = await reader.standing(session);
      checkOwner(session, stored, identity);
      if (stored.seq === expected) return stored;
      conflicts++;
      throw new ToolError('LOG_CONFLICT', `The log of ${session} is at ${stored.seq}, not at ${expected}.`);
    },
    get conflicts() {
      return conflicts;
    },
  };
}

type Entries = {
  session: string;
  bodies: readonly EventBody[];
  before: Standing;
  options: AppendOptions;
};

/** Undefined when another message of the session was stored first. */
async function publishEntries(
  { clock, pieceBytes }: Broker,
  { texts, publish, identity, note }: Pick<Parts, 'texts' | 'publish' | 'identity'> & Pick<Appender, 'note'>,
  { session, bodies, before, options }: Entries,
): Promise<SessionEvent[] | undefined> {
  const written = bodies.map(textOf);
  const owner = { session, generation: before.generation };
  // Long texts are stored before the entries that refer to them: a failure in between leaves texts that are removed with the session.
  for (const { longTexts } of written) await Promise.all(longTexts.map((text) => texts.put(owner, text)));
  const [time, jsons] = [options.time ?? clock.time(), written.map(({ json }) => json)];
  const { entries, after } = chain(before, { session, time, bodies, texts: jsons });
  const text = writeEntries(entries);
  const isLong = Buffer.byteLength(text) > pieceBytes;
  const payload = isLong ? `${referMark}${await texts.put(owner, text)}` : text;
  const stored = await publish({
    session,
    payload,
    before,
    after: { ...after, ...ownerAfter(session, identity) },
  });
  if (stored === undefined) return undefined;
  note(session, stored, entries);
  return entries.map(({ seq, hash }, i) => {
    return eventOf({ session, seq, time, hash, body: bodies[i] as EventBody }, written[i]);
  });
}

function eventOf(event: SessionEvent, text: Text | undefined): SessionEvent {
  noteChars(event, text?.chars ?? 0);
  return event;
}

function textOf(body: EventBody): Text {
  const longTexts: string[] = [];
  const json = writeEvent(body, (text) => {
    longTexts.push(text);
    return keyOf(text);
  });
  return { json, chars: longTexts.reduce((sum, text) => sum + text.length, json.length), longTexts };
}

type Publication = { session: string; payload: string; before: Standing; after: Standing };

/** The state of the session afterwards. Undefined when another message was first. */
export type Publish = (publication: Publication) => Promise<Standing | undefined>;

/** `onStored` gets the position of each message. */
export function createPublish(
  { js, names, newId, withRetries }: Broker,
  messages: Messages,
  onStored: (at: number) => void,
): Publish {
  return async ({ session, payload, before, after }) => {
    // No two writers have the same, even where they append the same entries at the same moment.
    const id = newId();
    const header = headers();
    header.set(standingHeader, writeStanding({ ...after, id }));
    const subject = `${names.subjects}.${tokenOf(session)}`;
    const expect = { lastSubjectSequence: before.at };
    const at = await withRetries(async () => {
      try {
        return (await js.publish(subject, payload, { headers: header, msgID: id, expect })).seq;
      } catch (error) {
        if (wrongLastSequence.includes(codeOf(error) ?? 0)) return undefined;
        throw error;
      }
    });
    if (at !== undefined) {
      onStored(at);
      return { ...after, id, at };
    }
    // The answer may have been lost for longer than the server knows repeats: then the last message is this one.
    const found = (await messages.last(session))?.standing;
    return found?.id === id ? found : undefined;
  };
}
