// One peer at one socket, with the state for handling its messages.
import type { Duplex } from 'node:stream';
import type { SocketEncoder } from '@codelab/dialects';
import type { Executor } from '@codelab/protocol';
import type { WebSocket } from 'ws';
import type { Gateway, Peer, SharedSession } from '../sessions/gateway.ts';
import type { SocketLimits } from './limits.ts';
import type { Sender } from './sender.ts';
import type { SocketRole, SocketSpelling } from './socket-address.ts';

export type SocketPeer = {
  socket: WebSocket;
  /** The stream below the socket. */
  stream: Duplex;
  gateway: Gateway;
  session: SharedSession;
  peer: Peer;
  role: SocketRole;
  /** Undefined: from now on, with all pending approvals. */
  since: number | undefined;
  speech: SocketSpelling;
  /** The executor that runs calls over this connection, in that role. */
  executor: Executor | undefined;
  /** The end of the log at the time of the connection. */
  head: number;
  limits: SocketLimits;
  onFault(error: unknown): void;
};

export type SocketConnection = SocketPeer & { sender: Sender; encoder: SocketEncoder; runningCalls: number };

/**
 * Looks up a call that this connection has not seen, so that its outcome has the spelling of its request: it may have begun on an earlier
 * connection.
 */
export async function recallCall(
  { session, since, encoder }: SocketConnection,
  callId: string,
): Promise<void> {
  if (encoder.calls.has(callId)) return;
  const live = await session.host.session(session.id);
  const received = await live.received(callId);
  if (received === undefined) return;
  // A client that names its last entry has already received everything before it.
  encoder.calls.know(received.call, since !== undefined && received.seq <= since);
}
