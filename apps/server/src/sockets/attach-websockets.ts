// Sockets of the gateway: name, origin, token and session are checked before a socket is accepted.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { maxMessageBytes } from '@codelab/dialects';
import { type Executor, resourceLimit, ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { WebSocketServer } from 'ws';
import { SessionElsewhere } from '../cluster/cluster.ts';
import { type Auth, checkOneHost, secretProtocol } from '../edge/auth/create-auth.ts';
import { forwardUpgrade, refuseSecondHop, unreachableNode } from '../edge/forward.ts';
import { httpStatus } from '../edge/http-errors.ts';
import type { Gateway, Peer, SharedSession } from '../sessions/gateway.ts';
import type { SocketPeer } from './connection.ts';
import { type SocketLimits, socketLimits } from './limits.ts';
import { servePeer } from './serve-peer.ts';
import { type Address, readSocketAddress, type SocketRole } from './socket-address.ts';

export type SocketOptions = {
  server: Server;
  gateway: Gateway;
  auth: Auth;
  limits?: Partial<SocketLimits>;
  onFault?(error: unknown): void;
};

export type Sockets = { readonly count: number; close(): void };

// A message a little over the limit gets an answer; one far over it ends the line while it still comes in.
const maxPayload = maxMessageBytes + 4 * 1024 * 1024;

/** How long a client has to confirm the end of its socket. */
const closeMs = 1000;

export function attachWebSockets(options: SocketOptions): Sockets {
  const limits = { ...socketLimits, ...options.limits };
  const onFault = options.onFault ?? (() => undefined);
  const wss = createSocketServer();
  const beat = keepAlive(wss, limits);
  const connections = new Set<Duplex>();
  let isClosing = false;
  options.server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
    line.on('error', () => line.destroy());
    // A disconnected client reconnects immediately, while the server still listens. The server can't close upgraded connections, so one
    // more would keep it from ending.
    if (isClosing) return void line.destroy();
    connections.add(line);
    line.once('close', () => connections.delete(line));
    const known: { peer?: Peer } = {};
    admit({ request, known, isFull: wss.clients.size >= limits.sockets }, options)
      .then((admitted) => {
        wss.handleUpgrade(request, line, head, (socket) =>
          servePeer({ ...admitted, socket, stream: line, gateway: options.gateway, limits, onFault }),
        );
      })
      .catch((error: unknown) =>
        handOn(error, { request, line, head, hop: vouched(options.auth, known, request) }),
      )
      .catch((error: unknown) => turnAway(line, error, onFault));
  });
  return {
    get count() {
      return wss.clients.size;
    },
    close() {
      isClosing = true;
      clearInterval(beat);
      for (const socket of wss.clients) socket.close(1001, 'The gateway stops; connect again later.');
      setTimeout(() => {
        for (const connection of connections) connection.destroy();
      }, closeMs).unref();
    },
  };
}

function createSocketServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    maxPayload,
    clientTracking: true,
    // The other protocols that a page offers contain its secret, and are not echoed.
    handleProtocols: (offered) =>
      [...offered].find((protocol) => !protocol.startsWith(secretProtocol)) ?? false,
    perMessageDeflate: {
      threshold: 16 * 1024,
      concurrencyLimit: 4,
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
    },
  });
}

type Admitted = Pick<SocketPeer, 'session' | 'peer' | 'role' | 'since' | 'speech' | 'executor' | 'head'>;

/** `known` receives the requester, in case another gateway serves the session. */
type Asking = { request: IncomingMessage; known: { peer?: Peer }; isFull: boolean };

async function admit(
  { request, known, isFull }: Asking,
  { gateway, auth }: SocketOptions,
): Promise<Admitted> {
  const { headers, method, url = '/' } = request;
  checkOneHost(request);
  auth.checkOrigin(headers);
  const address = request.socket.remoteAddress ?? '';
  const peer: Peer = await auth.admit({ headers, method, url, address, takesQueryToken: true }, 'websocket');
  known.peer = peer;
  const where = readSocketAddress(url);
  if (where === undefined) throw new ToolError('INVALID_ARGUMENTS', 'Sockets are at /ws/{session_id}.');
  const { speech, since } = where;
  const isListener = speech === 'neutral' || where.role === 'viewer';
  if (!isListener) {
    refusePage(peer);
    await auth.checkProcess?.(request.socket);
  }
  if (isFull) throw new ToolError('RATE_LIMITED', 'Too many sockets are open.');
  // A peer without a session names one that begins with new_; the first message has the real name.
  const id = where.session.startsWith('new_') ? randomId() : where.session;
  const isForClient = where.role === 'executor' || !gateway.hasFiles;
  const client = isForClient && speech !== 'neutral' ? { client: speech } : {};
  const isTool = isListener && (await isToolPeer(auth, request));
  // Making a session is a change, which a tool may not ask for, and a page has to prove.
  const mustExist = isTool || peer.page !== undefined;
  const session = await gateway.session(id, peer, { ...client, mustExist });
  const role = isTool ? 'viewer' : roleIn(session, where);
  const executor = role === 'executor' ? executorFor(peer, where) : undefined;
  const head = await session.head();
  return { session, peer, role, since, speech, executor, head };
}

/** Such a peer may listen, but its presence continues no turn. */
async function isToolPeer(auth: Auth, { socket }: IncomingMessage): Promise<boolean> {
  try {
    await auth.checkProcess?.(socket);
    return false;
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}

function roleIn({ client }: SharedSession, { role, speech }: Address): SocketRole {
  if (role === 'executor' && client === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'The files of this session are the gateway’s, which carries the calls out itself: connect with role=approver, or open a new session.',
      { field: 'role' },
    );
  return role ?? (client !== undefined && speech !== 'neutral' ? 'executor' : 'approver');
}

/** Each change by a signed-in page needs a proof, which a socket's messages do not have. */
function refusePage({ page }: Peer): void {
  if (page === undefined) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    'A page’s socket only listens: connect with dialect=neutral or role=viewer, and take part over HTTP.',
  );
}

function executorFor({ subject }: Peer, { executorId }: Address): Executor {
  return { id: executorId ?? randomId(), who: subject, isNamed: executorId !== undefined };
}

function vouched(auth: Auth, { peer }: { peer?: Peer }, request: IncomingMessage): string {
  return (peer && auth.vouch?.(peer, { method: request.method, url: request.url })) ?? '-';
}

/** Forwards the socket to the gateway that has the session. */
async function handOn(
  error: unknown,
  peer: { request: IncomingMessage; line: Duplex; head: Buffer; hop: string },
): Promise<void> {
  if (!(error instanceof SessionElsewhere)) throw error;
  refuseSecondHop(peer.request);
  await forwardUpgrade(error, peer).catch(() => Promise.reject(unreachableNode()));
}

function turnAway(line: Duplex, error: unknown, onFault: (error: unknown) => void): void {
  const toolError = error instanceof ToolError ? error : resourceLimit(error);
  if (toolError === undefined) onFault(error);
  const status = toolError === undefined ? 500 : httpStatus(toolError);
  const { code, message } = toolError ?? {
    code: 'INTERNAL',
    message: 'Something went wrong in the gateway.',
  };
  const body = JSON.stringify({ error: { code, message } });
  line.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

/** One timer for all: a client that does not answer in time is disconnected, whatever the state of its connection. */
function keepAlive(wss: WebSocketServer, { heartbeatMs, answerMs }: SocketLimits): NodeJS.Timeout {
  return setInterval(() => {
    // A paused connection, whose input queue is full, can't deliver its answer.
    const silent = new Set([...wss.clients].filter(({ isPaused }) => !isPaused));
    for (const socket of silent) {
      socket.once('pong', () => silent.delete(socket));
      socket.ping();
    }
    setTimeout(() => {
      for (const socket of silent) if (!socket.isPaused) socket.terminate();
    }, answerMs).unref();
  }, heartbeatMs).unref();
}
