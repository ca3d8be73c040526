// One line of text from the user. Undefined when the user leaves with Escape or Ctrl-D.
import { createInterface, type Key } from 'node:readline';
import { Interrupt, type Tty } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

export async function askLine(
  { input, output }: Tty,
  { prompt, signal, text = '' }: { prompt: string; signal: AbortSignal; text?: string },
): Promise<string | undefined> {
  signal.throwIfAborted();
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  const leave = (_text: string | undefined, key: Key): void => {
    if (key.name === 'escape') reader.close();
  };
  input.on('keypress', leave);
  const finished = new AbortController();
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      reader.once('SIGINT', () => reject(new Interrupt()));
      reader.once('close', () => resolve(undefined));
      signal.addEventListener('abort', () => reject(signal.reason), { signal: finished.signal });
      reader.question(prompt, resolve);
      // The user edits this text.
      if (text !== '') reader.write(text);
    });
  } finally {
    finished.abort();
    input.off('keypress', leave);
    reader.close();
    input.pause();
  }
}

/** One of a few keys, shown when it is pressed. Undefined when the user leaves with Escape. */
type Options = { prompt: string; keys: readonly string[]; signal: AbortSignal };

export async function askKey(terminal: Tty, { prompt, keys, signal }: Options): Promise<string | undefined> {
  const { output } = terminal;
  let chosenKey = '';
  try {
    const { key } = await readKeys<{ key?: string }>(terminal, {
      signal,
      ready: () => void output.write(prompt),
      handleKey({ name, sequence = '' }) {
        if (name === 'escape') return {};
        const pressed = sequence.toLowerCase();
        return keys.includes(pressed) ? { key: pressed } : undefined;
      },
    });
    chosenKey = key ?? '';
    return key;
  } finally {
    output.write(`${chosenKey}\n`);
  }
}

/** A line that the terminal does not show, for an API key. Undefined when the user leaves with Escape. */
export async function askSecret(
  terminal: Tty,
  { prompt, signal }: { prompt: string; signal: AbortSignal },
): Promise<string | undefined> {
  const { output } = terminal;
  let typedText = '';
  try {
    const { text } = await readKeys<{ text?: string }>(terminal, {
      signal,
      ready: () => void output.write(prompt),
      handleKey({ name, sequence = '', ctrl }) {
        if (name === 'escape' || (ctrl && name === 'd')) return {};
        if (name === 'return' || name === 'enter') return { text: typedText.trim() };
        if (name === 'backspace') typedText = typedText.slice(0, -1);
        else if (ctrl && name === 'u') typedText = '';
        else if (/^[^\p{C}]+$/u.test(sequence)) typedText += sequence;
        return undefined;
      },
    });
    return text;
  } finally {
    output.write('\n');
  }
}
