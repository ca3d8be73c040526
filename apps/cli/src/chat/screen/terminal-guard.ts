// Whatever happens, the terminal is left as it was found: also after a crash, and when it is stopped or ended from outside.
import { writeSync } from 'node:fs';
import type { Terminal } from '../../terminal/open-terminal.ts';

const asFound = '\x1b[?2004l\x1b[?2026l\x1b[?25h';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function guardTerminal({ input, fds }: Terminal, onEnd: () => void): Disposable {
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
