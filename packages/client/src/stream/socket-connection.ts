// A WebSocket of the platform, browser or Node, with a watchdog: it sends a ping when nothing arrives, and ends without an answer.
import { ApiError } from '../api-error.ts';
import { type ConnectionEnd, type ConnectionEvents, connectionLost, silentHeartbeats } from './connection.ts';
import { isObject, readFrame } from './read-frame.ts';

type SocketEvent = { data?: unknown; code?: number; reason?: string };

/** The used part of a WebSocket; the platform's own, or `ws`. */
export type SocketLike = {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: SocketEvent) => void,
  ): void;
};

/** `init` only where a socket can carry headers, which a browser's cannot. */
export type OpenSocket = (url: string, init?: { headers: Record<string, string> }) => SocketLike;

export type SocketConnectionOptions = ConnectionEvents & {
  open(): SocketLike;
  beatMs: number;
  signal: AbortSignal;
  /** Why the gateway refuses the connection: the socket itself does not report it. */
  explain(): Promise<ConnectionEnd>;
};

const connectMs = 20_000;

export function socketConnection(options: SocketConnectionOptions): Promise<ConnectionEnd> {
  const { signal, beatMs } = options;
  const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
  const socket = options.open();
  let heardAt = Date.now();
  let isOpen = false;
  let hasEnded = false;
  const end = (ending: ConnectionEnd | Promise<ConnectionEnd>): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
    socket.close();
    resolve(ending);
  };
  const stop = (): void => end(connectionLost('closed here'));
  // Often enough to ping and to be answered before the connection counts as dead.
  const watch = setInterval(() => {
    const silent = Date.now() - heardAt;
    if (!isOpen && silent > connectMs) end(connectionLost('no answer'));
    if (isOpen && silent > beatMs * silentHeartbeats) end(connectionLost('no more data arrived'));
    else if (isOpen && silent >= beatMs) socket.send('{"type":"ping"}');
  }, beatMs / 2);
  signal.addEventListener('abort', stop);
  socket.addEventListener('open', () => {
    isOpen = true;
    heardAt = Date.now();
    if (!hasEnded) options.onOpen((text) => socket.send(text));
  });
  socket.addEventListener('message', ({ data }) => {
    heardAt = Date.now();
    if (!hasEnded) receive(data, options);
  });
  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', ({ code = 1006, reason = '' }) =>
    end(isOpen ? endOf(code, reason) : options.explain()),
  );
  if (signal.aborted) stop();
  return promise;
}

function receive(data: unknown, { onFrame: onTold, onUnreadable }: ConnectionEvents): void {
  try {
    const frame = readFrame(typeof data === 'string' ? data : '');
    onTold({ frame, seq: seqOf(frame) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    onUnreadable(error);
  }
}

/** In the neutral wire the number is in the entry itself. */
function seqOf({ type, seq, event }: Record<string, unknown>): number | undefined {
  const entrySeq = type === 'event' && isObject(event) ? event.seq : seq;
  return typeof entrySeq === 'number' ? entrySeq : undefined;
}

function endOf(code: number, reason: string): ConnectionEnd {
  if (code === 1000) return { kind: 'over', why: reason || 'The session is over.' };
  if (code !== 1008) return connectionLost(reason || `closed with ${code}`);
  const texts: Record<string, string> = {
    TOKEN_EXPIRED: 'The token has expired. Connect again with a new one.',
    RATE_LIMITED: 'Too many messages were sent, so the gateway closed the line.',
  };
  const message = texts[reason] ?? 'The gateway closed the line: it does not allow this.';
  return {
    kind: 'refused',
    error: new ApiError({ status: 403, code: reason || 'PERMISSION_DENIED', message }),
  };
}
