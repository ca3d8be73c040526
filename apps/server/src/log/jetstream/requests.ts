// Requests to the NATS servers: each waits a bounded time while no server answers, and is sent again. Classifies failures: those that pass,
// and those that a person has to fix.
import { ToolError } from '@codelab/protocol';
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../clock.ts';
import type { StreamManager } from './streams.ts';

/** Repeats a request until it is answered, refused, or the wait is over. `isFirst`: the streams may not be there yet. */
export type Patiently = <T>(request: () => Promise<T>, options?: { isFirst?: boolean }) => Promise<T>;

const firstRestMs = 50;
const longestRestMs = 1000;

/** `waiting` holds the requests that fail when the connection is lost. */
export type BrokerConnection = { isConnected: boolean; waiting: Set<(error: Error) => void> };

export async function followStatus(
  nc: NatsConnection,
  state: BrokerConnection,
  listeners: ReadonlySet<() => void>,
): Promise<void> {
  for await (const { type } of nc.status()) {
    if (type === 'disconnect') {
      state.isConnected = false;
      for (const fail of state.waiting) fail(new errors.ConnectionError('the connection was lost'));
    }
    if (type !== 'reconnect') continue;
    state.isConnected = true;
    for (const listener of listeners) listener();
  }
}

type PatienceOptions = {
  state: BrokerConnection;
  /** Whether the connection is closed for good. */
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
      // Requests made without a connection would be sent once there is one, even after this has given up.
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
  const { promise: connectionLost, reject } = Promise.withResolvers<never>();
  state.waiting.add(reject);
  try {
    return await Promise.race([request(), connectionLost]);
  } finally {
    state.waiting.delete(reject);
  }
}

async function isGone(jsm: StreamManager, stream: string): Promise<boolean> {
  return await jsm.streams.info(stream).then(() => false, isStreamMissing);
}

export const wrongLastSequence: readonly number[] = [10071, 10164];
const streamMissing = 10059;
/** Insufficient resources, storage resources exceeded, limits of the account, and a store that refused the message. */
const full: readonly number[] = [10023, 10028, 10047, 10077, 10167];
/** The cluster is choosing a leader, has too few servers at the moment, or the stream is offline. */
const passing: readonly number[] = [10005, 10008, 10009, 10076, 10118, 10074];

export function codeOf(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}

function isStreamMissing(error: unknown): boolean {
  return codeOf(error) === streamMissing;
}

/** Whether the same request may succeed a moment later. */
function isPassing(error: unknown): boolean {
  if (error instanceof errors.TimeoutError || error instanceof errors.NoRespondersError) return true;
  if (error instanceof errors.RequestError || isNoResponder(error)) return true;
  if (error instanceof errors.ConnectionError || isStatus(error)) return true;
  const code = codeOf(error);
  if (code === undefined || full.includes(code)) return false;
  return passing.includes(code) || (error instanceof JetStreamApiError && error.status === 503);
}

/** A consumer's status while its server is away or being replaced. */
function isStatus(error: unknown): boolean {
  return error instanceof JetStreamError && !(error instanceof JetStreamApiError) && 'code' in error;
}

/** The failure of a publish that no stream accepts. */
function isNoResponder(error: unknown): boolean {
  return error instanceof Error && error.message === 'jetstream is not enabled';
}

export function natsFault(error: unknown, address: string): unknown {
  if (error instanceof ToolError) return error;
  const code = codeOf(error);
  if (isStreamMissing(error)) return streamGone(address);
  if (code !== undefined && full.includes(code))
    return new ToolError(
      'NO_SPACE',
      `The session log at ${address} accepts no more entries: ${textOf(error)}. Give it space or a larger limit; nothing was recorded.`,
    );
  if (isSignIn(error)) return signInRefused(address);
  return new ToolError('IO_ERROR', `The session log at ${address} can't be used: ${textOf(error)}.`);
}

/** `isDoubtful`: a request was sent, and whether it was carried out is not known. */
export function unreachable(address: string, waitedMs: number, isDoubtful: boolean): ToolError {
  const known = isDoubtful ? 'Whether the last entry was recorded is not known' : 'Nothing was recorded';
  return new ToolError(
    'IO_ERROR',
    `The session log at ${address} did not answer for ${Math.round(waitedMs / 1000)} s. ${known}. Start the NATS server again; the gateway continues automatically.`,
    { unreachable: true, ...(isDoubtful && { doubtful: true }) },
  );
}

export function streamGone(address: string): ToolError {
  return new ToolError(
    'LOG_DAMAGED',
    `The stream of the session log at ${address} is gone. Restore it from a backup and the gateway continues, or restart the gateway to start an empty log.`,
  );
}

export function isSignIn(error: unknown): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

export function signInRefused(address: string): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    `The NATS server at ${address} refused the sign-in. Check --nats-creds, or the user and password of the address.`,
  );
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
