// Writes to the terminal without an alternate screen: finished lines scroll up, and the frame below them is redrawn in place. The screen
// does not know what the lines mean.

import { writeSync } from 'node:fs';
import { displayWidth } from '../../output/text-width.ts';
import type { Tty } from '../../terminal/open-terminal.ts';

export type ScreenFrame = { lines: readonly string[]; cursor: { row: number; column: number } };

export type Screen = {
  /** Prints lines that stay, and the frame below them. */
  print(lines: readonly string[], frame: () => ScreenFrame): void;
  draw(frame: () => ScreenFrame): void;
  /** Removes the frame and holds output back until `resume`: something else uses the terminal. */
  suspend(): void;
  resume(): void;
  /** Clears the window; the scrollback stays. */
  clear(): void;
};

export const noFrame: ScreenFrame = { lines: [], cursor: { row: 0, column: 0 } };
// Terminals that know synchronized output show the new frame at once; others ignore it.
const begin = '\x1b[?2026h\x1b[?25l';
const end = '\x1b[?25h\x1b[?2026l';
// From the second column on: tmux moves a screen that is cleared from its first cell into the scrollback, where the frame would stay.
const clearBelow = '\r\x1b[K\x1b[C\x1b[J\r';

export function createScreen({ output, size }: Pick<Tty, 'output' | 'size'>): Screen {
  let drawnFrame = noFrame;
  let isSuspended = false;
  let heldBack: string[] = [];
  const show = (lines: readonly string[], frameNow: () => ScreenFrame): void => {
    // Looking at the size may draw a frame of the new size, so it comes before everything else.
    const { columns } = size();
    const frame = frameNow();
    if (lines.length === 0 && isSame(frame, drawnFrame)) return;
    const above = lines.map((line) => `${line}\r\n`).join('');
    output.write(begin + erasing(drawnFrame, columns) + above + drawing(frame) + end);
    drawnFrame = frame;
  };
  return {
    print(lines, frame) {
      if (lines.length === 0) return;
      if (isSuspended) heldBack.push(...lines);
      else show(lines, frame);
    },
    draw(frame) {
      if (!isSuspended) show([], frame);
    },
    suspend() {
      if (isSuspended) return;
      show([], () => noFrame);
      isSuspended = true;
    },
    resume() {
      isSuspended = false;
      const lines = heldBack;
      heldBack = [];
      show(lines, () => noFrame);
    },
    clear() {
      output.write('\x1b[H\x1b[2J');
      drawnFrame = noFrame;
    },
  };
}

/** A terminal that became narrower has wrapped the frame's lines again, so its rows are counted at the present width. */
function erasing({ lines, cursor }: ScreenFrame, columns: number): string {
  if (lines.length === 0) return '';
  const above = lines
    .slice(0, cursor.row)
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
  const up = above + Math.floor(cursor.column / columns);
  return `${up > 0 ? `\x1b[${up}A` : ''}${clearBelow}`;
}

function drawing({ lines, cursor }: ScreenFrame): string {
  if (lines.length === 0) return '';
  const up = lines.length - 1 - cursor.row;
  const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
  return `${lines.join('\r\n')}${up > 0 ? `\x1b[${up}A` : ''}\r${right}`;
}

function isSame(a: ScreenFrame, other: ScreenFrame): boolean {
  return (
    a.cursor.row === other.cursor.row &&
    a.cursor.column === other.cursor.column &&
    a.lines.length === other.lines.length &&
    a.lines.every((line, i) => line === other.lines[i])
  );
}

/** Restores the terminal in every case: also after a crash, and when the process is stopped or ended from outside. */
const asFound = '\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?25h';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function guardTerminal({ input, fds }: Tty, onEnd: () => void): Disposable {
  const restore = (): void => {
    try {
      input.setRawMode(false);
      writeSync(fds.output, asFound);
    } catch {
      // The terminal is gone.
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
