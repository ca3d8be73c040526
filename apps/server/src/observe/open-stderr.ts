// Writes to stderr without ever waiting for its reader: what a reader that has stopped leaves no room for is dropped. A write that waits in
// a thread, as streams over files do it, would even keep the process from ending.
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

export type LineWriter = {
  write(line: string): void;
  /** Resolves when all was handed over, or after a moment. */
  close(): Promise<void>;
};

const stderr = 2;
const maxWaitingBytes = 1024 * 1024;
const closeMs = 1000;

export function openStderr(): LineWriter {
  const stat = fstatSync(stderr);
  if (stat.isFIFO()) return throughSocket(reopened());
  return stat.isSocket() ? throughSocket(stderr) : { write: writeNow, close: async () => undefined };
}

// A description of its own: whoever else writes to this pipe still waits for its reader, as they expect.
function reopened(): number {
  try {
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return stderr;
  }
}

function throughSocket(fd: number): LineWriter {
  const socket = new Socket({ fd, readable: false, writable: true });
  // Nobody reads it any more; that must not end the gateway.
  socket.on('error', () => undefined);
  socket.unref();
  return {
    write(line) {
      if (socket.writable && socket.writableLength < maxWaitingBytes) socket.write(line);
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeMs);
      if (!socket.writable || socket.writableLength === 0) resolve();
      else socket.write('', () => resolve());
      await promise;
      clearTimeout(timer);
    },
  };
}

function writeNow(line: string): void {
  try {
    writeSync(stderr, line);
  } catch {
    // A full disk or a closed terminal: the line is lost.
  }
}
