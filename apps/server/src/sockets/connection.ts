// One peer at one socket, with all that its messages need.
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
  /** What the socket writes to. */
  stream: Duplex;
  gateway: Gateway;
  session: SharedSession;
  peer: Peer;
  role: SocketRole;
  /** Undefined: from now on, with what waits for a decision. */
  since: number | undefined;
  speech: SocketSpelling;
  /** As whom it carries calls out, in that role. */
  executor: Executor | undefined;
  /** Where the log stood when it came. */
  head: number;
  limits: SocketLimits;
  onFault(error: unknown): void;
};

export type SocketConnection = SocketPeer & { sender: Sender; encoder: SocketEncoder; runningCalls: number };

/** Looks up a call that this connection has not heard of, so that its end is spelled as it was asked: it may have begun on an earlier one. */
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
