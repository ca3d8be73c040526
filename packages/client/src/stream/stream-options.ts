// The options of a stream, and its states.
import type { Fetch } from '../api/requester.ts';
import type { ApiError } from '../api-error.ts';
import type { Backoff } from '../backoff.ts';
import type { TokenSource } from '../token-source.ts';
import type { StreamWire } from './frames.ts';
import type { Transport } from './open-stream.ts';
import type { OpenSocket } from './socket-connection.ts';

export type StreamOptions<W extends StreamWire> = {
  /** Address of the gateway: `http://127.0.0.1:4040`. A page of the gateway itself may leave it out. */
  url?: string;
  session: string;
  wire: W;
  /** `plugin` uses `sse` (default) or `ndjson`, `neutral` uses `websocket` (default) or `sse`, the others use sockets. */
  transport?: Transport;
  /** A function is called each time the connection is opened. */
  token?: TokenSource;
  role?: 'executor' | 'approver' | 'viewer';
  executorId?: string;
  project?: string;
  /** The last known entry of the log: all later ones are delivered. Without it: pending approvals, and new messages. */
  since?: number;
  backoff?: Backoff;
  /** The number of reconnects in a row (default: without limit). */
  maxAttempts?: number;
  /** The interval of the gateway's heartbeats. */
  beatMs?: number;
  /** How many messages may wait for a reader before the connection is closed until the reader has caught up. */
  bufferedFrames?: number;
  signal?: AbortSignal;
  fetch?: Fetch;
  openSocket?: OpenSocket;
  /** Called with messages that cannot be read; the others are delivered. */
  onUnreadable?: (error: ApiError) => void;
};

export type StreamState =
  | { name: 'idle' }
  | { name: 'connecting' }
  | { name: 'open' }
  | { name: 'waiting'; why: string; retryMs: number }
  | { name: 'closed'; why: string; error: ApiError | undefined };

/** The transports of each wire. */
export const transports: Record<StreamWire, readonly Transport[]> = {
  agent: ['websocket'],
  codelab: ['websocket'],
  neutral: ['websocket', 'sse'],
  plugin: ['sse', 'ndjson'],
};
