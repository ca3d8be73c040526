// One peer at one socket, with all that its messages need.
import type { Duplex } from 'node:stream';
import type { Executor } from '@codelab/protocol';
import type { WebSocket } from 'ws';
import type { Gateway, Peer, SharedSession } from '../sessions/gateway.ts';
import type { SocketLimits } from './limits.ts';
import type { Role, Speech } from './read-address.ts';
import type { Sender } from './sender.ts';
import type { Scribe } from './write-heard.ts';

export type Served = {
  socket: WebSocket;
  /** What the socket writes to. */
  stream: Duplex;
  gateway: Gateway;
  session: SharedSession;
  peer: Peer;
  role: Role;
  /** Undefined: from now on, with what waits for a decision. */
  since: number | undefined;
  speech: Speech;
  /** As whom it carries calls out, in that role. */
  executor: Executor | undefined;
  /** Where the log stood when it came. */
  head: number;
  limits: SocketLimits;
  onFault(error: unknown): void;
};

export type Line = Served & { sender: Sender; scribe: Scribe; callsUnderWay: number };
