// The terminal a human sits at: standard input and error, or, when it is insisted on and those are pipes, the controlling terminal.
import { closeSync, openSync } from 'node:fs';
import { isatty, ReadStream, WriteStream } from 'node:tty';
import { visible } from '@codelab/protocol';
import { type Paint, paintFor } from '../output/paint.ts';

export type Tty = Disposable & {
  input: ReadStream;
  output: WriteStream;
  /** The descriptors, for a child that takes over for a while. */
  fds: { input: number; output: number };
  paint: Paint;
  size(): { columns: number; rows: number };
};

type Options = {
  isInsisted: boolean;
  /** Where it is written to: standard error, unless the screen is the output itself. */
  output?: 1 | 2;
};

export function openTty({ isInsisted, output: fd = 2 }: Options): Tty | undefined {
  if (isatty(0) && isatty(fd)) {
    const { stdin: input } = process;
    const output = fd === 1 ? process.stdout : process.stderr;
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

/** Some terminals don't tell how large they are. */
function sizeOf({ columns, rows }: WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** A remark between two prompts. */
export function say({ output, paint }: Tty, text: string): void {
  output.write(`${paint('yellow', `  ${visible(text)}`)}\n`);
}

// Ctrl-C at a prompt: the terminal hands it over as a key, not as a signal.

export class Interrupt extends Error {
  override readonly name = 'Interrupt';
}
