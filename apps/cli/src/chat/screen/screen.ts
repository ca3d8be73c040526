// Writes to the terminal without an alternate screen: finished lines go up into the scrollback, below them a frame is drawn over and
// over. Knows nothing of what the lines mean.

import { writeSync } from 'node:fs';
import { displayWidth } from '../../output/text-width.ts';
import type { Tty } from '../../terminal/open-terminal.ts';

export type ScreenFrame = { lines: readonly string[]; cursor: { row: number; column: number } };

export type Screen = {
  /** Lines that stay. */
  print(lines: readonly string[]): void;
  draw(frame: ScreenFrame): void;
  /** Takes the frame away and keeps what is printed until it comes back: somebody else has the terminal. */
  suspend(): void;
  resume(): void;
  /** Clears the window; the scrollback stays. */
  clear(): void;
};

const nothing: ScreenFrame = { lines: [], cursor: { row: 0, column: 0 } };
// Terminals that know these show the new frame all at once; the others ignore them.
const begin = '\x1b[?2026h\x1b[?25l';
const end = '\x1b[?25h\x1b[?2026l';

export function createScreen({ output, size }: Pick<Tty, 'output' | 'size'>): Screen {
  let drawn = nothing;
  let isSuspended = false;
  let kept: string[] = [];
  const show = (lines: readonly string[], frame: ScreenFrame): void => {
    const above = lines.map((line) => `${line}\r\n`).join('');
    output.write(begin + erasing(drawn, size().columns) + above + drawing(frame) + end);
    drawn = frame;
  };
  return {
    print(lines) {
      if (lines.length === 0) return;
      if (isSuspended) kept.push(...lines);
      else show(lines, drawn);
    },
    draw(frame) {
      if (!isSuspended && !isSame(frame, drawn)) show([], frame);
    },
    suspend() {
      if (isSuspended) return;
      show([], nothing);
      isSuspended = true;
    },
    resume() {
      isSuspended = false;
      const lines = kept;
      kept = [];
      show(lines, nothing);
    },
    clear() {
      output.write('\x1b[H\x1b[2J');
      drawn = nothing;
    },
  };
}

/** A terminal that was made narrower since has broken the frame's lines anew: counted as they stand now. */
function erasing({ lines, cursor }: ScreenFrame, columns: number): string {
  if (lines.length === 0) return '';
  const above = lines
    .slice(0, cursor.row)
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
  const up = above + Math.floor(cursor.column / columns);
  return `${up > 0 ? `\x1b[${up}A` : ''}\r\x1b[J`;
}

function drawing({ lines, cursor }: ScreenFrame): string {
  if (lines.length === 0) return '';
  const up = lines.length - 1 - cursor.row;
  const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
  return `${lines.join('\r\n')}${up > 0 ? `\x1b[${up}A` : ''}\r${right}`;
}

function isSame(one: ScreenFrame, other: ScreenFrame): boolean {
  return (
    one.cursor.row === other.cursor.row &&
    one.cursor.column === other.cursor.column &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, i) => line === other.lines[i])
  );
}

/** Whatever happens, the terminal is left as it was found: also after a crash, and when it is stopped or ended from outside. */
const asFound = '\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?25h';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function guardTerminal({ input, fds }: Tty, onEnd: () => void): Disposable {
  const restore = (): void => {
    try {
      input.setRawMode(false);
      writeSync(fds.output, asFound);
    } catch {
      // It is gone.
    }
  };
  process.on('exit', restore);
  for (const name of signals) process.on(name, onEnd);
  return {
    [Symbol.dispose]() {
      process.off('exit', restore);
      for (const name of signals) process.off(name, onEnd);
      restore();
    },
  };
}
