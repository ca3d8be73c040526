// Sends to one socket and knows how much of it was not taken yet. A peer that does not read is cut off; the log brings it up to date later.
import { WebSocket } from 'ws';

export type Sender = {
  send(message: object): void;
  /** Waits until the peer has read most of what was sent. */
  room(): Promise<void>;
  cut(code: number, reason: string): void;
};

export type SenderLimits = {
  /** What may wait before whoever tells the peer waits as well. */
  highBytes: number;
  maxBytes: number;
  slowMs: number;
};

const compressedFrom = 16 * 1024;
const closeMs = 2000;
export const slowReader = { code: 1013, reason: 'too slow: connect again with ?since=' };

export function createSender(socket: WebSocket, limits: SenderLimits): Sender {
  let waiting: (() => void) | undefined;
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
  return {
    cut,
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return;
      const text = JSON.stringify(message);
      socket.send(text, { compress: text.length >= compressedFrom }, sent);
      if (socket.bufferedAmount > limits.maxBytes) cut(slowReader.code, slowReader.reason);
    },
    async room() {
      if (socket.bufferedAmount <= limits.highBytes || socket.readyState === WebSocket.CLOSED) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = resolve;
      const timer = setTimeout(() => cut(slowReader.code, slowReader.reason), limits.slowMs);
      await promise;
      clearTimeout(timer);
      waiting = undefined;
    },
  };
}
