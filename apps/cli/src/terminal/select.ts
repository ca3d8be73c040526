// A menu: arrows or a letter choose, Enter confirms. No choice is selected at first, so Enter alone decides nothing.
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
  let chosen: number | undefined;
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) moveCursor(output, 0, -drawn);
    cursorTo(output, 0);
    clearScreenDown(output);
  };
  const draw = (): void => {
    erase();
    const lines = menu(terminal, choices, chosen, footer());
    drawn = lines.length;
    output.write(`${lines.join('\n')}\n`);
  };
  const timer = setInterval(() => (drawn > 0 ? draw() : undefined), 1000);
  output.write(hideCursor);
  try {
    const answer = await readKeys<{ value?: T }>(terminal, {
      signal,
      ready: draw,
      heed({ name = '', sequence = '' }) {
        if (name === 'escape') return {};
        if (name === 'return' || name === 'enter') return chosen === undefined ? undefined : choices[chosen];
        chosen = move(choices, chosen, name, sequence);
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
  chosen: number | undefined,
  name: string,
  sequence: string,
): number | undefined {
  const last = choices.length - 1;
  if (name === 'down' || name === 'tab') return chosen === undefined || chosen === last ? 0 : chosen + 1;
  if (name === 'up') return chosen === undefined || chosen === 0 ? last : chosen - 1;
  const named = choices.findIndex((choice) => choice.key === sequence.toLowerCase());
  if (named >= 0) return named;
  // Any other key clears the choice: a letter of a typed word must not select an answer.
  return /^\P{C}+$/u.test(sequence) ? undefined : chosen;
}

function menu<T>(
  { paint, size }: Tty,
  choices: readonly MenuChoice<T>[],
  chosen: number | undefined,
  footer: string,
): string[] {
  const rows = columns(choices.map(({ key, label, hint = '' }) => [`${key}  ${label}`, hint]));
  const width = size().columns - 1;
  return [
    ...rows.map((row, i) => {
      const line = cutToWidth(`${i === chosen ? '❯' : ' '} ${row}`, width - 2);
      return `  ${i === chosen ? paint(['bold', 'cyan'], line) : line}`;
    }),
    '',
    paint('dim', cutToWidth(`  ${footer}`, width)),
  ];
}
