// A list to choose from: arrows move, typing filters, Enter takes the marked entry, Escape leaves.
import '../shared.ts';
import { clearScreenDown, cursorTo, type Key, moveCursor } from 'node:readline';
import { columns, cutToWidth } from '../output/text-width.ts';
import type { Tty } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

export type ListItem<T> = { label: string; hint?: string; value: T };

type Options<T> = { title: string; items: readonly ListItem<T>[]; signal: AbortSignal };

const mostRows = 14;

/** Undefined when the user leaves with Escape. */
export async function pickFromList<T>(terminal: Tty, options: Options<T>): Promise<T | undefined> {
  const { items, signal } = options;
  const { output } = terminal;
  let filter = '';
  let marked = 0;
  let drawnLines = 0;
  const matching = (): readonly ListItem<T>[] => items.filter((item) => matchesFilter(item, filter));
  const erase = (): void => {
    if (drawnLines > 0) moveCursor(output, 0, -drawnLines);
    cursorTo(output, 0);
    clearScreenDown(output);
  };
  const draw = (): void => {
    erase();
    const lines = listLines(terminal, { title: options.title, items: matching(), marked, filter });
    drawnLines = lines.length;
    output.write(`${lines.join('\n')}\n`);
  };
  try {
    const { value } = await readKeys<{ value?: T }>(terminal, {
      signal,
      ready: draw,
      handleKey(key) {
        const matches = matching();
        if (key.name === 'escape') return {};
        if (key.name === 'return' || key.name === 'enter') return matches[marked];
        const typedCharacters = typedText(key);
        if (key.name === 'backspace') filter = filter.slice(0, -1);
        else if (typedCharacters !== undefined) filter += typedCharacters;
        marked =
          key.name === 'backspace' || typedCharacters !== undefined ? 0 : moved(key, marked, matches.length);
        draw();
        return undefined;
      },
    });
    return value;
  } finally {
    erase();
  }
}

function matchesFilter({ label, hint = '' }: ListItem<unknown>, filter: string): boolean {
  const text = `${label} ${hint}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function typedText({ sequence = '', ctrl, meta }: Key): string | undefined {
  return !ctrl && !meta && /^[^\p{C}]+$/u.test(sequence) ? sequence : undefined;
}

function moved({ name }: Key, marked: number, count: number): number {
  if (count === 0) return 0;
  if (name === 'down' || name === 'tab') return (marked + 1) % count;
  if (name === 'up') return (marked + count - 1) % count;
  if (name === 'pagedown') return Math.min(count - 1, marked + mostRows);
  if (name === 'pageup') return Math.max(0, marked - mostRows);
  return marked;
}

type View = { title: string; items: readonly ListItem<unknown>[]; marked: number; filter: string };

function listLines({ paint, size }: Tty, { title, items, marked, filter }: View): string[] {
  const { columns: width, rows } = size();
  const visibleRows = Math.max(3, Math.min(mostRows, rows - 5));
  const first = Math.max(0, Math.min(marked - Math.floor(visibleRows / 2), items.length - visibleRows));
  const visibleItems = items.slice(first, first + visibleRows);
  const lines = columns(visibleItems.map(({ label, hint = '' }) => [label, paint('dim', hint)]));
  const rest = items.length - visibleItems.length;
  return [
    paint('bold', cutToWidth(title, width - 1)),
    ...lines.map((line, i) => {
      const isMarked = first + i === marked;
      const text = cutToWidth(`${isMarked ? '❯' : ' '} ${line}`, width - 3);
      return `  ${isMarked ? paint('cyan', text) : text}`;
    }),
    ...(items.length === 0 ? [paint('dim', '  No match: Backspace widens the list.')] : []),
    ...(rest > 0 ? [paint('dim', `  … ${rest} more: type to narrow the list`)] : []),
    paint(
      'dim',
      cutToWidth(`  ↑ ↓ Enter, Esc leaves${filter === '' ? ', type to filter' : ` · ${filter}`}`, width - 1),
    ),
  ];
}
