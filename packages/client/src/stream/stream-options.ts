// How a stream is opened, and how it stands.
import type { Fetch } from '../api/requester.ts';
import type { ApiError } from '../api-error.ts';
import type { Backoff } from '../backoff.ts';
import type { TokenSource } from '../token-source.ts';
import type { StreamWire } from './frames.ts';
import type { Transport } from './open-stream.ts';
import type { OpenSocket } from './socket-connection.ts';

export type StreamOptions<W extends StreamWire> = {
  /** Where the gateway is: `http://127.0.0.1:4040`. A page of the gateway itself may leave it out. */
  url?: string;
  session: string;
  wire: W;
  /** `plugin` is heard over `sse` (the usual) or `ndjson`, `neutral` over `websocket` (the usual) or `sse`, the others over sockets. */
  transport?: Transport;
  /** A function is asked again each time the line is opened. */
  token?: TokenSource;
  role?: 'executor' | 'approver' | 'viewer';
  executorId?: string;
  project?: string;
  /** The last entry of the log that is known: all later ones are told. Without it: what waits for a decision, and what comes. */
  since?: number;
  backoff?: Backoff;
  /** How often in a row it tries to come back (default: without end). */
  maxAttempts?: number;
  /** How often the gateway gives a sign of life. */
  beatMs?: number;
  /** What may wait for a reader before the line is let go until it has caught up. */
  bufferedFrames?: number;
  signal?: AbortSignal;
  fetch?: Fetch;
  openSocket?: OpenSocket;
  /** Told of messages that can't be read; the others go on. */
  onUnreadable?: (error: ApiError) => void;
};

export type StreamState =
  | { name: 'idle' }
  | { name: 'connecting' }
  | { name: 'open' }
  | { name: 'waiting'; why: string; retryMs: number }
  | { name: 'closed'; why: string; error: ApiError | undefined };
