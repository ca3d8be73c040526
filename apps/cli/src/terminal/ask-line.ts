// One line of text from the human. Undefined when it was left with Escape or Ctrl-D.
import { createInterface, type Key } from 'node:readline';
import { Interrupt } from './interrupt.ts';
import type { Terminal } from './open-terminal.ts';

export async function askLine(
  { input, output }: Terminal,
  { prompt, signal }: { prompt: string; signal: AbortSignal },
): Promise<string | undefined> {
  signal.throwIfAborted();
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  const leave = (_text: string | undefined, key: Key): void => {
    if (key.name === 'escape') reader.close();
  };
  input.on('keypress', leave);
  const done = new AbortController();
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      reader.once('SIGINT', () => reject(new Interrupt()));
      reader.once('close', () => resolve(undefined));
      signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
      reader.question(prompt, resolve);
    });
  } finally {
    done.abort();
    input.off('keypress', leave);
    reader.close();
    input.pause();
  }
}
