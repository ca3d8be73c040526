// Requests wait, for a bounded time, while no server answers, and are sent again; whoever waits is told when the connection is lost.
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../clock.ts';
import { isPassing, isStreamMissing, natsFault, streamGone, unreachable } from './faults.ts';
import type { StreamManager } from './streams.ts';

/** Repeats a request until it is answered, refused, or the wait is over. `isFirst`: the streams may not be there yet. */
export type Patiently = <T>(request: () => Promise<T>, options?: { isFirst?: boolean }) => Promise<T>;

const firstRestMs = 50;
const longestRestMs = 1000;

/** Whoever waits for an answer is told when the connection it would come by is lost. */
export type BrokerConnection = { isConnected: boolean; waiting: Set<(error: Error) => void> };

export async function followStatus(
  nc: NatsConnection,
  state: BrokerConnection,
  listeners: ReadonlySet<() => void>,
): Promise<void> {
  for await (const { type } of nc.status()) {
    if (type === 'disconnect') {
      state.isConnected = false;
      for (const tell of state.waiting) tell(new errors.ConnectionError('the connection was lost'));
    }
    if (type !== 'reconnect') continue;
    state.isConnected = true;
    for (const listener of listeners) listener();
  }
}

type PatienceOptions = {
  state: BrokerConnection;
  /** Nothing more is to be expected of it. */
  isClosed(): boolean;
  jsm: StreamManager;
  /** The stream without which there is nothing to wait for. */
  stream: string;
  where: string;
  waitMs: number;
  clock: Clock;
};

export function createPatience(options: PatienceOptions): Patiently {
  const { state, isClosed, jsm, stream, where, waitMs, clock } = options;
  return async (request, { isFirst = false } = {}) => {
    const start = clock.now();
    let isDoubtful = false;
    for (let restMs = firstRestMs; ; restMs = Math.min(2 * restMs, longestRestMs)) {
      // What is handed over while there is no connection would be sent whenever there is one, also after this has given up.
      if (state.isConnected) {
        try {
          return await whileConnected(state, request);
        } catch (error) {
          if (!isPassing(error)) throw natsFault(error, where);
          if (!isFirst && (await isGone(jsm, stream))) throw streamGone(where);
          isDoubtful = true;
        }
      }
      if (isClosed()) throw natsFault(new Error('the connection is closed'), where);
      const waited = clock.now() - start;
      if (waited > waitMs) throw unreachable(where, waited, isDoubtful);
      await clock.rest(Math.min(restMs, waitMs - waited + 1));
    }
  };
}

async function whileConnected<T>(state: BrokerConnection, request: () => Promise<T>): Promise<T> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  state.waiting.add(reject);
  try {
    return await Promise.race([request(), lost]);
  } finally {
    state.waiting.delete(reject);
  }
}

async function isGone(jsm: StreamManager, stream: string): Promise<boolean> {
  return await jsm.streams.info(stream).then(() => false, isStreamMissing);
}
