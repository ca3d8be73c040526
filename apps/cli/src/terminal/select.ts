// A menu: arrows or a letter choose, Enter confirms. No choice is marked at first, so Enter alone decides nothing.
import '../shared.ts';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { columns, cutToWidth } from '../output/text-width.ts';
import type { Tty } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

export type MenuChoice<T> = { key: string; label: string; hint?: string; value: T };

type Options<T> = {
  choices: readonly MenuChoice<T>[];
  /** A line below the menu, redrawn every second. */
  footer(): string;
  signal: AbortSignal;
};

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';

/** Undefined when the user leaves with Escape. */
export async function select<T>(terminal: Tty, options: Options<T>): Promise<T | undefined> {
  const { choices, footer, signal } = options;
  const { output } = terminal;
  let marked: number | undefined;
  let drawnLines = 0;
  const erase = (): void => {
    if (drawnLines > 0) moveCursor(output, 0, -drawnLines);
    cursorTo(output, 0);
    clearScreenDown(output);
  };
  const draw = (): void => {
    erase();
    const lines = menu(terminal, choices, marked, footer());
    drawnLines = lines.length;
    output.write(`${lines.join('\n')}\n`);
  };
  const timer = setInterval(() => (drawnLines > 0 ? draw() : undefined), 1000);
  output.write(hideCursor);
  try {
    const answer = await readKeys<{ value?: T }>(terminal, {
      signal,
      ready: draw,
      handleKey({ name = '', sequence = '' }) {
        if (name === 'escape') return {};
        if (name === 'return' || name === 'enter') return marked === undefined ? undefined : choices[marked];
        marked = move(choices, marked, name, sequence);
        draw();
        return undefined;
      },
    });
    return answer.value;
  } finally {
    clearInterval(timer);
    erase();
    output.write(showCursor);
  }
}

function move<T>(
  choices: readonly MenuChoice<T>[],
  marked: number | undefined,
  name: string,
  sequence: string,
): number | undefined {
  const last = choices.length - 1;
  if (name === 'down' || name === 'tab') return marked === undefined || marked === last ? 0 : marked + 1;
  if (name === 'up') return marked === undefined || marked === 0 ? last : marked - 1;
  const keyIndex = choices.findIndex((choice) => choice.key === sequence.toLowerCase());
  if (keyIndex >= 0) return keyIndex;
  // Any other key clears the choice: a letter of a typed word must not select an answer.
  return /^\P{C}+$/u.test(sequence) ? undefined : marked;
}

function menu<T>(
  { paint, size }: Tty,
  choices: readonly MenuChoice<T>[],
  marked: number | undefined,
  footer: string,
): string[] {
  const rows = columns(choices.map(({ key, label, hint = '' }) => [`${key}  ${label}`, hint]));
  const width = size().columns - 1;
  return [
    ...rows.map((row, i) => {
      const line = cutToWidth(`${i === marked ? '❯' : ' '} ${row}`, width - 2);
      return `  ${i === marked ? paint(['bold', 'cyan'], line) : line}`;
    }),
    '',
    paint('dim', cutToWidth(`  ${footer}`, width)),
  ];
}
