// The user's terminal: standard input and error; or the controlling terminal when those are pipes and the caller insists.
import { closeSync, openSync } from 'node:fs';
import { isatty, ReadStream, WriteStream } from 'node:tty';
import { visible } from '@codelab/protocol';
import { type Paint, paintFor } from '../output/paint.ts';

export type Tty = Disposable & {
  input: ReadStream;
  output: WriteStream;
  /** The descriptors, for a child process that takes the terminal over. */
  fds: { input: number; output: number };
  paint: Paint;
  size(): { columns: number; rows: number };
};

type Options = {
  isInsisted: boolean;
  /** Where output goes: standard error, unless the screen is the output itself. */
  output?: 1 | 2;
};

export function openTty({ isInsisted, output: fd = 2 }: Options): Tty | undefined {
  if (isatty(0) && isatty(fd)) {
    const { stdin: input } = process;
    const output = fd === 1 ? process.stdout : process.stderr;
    watchForLoss(input);
    return {
      input,
      output,
      fds: { input: 0, output: fd },
      paint: paintFor(fd),
      size: () => sizeOf(output),
      [Symbol.dispose]: () => input.pause(),
    };
  }
  return isInsisted ? openControllingTerminal() : undefined;
}

function openControllingTerminal(): Tty | undefined {
  try {
    const fd = openSync('/dev/tty', 'r+');
    if (!isatty(fd)) {
      closeSync(fd);
      return undefined;
    }
    const input = new ReadStream(fd);
    const output = new WriteStream(fd);
    watchForLoss(input);
    return {
      input,
      output,
      fds: { input: fd, output: fd },
      paint: paintFor(fd),
      size: () => sizeOf(output),
      [Symbol.dispose]() {
        input.destroy();
        output.destroy();
      },
    };
  } catch {
    return undefined;
  }
}

/** Reading fails with EIO when the terminal is gone, or when the launcher was killed and the shell has it again. Both are a hang-up. */
function watchForLoss(input: ReadStream): void {
  if (!input.listeners('error').includes(hangUp)) input.on('error', hangUp);
}

function hangUp(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') throw error;
  process.kill(process.pid, 'SIGHUP');
}

/**
 * Asks the terminal for its size instead of using the one of the last SIGWINCH: a frame that is erased by an old width leaves rows behind or
 * takes printed ones away. A changed size is reported as `resize` before this returns. Some terminals don't report their size.
 */
function sizeOf(output: WriteStream & { _refreshSize?(): void }): { columns: number; rows: number } {
  output._refreshSize?.();
  const { columns, rows } = output;
  return { columns: columns || 80, rows: rows || 24 };
}

/** A line of text between two prompts. */
export function printNotice({ output, paint }: Tty, text: string): void {
  output.write(`${paint('yellow', `  ${visible(text)}`)}\n`);
}

// At a prompt the terminal reports Ctrl-C as a key, not as a signal.

export class Interrupt extends Error {
  override readonly name = 'Interrupt';
}
