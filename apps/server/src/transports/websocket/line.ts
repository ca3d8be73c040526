// One peer at one socket, with all that its messages need.
import type { WebSocket } from 'ws';
import type { Gateway, Peer, SharedSession } from '../../gateway/gateway.ts';
import type { SocketLimits } from './limits.ts';
import type { Role } from './read-address.ts';
import type { Sender } from './sender.ts';
import type { Scribe } from './write-heard.ts';

export type Served = {
  socket: WebSocket;
  gateway: Gateway;
  session: SharedSession;
  peer: Peer;
  role: Role;
  /** Undefined: from now on, with what waits for a decision. */
  since: number | undefined;
  dialect: string;
  limits: SocketLimits;
  onFault(error: unknown): void;
};

export type Line = Served & { sender: Sender; scribe: Scribe; callsUnderWay: number };
