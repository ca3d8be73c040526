// Where all sessions stand, kept in memory: first the last message of each, then every one that comes, by one consumer that sends headers
// only. It is made from the stream at the first use and never asked twice; who follows a session is woken by it.
import { DeliverPolicy } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import { unreachable } from './faults.ts';
import { readStanding, type Standing, standingHeader } from './message.ts';
import { sessionOf } from './texts.ts';

export type Feed = {
  /** All sessions there are, as of now or later. */
  current(): Promise<ReadonlyMap<string, Standing>>;
  /** As far as it is known here; undefined: not there, or not heard of yet. */
  known(session: string): Standing | undefined;
  /** Called for every message of a session that becomes known. Returns how to stop. */
  watch(session: string, listener: () => void): () => void;
  /** The same for all sessions. */
  watchAll(listener: (session: string, standing: Standing) => void): () => void;
  /** How many messages of the stream are not known here yet. */
  readonly lag: number;
  close(): void;
};

const retryMs = 250;
const longestWaitMs = 30_000;

export function createFeed(broker: Broker): Feed {
  const { jsm, names, patiently } = broker;
  const sessions = new Map<string, Standing>();
  const watchers = new Map<string, Set<() => void>>();
  const all = new Set<(session: string, standing: Standing) => void>();
  const waiting: Waiting = new Set();
  const closing = new AbortController();
  const state = { at: 0, lag: 0, isStarted: false };

  function take(subject: string, standing: Standing): void {
    const session = sessionOf(subject.slice(names.subjects.length + 1));
    if (standing.at > state.at) state.at = standing.at;
    const before = sessions.get(session);
    // After a consumer was made again it may send what is known.
    if (before === undefined || before.at < standing.at) {
      if (standing.deleted === undefined) sessions.set(session, standing);
      else sessions.delete(session);
      for (const listener of watchers.get(session) ?? []) listener();
      for (const listener of all) listener(session, standing);
    }
    for (const one of waiting) if (one.at <= state.at) one.resolve();
  }

  function start(): void {
    if (state.isStarted) return;
    state.isStarted = true;
    void follow(broker, { state, take, signal: closing.signal });
  }

  return {
    async current() {
      start();
      const { state: now } = await patiently(() => jsm.streams.info(names.log));
      if (state.at < now.last_seq) await reached(waiting, now.last_seq, broker);
      return sessions;
    },
    known: (session) => sessions.get(session),
    watch(session, listener) {
      start();
      const own = watchers.get(session) ?? new Set();
      watchers.set(session, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0) watchers.delete(session);
      };
    },
    watchAll(listener) {
      start();
      all.add(listener);
      return () => all.delete(listener);
    },
    get lag() {
      return state.lag;
    },
    close: () => closing.abort(),
  };
}

type Waiting = Set<{ at: number; resolve(): void }>;

async function reached(waiting: Waiting, at: number, { clock, where }: Broker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const one = { at, resolve };
  waiting.add(one);
  const stop = clock.after(longestWaitMs, () => reject(unreachable(where, longestWaitMs, false)));
  await promise.finally(() => {
    stop();
    waiting.delete(one);
  });
}

type Following = {
  state: { at: number; lag: number };
  take(subject: string, standing: Standing): void;
  signal: AbortSignal;
};

/** Whatever ends the consumer, another one goes on after the last message that was seen. */
async function follow(broker: Broker, { state, take, signal }: Following): Promise<void> {
  const { js, names, clock, isConnected } = broker;
  while (!signal.aborted) {
    try {
      const where =
        state.at === 0
          ? { deliver_policy: DeliverPolicy.LastPerSubject }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: state.at + 1 };
      const consumer = await js.consumers.get(names.log, {
        ...where,
        filter_subjects: `${names.subjects}.*`,
        headers_only: true,
      });
      const messages = await consumer.consume({ max_messages: 2000, idle_heartbeat: 2000, expires: 10_000 });
      const stop = (): void => messages.stop();
      signal.addEventListener('abort', stop, { once: true });
      for await (const { subject, seq, headers, info } of messages) {
        state.lag = info.pending;
        const header = headers?.get(standingHeader);
        if (header) take(subject, readStanding(header, seq));
      }
      signal.removeEventListener('abort', stop);
    } catch {
      // The server is away, or the stream is; requests say so, this one tries again.
    }
    if (!signal.aborted) await clock.rest(isConnected() ? retryMs : 2 * retryMs, { ref: false });
  }
}
