// One connection to a session over the chosen wire: its address, its credentials, and its transport.
import { approvalRoutes, pathOf, pluginRoutes, sessionRoutes, socketPath } from '@codelab/api';
import type { Fetch } from '../api/requester.ts';
import { ApiError } from '../api-error.ts';
import {
  type ConnectionEnd,
  type ConnectionEvents,
  connectionLost,
  type ReceivedFrame,
  refusalOf,
} from './connection.ts';
import type { StreamFrame, StreamWire } from './frames.ts';
import { isObject, readFrame } from './read-frame.ts';
import { type OpenSocket, type SocketLike, socketConnection } from './socket-connection.ts';

export type Transport = 'websocket' | 'sse' | 'ndjson';

export type Target = {
  /** Address of the gateway: `http://127.0.0.1:4040`. */
  url: string;
  session: string;
  wire: StreamWire;
  transport: Transport;
  token?: string | undefined;
  role?: 'executor' | 'approver' | 'viewer' | undefined;
  /** The persistent name of an executor, so that its calls are not given to another one. */
  executorId?: string | undefined;
  project?: string | undefined;
  fetch: Fetch;
  openSocket?: OpenSocket | undefined;
  beatMs: number;
  check?: FrameCheck | undefined;
};

/** Why a message can't be used; undefined when it can. */
export type FrameCheck = (frame: StreamFrame) => ApiError | undefined;

type Opening = ConnectionEvents & { since: number | undefined; signal: AbortSignal };

export async function openStream(target: Target, requestedOpening: Opening): Promise<ConnectionEnd> {
  const opening = { ...requestedOpening, ...checkedEvents(requestedOpening, target.check) };
  if (target.transport === 'websocket')
    return await socketConnection({
      ...opening,
      beatMs: target.beatMs,
      open: () => openSocket(target, opening.since),
      explain: () => explain(target, opening.signal),
    });
  // A page that uses sockets need not load the reader of event streams.
  const { eventStreamConnection } = await import('./event-stream.ts');
  return await eventStreamConnection({
    ...opening,
    fetch: target.fetch,
    url: `${trimmed(target.url)}${streamPath(target)}${queryOf(target, opening.since)}`,
    headers: { ...credentials(target), accept: acceptOf(target.transport) },
    framing: target.transport,
    beatMs: target.beatMs,
    ...(target.wire === 'neutral' && { read: neutralFrame }),
  });
}

/** The number of the log's last entry; undefined when the session does not exist yet, or the gateway does not say. */
export async function lastSequence(
  { url, session, fetch, ...target }: Target,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const address = `${trimmed(url)}${pathOf(sessionRoutes.get, { id: session })}`;
    const response = await fetch(address, { headers: credentials(target), signal });
    const body: unknown = await response.json();
    return response.ok && isObject(body) && typeof body.last_seq === 'number' ? body.last_seq : undefined;
  } catch {
    return undefined;
  }
}

/** In Node a socket carries its token in a header. A browser's socket cannot: there the token is in the address. */
function openSocket(target: Target, since: number | undefined): SocketLike {
  const { session, token, openSocket: open = platformSocket } = target;
  const base = trimmed(target.url).replace(/^http/i, 'ws');
  const inHeader = isNode();
  const query = queryOf(target, since, inHeader ? undefined : token);
  const address = `${base}${socketPath(session)}${query}`;
  return inHeader && token !== undefined ? open(address, { headers: credentials(target) }) : open(address);
}

const platformSocket: OpenSocket = (url, init) => {
  const Socket = WebSocket as unknown as new (url: string, init?: object) => SocketLike;
  return init === undefined ? new Socket(url) : new Socket(url, init);
};

function queryOf(
  { wire, transport, role, executorId }: Target,
  since: number | undefined,
  token?: string,
): string {
  const isSocket = transport === 'websocket';
  const pairs: [string, string | undefined][] = [
    ['dialect', isSocket ? wire : undefined],
    ['role', role],
    ['executor_id', isSocket ? executorId : undefined],
    ['since', since === undefined ? undefined : String(since)],
    ['token', token],
  ];
  const present = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
}

function streamPath({ wire, session, project = 'default' }: Target): string {
  return wire === 'plugin'
    ? pathOf(pluginRoutes.chatEvents, { pid: project, sid: session })
    : pathOf(sessionRoutes.events, { id: session });
}

/** An invalid message is reported as unreadable. */
function checkedEvents(
  { onFrame, onUnreadable }: ConnectionEvents,
  check: FrameCheck = () => undefined,
): Pick<ConnectionEvents, 'onFrame'> {
  return {
    onFrame(received) {
      const problem = check(received.frame);
      if (problem === undefined) onFrame(received);
      else onUnreadable(problem);
    },
  };
}

/** As server-sent events the neutral log names each event by its body; over a socket all of them are `event`. */
function neutralFrame({
  type,
  id,
  data,
}: {
  type: string | undefined;
  id: string | undefined;
  data: string;
}): ReceivedFrame {
  const frame = readFrame(data, type ?? 'event');
  const event = frame as Record<string, unknown>;
  if (id !== undefined) {
    const { type: _added, ...entry } = event;
    return { frame: { type: 'event', event: entry }, seq: Number(id) };
  }
  return { frame: type === 'signal' ? { type, signal: event } : frame, seq: undefined };
}

/** Asks over HTTP for the reason that a refused socket does not give; of several gateways, the one that serves the session answers. */
async function explain(target: Target, signal: AbortSignal): Promise<ConnectionEnd> {
  const address = `${trimmed(target.url)}${pathOf(approvalRoutes.pendingIn, { id: target.session })}`;
  try {
    const clock = AbortSignal.timeout(20_000);
    const headers = credentials(target);
    const response = await target.fetch(address, { headers, signal: AbortSignal.any([signal, clock]) });
    const isFine = response.ok || response.status === 404;
    return isFine ? { kind: 'lost', why: refusedSocket } : await refusalOf(response);
  } catch {
    return connectionLost('The gateway can’t be reached.');
  }
}

const refusedSocket = 'The gateway refuses the socket.';

/** A gateway that responds but refuses everyone does so for good: another role or wire is needed. */
export function refusedAfter(ending: ConnectionEnd, times: number): ConnectionEnd {
  if (ending.kind !== 'lost' || ending.why !== refusedSocket || times < 5) return ending;
  const message = 'The gateway answers but refuses this socket. Look at its address, `role` and `wire`.';
  return { kind: 'refused', error: new ApiError({ status: 400, code: 'INVALID_ARGUMENTS', message }) };
}

function credentials({ token }: Pick<Target, 'token'>): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function acceptOf(transport: Transport): string {
  return transport === 'ndjson' ? 'application/x-ndjson' : 'text/event-stream';
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

// Whether this runs in Node, where a socket can carry headers.

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}
