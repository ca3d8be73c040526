// The terminal while the chat owns it: prints lines that stay, redraws the frame soon after a change, reads keys. It can be lent
// to an approval or an editor, and suspended to the shell.
import { setTimeout } from 'node:timers/promises';
import type { Tty } from '../../terminal/open-terminal.ts';
import { createKeyboard, type KeyHandlers } from '../input/keyboard.ts';
import { createScreen, noFrame, type ScreenFrame } from './screen.ts';

export type LiveRegion = {
  print(lines: readonly string[]): void;
  /** Redraws soon, together with further changes. */
  refresh(): void;
  clear(): void;
  open(): void;
  close(): void;
  withTerminal(use: () => Promise<void>): Promise<void>;
  stepAside(): Promise<void>;
};

type Options = { terminal: Tty; keys: KeyHandlers; frame(): ScreenFrame };

const drawAfterMs = 12;
const backAfterMs = 50;

export function createLiveRegion({ terminal, keys, frame }: Options): LiveRegion {
  const screen = createScreen(terminal);
  const keyboard = createKeyboard(terminal, keys);
  const { output } = terminal;
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  function draw(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isOpen) screen.draw(frame);
  }
  function refresh(): void {
    timer ??= globalThis.setTimeout(draw, drawAfterMs);
  }
  async function withTerminal(use: () => Promise<void>): Promise<void> {
    screen.suspend();
    keyboard.release();
    try {
      await use();
    } finally {
      if (isOpen) {
        keyboard.listen();
        screen.resume();
        refresh();
      }
    }
  }
  return {
    print: (lines) => screen.print(lines, isOpen ? frame : () => noFrame),
    refresh,
    withTerminal,
    clear: screen.clear,
    open() {
      isOpen = true;
      output.on('resize', draw);
      keyboard.listen();
      draw();
    },
    close() {
      isOpen = false;
      output.off('resize', draw);
      clearTimeout(timer);
      screen.suspend();
      keyboard.release();
    },
    stepAside: () => withTerminal(suspendProcess),
  };
}

/** Stops the process until the shell continues it, or returns where there is no shell. */
async function suspendProcess(): Promise<void> {
  process.kill(process.pid, 'SIGTSTP');
  await setTimeout(backAfterMs);
}
