// The session log on NATS JetStream: one subject per session in one stream. An append is one message that must follow the last known one,
// and the state of all sessions is kept in memory from the stream itself.
import { type SessionEvent, type SessionLog, type SessionSummary, ToolError } from '@codelab/protocol';
import { keyFolder } from '@codelab/runtime';
import type { ClusterPorts } from '../cluster-ports.ts';
import type { AnchorCheck } from '../seals/compare-anchors.ts';
import type { Verified } from '../seals/proof.ts';
import type { Sealing } from '../seals/sealer.ts';
import { type NatsAuth, readNatsAddress } from './address.ts';
import type { Identity } from './append.ts';
import { type Appender, createAppender, createPublish } from './append.ts';
import { proofs } from './audit-log.ts';
import { type Broker, openBroker } from './broker.ts';
import { createFeed, type Feed, watchHeads } from './feed.ts';
import { emptyStanding, positionAfter, type Standing } from './message.ts';
import { openOwnership } from './ownership.ts';
import { createChangedCalls } from './reading/changed-calls.ts';
import { createMessages, type Messages } from './reading/read-messages.ts';
import { createOwnReads, createReader, type Reader } from './reading/read-session.ts';
import {
  createStreamSealer,
  openSealStream,
  type SealPlace,
  type SealStream,
  type StreamSealer,
} from './seal-stream.ts';
import { openTexts, type Texts, tokenOf } from './texts.ts';

export type JetStreamLog = SessionLog & {
  /** The first damage of one session, or of any, and what seals prove. */
  audit(session?: string): Promise<Verified>;
  anchors(): Promise<AnchorCheck[]>;
  exportLines(sessions: readonly string[], options: { seals: boolean }): AsyncGenerator<string>;
  leave(): Promise<void>;
  /** For a gateway that shares the log with others. */
  cluster(): Promise<ClusterPorts>;
};

const askedLately = 64;
const followedChars = 4 * 1024 * 1024;

type Parts = {
  broker: Broker;
  texts: Texts;
  messages: Messages;
  reader: Reader;
  appender: Appender;
  feed: Feed;
  seals: SealStream;
};

/** `home`: of a process that seals its appends; without it nothing is sealed or verified against seals. */
type Sealed = { home: string; sealing?: Sealing | undefined };

export async function openJetStreamLog(
  words: string,
  auth: NatsAuth = {},
  sealed?: Sealed,
): Promise<JetStreamLog> {
  const address = readNatsAddress(words);
  const broker = await openBroker(address, auth);
  return createJetStreamLog(broker, address, sealed);
}

export function createJetStreamLog(
  broker: Broker,
  { leaseMs }: { leaseMs: number },
  sealed?: Sealed,
): JetStreamLog {
  const texts = openTexts(broker);
  const feed = createFeed(broker);
  const messages = createMessages(broker, texts, (session) => feed.known(session)?.at ?? 0);
  const reader = createReader(messages, texts);
  const publish = createPublish(broker, messages, feed.noteStored);
  const identity: Identity = { node: undefined, epochs: new Map() };
  const appender = createAppender(broker, { messages, reader, texts, publish, identity });
  const seals = openSealStream(broker);
  const parts: Parts = { broker, texts, messages, reader, appender, feed, seals };
  const { read, readKnown } = createOwnReads({ ...parts, identity });
  const place = sealed && sealPlace(broker, sealed);
  const sealer = place && createStreamSealer(parts, place);
  const close = async (isBrief: boolean): Promise<void> => {
    await sealer?.finish({ isBrief });
    feed.close();
    await broker.close();
  };

  return {
    async append(session, bodies, options) {
      const events = await appender.append(session, bodies, options);
      // Listeners in this process read the new events without waiting for the servers' notification.
      feed.wake(session);
      sealer?.noteAppend(bodies);
      return events;
    },
    read,
    subscribe: (session, options) => follow({ ...parts, read: readKnown }, session, options),
    ...questions(parts),
    delete: (session, by) => deleteSession({ ...parts, sealer }, session, by),
    ...proofs(parts, place),
    close: () => close(false),
    leave: () => close(true),
    cluster: () => openOwnership({ ...parts, publish, identity, note: appender.note, leaseMs }),
    watchHeads: (listener) => watchHeads(feed, appender, listener),
    servers: {
      where: broker.where,
      isConnected: broker.isConnected,
      get conflicts() {
        return appender.conflicts;
      },
      get lag() {
        return parts.feed.lag;
      },
    },
  };
}

type Questions = Pick<
  SessionLog,
  'unfinished' | 'changed' | 'position' | 'sessions' | 'asking' | 'withOpenCalls'
>;

function questions({ broker, messages, feed }: Parts): Questions {
  const { jsm, names, withRetries } = broker;
  const changes = createChangedCalls(messages);
  const those = async (isWanted: (standing: Standing) => boolean): Promise<[string, Standing][]> =>
    [...(await feed.current())].filter(([, standing]) => isWanted(standing));
  return {
    async unfinished(workspace) {
      const found = await those((state) => state.workspace === workspace && state.running.length > 0);
      return found.flatMap(([session, { running, seq: head }]) =>
        running.map((callId) => ({ session, callId, head })),
      );
    },
    async changed(workspace, limit, before = Number.MAX_SAFE_INTEGER) {
      const found = await those((state) => state.workspace === workspace);
      return await changes.find(new Map(found), limit, before);
    },
    async position() {
      const { state } = await withRetries(() => jsm.streams.info(names.log));
      return positionAfter(state.last_seq);
    },
    async sessions() {
      const all = [...(await feed.current())].map(([id, standing]) => summary(id, standing));
      return all.sort((a, b) => b.lastAt - a.lastAt || (a.id < b.id ? -1 : 1));
    },
    async asking() {
      return (await those(wasAskedLately)).map(([session]) => session);
    },
    async withOpenCalls() {
      const found = await those((state) => {
        const isWaiting = state.waiting === undefined ? wasAskedLately(state) : state.waiting.length > 0;
        return isWaiting || state.running.length > 0;
      });
      return found.map(([session]) => session);
    },
  };
}

function wasAskedLately({ asked, seq }: Standing): boolean {
  return asked > 0 && asked > seq - askedLately;
}

function summary(id: string, { seq, hash, openedAt, lastAt, workspace }: Standing): SessionSummary {
  return { id, head: { seq, hash }, openedAt, lastAt, workspace };
}

async function* follow(
  { read, feed, broker }: Parts & Pick<Reader, 'read'>,
  session: string,
  { since, signal }: { since: number; signal: AbortSignal },
): AsyncGenerator<SessionEvent> {
  let wake: () => void = () => undefined;
  const woken = (): void => wake();
  const stops = [feed.watch(session, woken), broker.onReconnect(woken)];
  signal.addEventListener('abort', woken, { once: true });
  try {
    for (let last = since; !signal.aborted; ) {
      // Subscribes before it reads, so that no append in between is missed.
      const next = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const events = await read(session, { since: last, maxChars: followedChars });
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
      }
      last = events.at(-1)?.seq ?? last;
      if (events.length === 0 && !signal.aborted) await next;
    }
  } finally {
    signal.removeEventListener('abort', woken);
    for (const stop of stops) stop();
  }
}

/** The message that deletes a session stays, and is the record of who did; the entries before it and the texts are removed. */
async function deleteSession(
  { broker, messages, reader, appender, texts, feed, sealer }: Parts & { sealer: StreamSealer | undefined },
  session: string,
  by?: { who: string; via: string },
): Promise<void> {
  const { jsm, names, withRetries } = broker;
  for (;;) {
    const head = await reader.standing(session);
    if (head.seq === 0) return;
    checkUnused(session, head, await feed.current());
    const { seq, hash, generation } = head;
    await sealer?.bury(session, head, by);
    const after = {
      ...emptyStanding(generation),
      lastAt: broker.clock.time(),
      deleted: { who: '', via: '', ...by, seq, hash },
    };
    const stored = await appender.mark(session, head, after);
    // Another node appended meanwhile, perhaps the start of a call, so the state is read again.
    if (stored === undefined) continue;
    appender.forget(session);
    messages.forget(session);
    const filter = `${names.subjects}.${tokenOf(session)}`;
    await withRetries(() => jsm.streams.purge(names.log, { filter, seq: stored.at }));
    await texts.remove({ session, generation });
    return;
  }
}

function checkUnused(session: string, head: Standing, all: ReadonlyMap<string, Standing>): void {
  if (head.running.length > 0)
    throw new ToolError('STALE', `A call of ${session} is still running. End it first.`);
  for (const [id, { forkedFrom }] of all)
    if (forkedFrom === session)
      throw new ToolError('STALE', `${id} was forked from ${session} and needs it. Delete that one first.`);
}

function sealPlace({ where }: Broker, { home, sealing = {} }: Sealed): SealPlace {
  return { home, where, sealing, keys: sealing.keys ?? keyFolder() };
}
