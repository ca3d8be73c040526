// Appends entries as one message, which the server stores only after the message that the writer knew as the last of its session.
import { type AppendOptions, type EventBody, type SessionEvent, ToolError } from '@codelab/protocol';
import { noteChars, writeEvent } from '../entries.ts';
import type { Broker } from './broker.ts';
import { chain, type Standing, writeEntries } from './message.ts';
import { checkOwner, type Identity, ownerAfter } from './ownership.ts';
import type { Publish } from './publish.ts';
import { type Messages, referMark } from './read-messages.ts';
import type { Reader } from './read-session.ts';
import { keyOf, type Texts } from './texts.ts';

export type Appender = {
  append(session: string, bodies: readonly EventBody[], options: AppendOptions): Promise<SessionEvent[]>;
  /** Publishes a message without entries. Undefined when another one was first. */
  mark(session: string, before: Standing, after: Standing): Promise<Standing | undefined>;
  forget(session: string): void;
  /** Where it stood after the last append of this process; undefined when that is not known. */
  known(session: string): Standing | undefined;
  /** Where a session was seen to stand. */
  note(session: string, standing: Standing): void;
  readonly conflicts: number;
};

type Text = { json: string; chars: number; kept: readonly string[] };

const maxKnown = 10_000;

type Parts = {
  messages: Messages;
  reader: Reader;
  texts: Texts;
  publish: Publish;
  identity: Identity;
};

export function createAppender(broker: Broker, parts: Parts): Appender {
  const { messages, reader, texts, publish, identity } = parts;
  /** Where sessions stood when this process last appended. */
  const known = new Map<string, Standing>();
  const counts = { conflicts: 0 };

  function note(session: string, standing: Standing): void {
    if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
    known.set(session, standing);
    messages.note(session, standing);
  }

  async function standingAt(session: string, expected: number): Promise<Standing> {
    const own = known.get(session);
    if (own?.seq === expected) return own;
    const found = await reader.standing(session);
    checkOwner(session, found, identity);
    if (found.seq === expected) return found;
    counts.conflicts++;
    throw new ToolError('LOG_CONFLICT', `The log of ${session} is at ${found.seq}, not at ${expected}.`);
  }

  async function append(
    session: string,
    bodies: readonly EventBody[],
    options: AppendOptions,
  ): Promise<SessionEvent[]> {
    const before = await standingAt(session, options.expected);
    if (bodies.length === 0) return [];
    const written = bodies.map(textOf);
    const owner = { session, generation: before.generation };
    // Before the entries that refer to them: a failure in between leaves texts that go with the session.
    for (const { kept } of written) await Promise.all(kept.map((text) => texts.put(owner, text)));
    const [time, jsons] = [options.time ?? broker.clock.time(), written.map(({ json }) => json)];
    const { entries, after } = chain(before, { session, time, bodies, texts: jsons });
    const appended = { ...after, ...ownerAfter(session, identity) };
    const text = writeEntries(entries);
    const isLong = Buffer.byteLength(text) > broker.pieceBytes;
    const payload = isLong ? `${referMark}${await texts.put(owner, text)}` : text;
    const stored = await publish({ session, payload, before, after: appended });
    if (stored === undefined) {
      known.delete(session);
      // Refused again when it was another entry; a message without entries is no conflict, unless it is another owner's.
      return await append(session, bodies, options);
    }
    note(session, stored);
    return entries.map(({ seq, hash }, i) => {
      return eventOf({ session, seq, time, hash, body: bodies[i] as EventBody }, written[i]);
    });
  }

  return {
    append,
    note,
    known: (session) => known.get(session),
    async mark(session, before, after) {
      known.delete(session);
      const stored = await publish({ session, payload: '', before, after });
      if (stored !== undefined && stored.deleted === undefined) note(session, stored);
      return stored;
    },
    forget: (session) => void known.delete(session),
    get conflicts() {
      return counts.conflicts;
    },
  };
}

function eventOf(event: SessionEvent, text: Text | undefined): SessionEvent {
  noteChars(event, text?.chars ?? 0);
  return event;
}

function textOf(body: EventBody): Text {
  const kept: string[] = [];
  const json = writeEvent(body, (text) => {
    kept.push(text);
    return keyOf(text);
  });
  return { json, chars: kept.reduce((sum, text) => sum + text.length, json.length), kept };
}
