// Keys and pastes from the terminal while the chat owns it; approvals take the terminal over for a while.
import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import type { Tty } from '../../terminal/open-terminal.ts';

export type Keyboard = { listen(): void; release(): void };
export type KeyHandlers = { onKey(key: Key): void; onPaste(text: string): void; onEnd(): void };

// Turns on bracketed paste and focus reports.
const reportsOn = '\x1b[?2004h\x1b[?1004h';
const reportsOff = '\x1b[?1004l\x1b[?2004l';
// Escape must not feel slow, and a terminal sends a key sequence in one piece.
const escapeMs = 60;
const maxPaste = 1_000_000;
const leftOut = '\n[the rest of the paste was left out: it is too long]';

/** The focus that the terminal reports; undefined for a key. */
export function focusReport({ sequence }: Key): 'in' | 'out' | undefined {
  if (sequence === '\x1b[I') return 'in';
  return sequence === '\x1b[O' ? 'out' : undefined;
}

export function createKeyboard({ input, output }: Tty, { onKey, onPaste, onEnd }: KeyHandlers): Keyboard {
  let pasted: string | undefined;
  let isCut = false;
  const onKeypress = (_text: string | undefined, key: Key): void => {
    if (focusReport(key) !== undefined) return;
    if (key.name === 'paste-start') {
      pasted = '';
      isCut = false;
    } else if (key.name === 'paste-end') {
      const text = (pasted ?? '') + (isCut ? leftOut : '');
      pasted = undefined;
      if (text !== '') onPaste(text);
    } else if (pasted === undefined) onKey(key);
    else if (pasted.length < maxPaste) pasted += key.sequence ?? '';
    else isCut = true;
  };
  // readline only looks at this part of the interface it asks for.
  emitKeypressEvents(input, { escapeCodeTimeout: escapeMs } as unknown as Interface);
  return {
    listen() {
      pasted = undefined;
      input.on('keypress', onKeypress).on('end', onEnd);
      input.setRawMode(true).resume();
      output.write(reportsOn);
    },
    release() {
      input.off('keypress', onKeypress).off('end', onEnd);
      output.write(reportsOff);
      input.setRawMode(false).pause();
    },
  };
}
