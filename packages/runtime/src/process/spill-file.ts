// A file that takes in more than memory should hold. It is written beside the reading, in large blocks; when the disk can't keep up,
// whoever reads is asked to wait.
import { closeSync, mkdirSync, openSync, write } from 'node:fs';
import { dirname } from 'node:path';
import { pruneOutput } from './prune-output.ts';

export type SpillFile = {
  /** Copies the bytes. False when nothing more should come until `onDrain` is called. */
  push(bytes: Buffer): boolean;
  /** Writes out what is left and closes the file. */
  end(): Promise<void>;
};

type Options = { path: string; onDrain(): void; onError(error: unknown): void };

const blockBytes = 512 * 1024;
const mostWaiting = 4;

export function openSpillFile({ path, onDrain, onError }: Options): SpillFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  pruneOutput(dirname(path));
  const fd = openSync(path, 'wx', 0o600);
  const spares: Buffer[] = [];
  const writing = new Set<Promise<void>>();
  let block: Buffer = Buffer.allocUnsafeSlow(blockBytes);
  let filled = 0;
  let position = 0;

  function flush(): void {
    if (filled === 0) return;
    const full = block;
    const work = writeAll(fd, full.subarray(0, filled), position)
      .catch(onError)
      .then(() => {
        spares.push(full);
        writing.delete(work);
        if (writing.size === mostWaiting - 1) onDrain();
      });
    writing.add(work);
    position += filled;
    filled = 0;
    block = spares.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const copied = bytes.copy(block, filled, at);
        filled += copied;
        at += copied;
        if (filled === blockBytes) flush();
      }
      return writing.size < mostWaiting;
    },
    async end() {
      flush();
      await Promise.all(writing);
      closeSync(fd);
    },
  };
}

function writeAll(fd: number, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, position, (error, written) => {
      if (error !== null) reject(error);
      else if (written === bytes.length) resolve();
      else writeAll(fd, bytes.subarray(written), position + written).then(resolve, reject);
    });
  });
}
