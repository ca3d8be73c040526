// A line that is not shown while it is typed or pasted: a key. Undefined when it was left with Escape.
import type { Terminal } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

export async function askSecret(
  terminal: Terminal,
  { prompt, signal }: { prompt: string; signal: AbortSignal },
): Promise<string | undefined> {
  const { output } = terminal;
  let typed = '';
  try {
    const { text } = await readKeys<{ text?: string }>(terminal, {
      signal,
      ready: () => void output.write(prompt),
      heed({ name, sequence = '', ctrl }) {
        if (name === 'escape' || (ctrl && name === 'd')) return {};
        if (name === 'return' || name === 'enter') return { text: typed.trim() };
        if (name === 'backspace') typed = typed.slice(0, -1);
        else if (ctrl && name === 'u') typed = '';
        else if (/^[^\p{C}]+$/u.test(sequence)) typed += sequence;
        return undefined;
      },
    });
    return text;
  } finally {
    output.write('\n');
  }
}
