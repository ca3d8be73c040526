// Real pipes between a command and this process. Node's pipes are sockets, which `>/dev/stderr` cannot open, and slower. These are named
// pipes in a private folder, reused once nobody holds them, and read into one buffer each.
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureFolder } from '../platform/database-lock.ts';
import { randomId } from '../platform/digest.ts';

export type Pipe = {
  /** The command's end; close it here once the command has it. */
  writer: number;
  /** Settles when no process holds the writing end any more. */
  ended: Promise<void>;
  /** Continues reading after `onBytes` returned false. */
  resume(): void;
  /** Stops reading, even if a process still writes. */
  close(): void;
};

export type Pipes = {
  /** `onBytes` must copy what it keeps; it returns false to pause until `resume`. */
  open(onBytes: (bytes: Buffer) => boolean): Promise<Pipe>;
};

type Spare = { path: string; buffer: Buffer };
const bufferBytes = 64 * 1024;

export function createPipes(folder: string): Pipes {
  const spares: Spare[] = [];
  async function make(): Promise<Spare> {
    const spare = spares.pop();
    if (spare !== undefined) return spare;
    ensureFolder(folder);
    const paths = ['out', 'err'].map((end) => join(folder, `${randomId().slice(0, 12)}.${end}`));
    // A fixed PATH, so that a program of the workspace is never run as mkfifo.
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths], { env: { PATH: '/usr/bin:/bin' } });
    spares.push(...paths.map((path) => ({ path, buffer: Buffer.allocUnsafeSlow(bufferBytes) })));
    return await make();
  }

  return {
    async open(onBytes) {
      const spare = await make();
      return connect(spare, onBytes, (isFree) => {
        if (isFree) spares.push(spare);
        else rmSync(spare.path, { force: true });
      });
    },
  };
}

function connect(
  { path, buffer }: Spare,
  onBytes: (bytes: Buffer) => boolean,
  onClosed: (isFree: boolean) => void,
): Pipe {
  // Opened in this order, neither end blocks.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openWriter(path, reader);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let isEnded = false;
  const callback = (size: number): boolean => onBytes(buffer.subarray(0, size));
  const socket = new Socket({ fd: reader, readable: true, writable: false, onread: { buffer, callback } });
  const end = (): void => {
    isEnded = true;
    resolve();
  };
  socket.on('end', end).on('error', () => resolve());
  socket.on('close', () => {
    resolve();
    onClosed(isEnded);
  });
  socket.resume();
  return { writer, ended, resume: () => void socket.resume(), close: () => void socket.destroy() };
}

function openWriter(path: string, reader: number): number {
  try {
    return openSync(path, constants.O_WRONLY);
  } catch (error) {
    closeSync(reader);
    throw error;
  }
}

export function closeWriters(pipes: readonly Pipe[]): void {
  for (const { writer } of pipes) closeSync(writer);
}
