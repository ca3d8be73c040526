// Sends to one socket, what one turn brings in one piece, and knows how much of it was not taken yet. A peer that does not read is cut off; the log brings it up to date later.
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

export type Sender = {
  send(message: object): void;
  /** Resolves once the peer has read most of a long backlog; undefined while there is none. */
  room(): Promise<void> | undefined;
  cut(code: number, reason: string): void;
};

export type SenderLimits = {
  /** How much may be queued before senders have to wait. */
  highBytes: number;
  maxBytes: number;
  slowMs: number;
};

const compressedFrom = 16 * 1024;
const closeMs = 2000;
export const slowReader = { code: 1013, reason: 'too slow: connect again with ?since=' };

/** `stream` is the stream below the socket. */
export function createSender(socket: WebSocket, stream: Duplex, limits: SenderLimits): Sender {
  let waiting: (() => void) | undefined;
  let isGathering = false;
  // A separate write for every message costs the system more than the message costs us.
  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  }
  const sent = (): void => {
    if (socket.bufferedAmount <= limits.highBytes) waiting?.();
  };
  socket.once('close', () => waiting?.());
  function cut(code: number, reason: string): void {
    socket.close(code, reason);
    // The word of farewell waits behind all that was not read; then the line is closed without it.
    setTimeout(() => socket.terminate(), closeMs).unref();
    waiting?.();
  }
  async function emptied(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = resolve;
    const timer = setTimeout(() => cut(slowReader.code, slowReader.reason), limits.slowMs);
    await promise;
    clearTimeout(timer);
    waiting = undefined;
  }
  return {
    cut,
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return;
      const text = JSON.stringify(message);
      gather();
      socket.send(text, { compress: text.length >= compressedFrom }, sent);
      if (socket.bufferedAmount > limits.maxBytes) cut(slowReader.code, slowReader.reason);
    },
    room() {
      const isFull = socket.bufferedAmount > limits.highBytes && socket.readyState !== WebSocket.CLOSED;
      return isFull ? emptied() : undefined;
    },
  };
}
