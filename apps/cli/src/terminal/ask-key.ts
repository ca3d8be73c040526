// One of a few keys, shown as it is pressed. Undefined when it was left with Escape.
import type { Terminal } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

type Options = { prompt: string; keys: readonly string[]; signal: AbortSignal };

export async function askKey(
  terminal: Terminal,
  { prompt, keys, signal }: Options,
): Promise<string | undefined> {
  const { output } = terminal;
  let chosen = '';
  try {
    const { key } = await readKeys<{ key?: string }>(terminal, {
      signal,
      ready: () => void output.write(prompt),
      heed({ name, sequence = '' }) {
        if (name === 'escape') return {};
        const pressed = sequence.toLowerCase();
        return keys.includes(pressed) ? { key: pressed } : undefined;
      },
    });
    chosen = key ?? '';
    return key;
  } finally {
    output.write(`${chosen}\n`);
  }
}
