// Shows all lines before it returns, a screen at a time when they don't fit: nobody decides on what was never on the screen.
import { clearLine, cursorTo, type Key } from 'node:readline';
import type { Terminal } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

type Options = {
  lines: readonly string[];
  /** Rows that must stay free for what comes after. */
  reserve: number;
  signal: AbortSignal;
};

export async function showPages(terminal: Terminal, { lines, reserve, signal }: Options): Promise<void> {
  const { output, paint, size } = terminal;
  const print = (some: readonly string[]): void =>
    void output.write(some.map((line) => `${line}\n`).join(''));
  if (lines.length + reserve <= size().rows) return print(lines);
  for (let shown = 0; shown < lines.length; ) {
    const page = lines.slice(shown, shown + Math.max(1, size().rows - 2));
    print(page);
    shown += page.length;
    if (shown >= lines.length) return;
    const more = ` ${shown} of ${lines.length} lines · Enter: next page · e: to the end · Ctrl-C: cancel `;
    const wantsEnd = await readKeys(terminal, {
      signal,
      ready: () => void output.write(paint('inverse', more)),
      heed: pageKey,
    }).finally(() => {
      clearLine(output, 0);
      cursorTo(output, 0);
    });
    if (wantsEnd) return print(lines.slice(shown));
  }
}

function pageKey({ name }: Key): boolean | undefined {
  if (name === 'e' || name === 'end') return true;
  return name === 'return' || name === 'space' || name === 'pagedown' || name === 'down' ? false : undefined;
}
