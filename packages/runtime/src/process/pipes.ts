// Real pipes between a command and this process. Node's own are sockets, which `>/dev/stderr` can't open, and slower; these are
// named pipes in a private folder, used again once everybody has let go of them, and read into one buffer each.
import { execFile } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomId } from '../platform/digest.ts';

export type Pipe = {
  /** The end for the command; to be closed here once the command has it. */
  writer: number;
  /** When nobody holds the other end any more. */
  ended: Promise<void>;
  /** Goes on reading after `onBytes` wanted to wait. */
  resume(): void;
  /** Stops reading, whoever still writes. */
  close(): void;
};

export type Pipes = {
  /** `onBytes` must copy what it keeps; it says false to wait until `resume`. */
  open(onBytes: (bytes: Buffer) => boolean): Promise<Pipe>;
};

type Spare = { path: string; buffer: Buffer };

const bufferBytes = 64 * 1024;

export function createPipes(folder: string): Pipes {
  const spares: Spare[] = [];

  async function make(): Promise<Spare> {
    const spare = spares.pop();
    if (spare !== undefined) return spare;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const paths = ['out', 'err'].map((end) => join(folder, `${randomId().slice(0, 12)}.${end}`));
    // Not looked for where the workspace could have a program of that name.
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths], { env: { PATH: '/usr/bin:/bin' } });
    const [first = '', second = ''] = paths;
    spares.push({ path: second, buffer: Buffer.allocUnsafeSlow(bufferBytes) });
    return { path: first, buffer: Buffer.allocUnsafeSlow(bufferBytes) };
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
  // In this order neither has to wait for the other.
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
