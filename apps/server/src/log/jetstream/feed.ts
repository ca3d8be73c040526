// The state of all sessions, in memory: one consumer, started on first use, receives the headers of the last message of each session and
// then of every stored message. Followers of a session are woken by its messages.
import { DeliverPolicy } from '@nats-io/jetstream';
import type { Appender } from './append.ts';
import type { Broker } from './broker.ts';
import { readStanding, type Standing, standingHeader } from './message.ts';
import { unreachable } from './requests.ts';
import { sessionOf } from './texts.ts';

export type Feed = {
  /** All sessions, with every message that was stored before this request. */
  current(): Promise<ReadonlyMap<string, Standing>>;
  /** The session's state in the last message received here; undefined when there was none, or the session was deleted. */
  known(session: string): Standing | undefined;
  /** Calls the listener for every message of the session that is received. Returns how to stop. */
  watch(session: string, listener: () => void): () => void;
  /** Wakes those who watch the session, as a message of it does. */
  wake(session: string): void;
  /** The same for all sessions. */
  watchAll(listener: (session: string, standing: Standing) => void): () => void;
  /** The number of messages not received here yet, as far as known: those this process has stored, or heard of. */
  readonly lag: number;
  /** A message was stored at this place. */
  noteStored(at: number): void;
  close(): void;
};

const retryMs = 250;
const longestWaitMs = 30_000;

export function createFeed(broker: Broker): Feed {
  const { jsm, names, withRetries } = broker;
  const table = createStandingTable();
  const closing = new AbortController();
  const state = { at: 0, end: 0, lag: 0, isStarted: false };

  function take(subject: string, standing: Standing): void {
    state.at = Math.max(state.at, standing.at);
    table.set(sessionOf(subject.slice(names.subjects.length + 1)), standing);
    table.wake(state.at);
  }

  function start(): void {
    if (state.isStarted) return;
    state.isStarted = true;
    void follow(broker, { state, take, signal: closing.signal });
  }

  return {
    async current() {
      start();
      const { state: stream } = await withRetries(() => jsm.streams.info(names.log));
      state.end = Math.max(state.end, stream.last_seq);
      if (state.at < stream.last_seq) await table.reached(stream.last_seq, broker);
      return table.sessions;
    },
    known: (session) => table.sessions.get(session),
    watch(session, listener) {
      start();
      return table.watch(session, listener);
    },
    watchAll(listener) {
      start();
      return table.watchAll(listener);
    },
    wake: table.notify,
    get lag() {
      return state.isStarted ? Math.max(state.lag, state.end - state.at) : 0;
    },
    noteStored(at) {
      state.end = Math.max(state.end, at);
    },
    close: () => closing.abort(),
  };
}

/** This process may hear of its own message before it is told that it is stored. Its writer then knows the entries and need not read them. */
export function watchHeads(
  feed: Feed,
  { running: appendTo }: Pick<Appender, 'running'>,
  listener: (session: string, seq: number) => void,
): () => void {
  let isOver = false;
  const stop = feed.watchAll((session, { seq }) => {
    const running = appendTo(session);
    if (running === undefined) listener(session, seq);
    else void running.then(() => (isOver ? undefined : listener(session, seq)));
  });
  return () => {
    isOver = true;
    stop();
  };
}

type StandingTable = Pick<Feed, 'watch' | 'watchAll'> & {
  readonly sessions: ReadonlyMap<string, Standing>;
  /** Wakes those who watch the session. */
  notify(session: string): void;
  set(session: string, standing: Standing): void;
  /** Ends the waits for messages up to this place in the stream. */
  wake(at: number): void;
  /** Waits until the message at this place was received; fails when it does not come in time. */
  reached(at: number, broker: Broker): Promise<void>;
};

function createStandingTable(): StandingTable {
  const sessions = new Map<string, Standing>();
  const watchers = new Map<string, Set<() => void>>();
  const watchersOfAll = new Set<(session: string, standing: Standing) => void>();
  const pendingReads = new Set<{ at: number; resolve(): void }>();
  function notify(session: string): void {
    for (const listener of watchers.get(session) ?? []) listener();
  }
  return {
    sessions,
    notify,
    set(session, standing) {
      // A consumer that was made again may repeat messages that are in the table already.
      if ((sessions.get(session)?.at ?? -1) >= standing.at) return;
      if (standing.deleted === undefined) sessions.set(session, standing);
      else sessions.delete(session);
      notify(session);
      for (const listener of watchersOfAll) listener(session, standing);
    },
    wake(at) {
      for (const wait of pendingReads) if (wait.at <= at) wait.resolve();
    },
    async reached(at, { clock, where }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const wait = { at, resolve };
      pendingReads.add(wait);
      const stop = clock.after(longestWaitMs, () => reject(unreachable(where, longestWaitMs, false)));
      await promise.finally(() => {
        stop();
        pendingReads.delete(wait);
      });
    },
    watch(session, listener) {
      const listeners = watchers.get(session) ?? new Set();
      watchers.set(session, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) watchers.delete(session);
      };
    },
    watchAll(listener) {
      watchersOfAll.add(listener);
      return () => watchersOfAll.delete(listener);
    },
  };
}

type Following = {
  state: { at: number; lag: number };
  take(subject: string, standing: Standing): void;
  signal: AbortSignal;
};

/** Whatever ends the consumer, the next one starts after the last message that was received. */
async function follow(broker: Broker, { state, take, signal }: Following): Promise<void> {
  const { js, names, clock, isConnected } = broker;
  while (!signal.aborted) {
    try {
      const startOptions =
        state.at === 0
          ? { deliver_policy: DeliverPolicy.LastPerSubject }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: state.at + 1 };
      const consumer = await js.consumers.get(names.log, {
        ...startOptions,
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
      // The server or the stream is away. Requests report that; the consumer is made again.
    }
    if (!signal.aborted) await clock.rest(isConnected() ? retryMs : 2 * retryMs, { ref: false });
  }
}
