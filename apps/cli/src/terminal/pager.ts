// Shows text in the user's pager when it is longer than the screen; without a pager, one screen at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearLine, cursorTo, type Key } from 'node:readline';
import type { Tty } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

/** The shell's exit codes for a program that can't be run or does not exist. */
const cannotRun = [126, 127];

export async function openPager(
  terminal: Tty,
  { lines, signal }: { lines: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-show-'));
  const file = join(folder, 'turn.txt');
  try {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    const code = await runPager(file, terminal);
    if (cannotRun.includes(code ?? 0)) await showPages(terminal, { lines, reserve: 0, signal });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A shell runs the pager, as git does, since PAGER may hold options; the file's name never becomes part of the command. `R` lets colours through. */
async function runPager(file: string, { fds }: Tty): Promise<number | null> {
  const pager = process.env.PAGER || (process.platform === 'win32' ? 'more' : 'less');
  const stdio = [fds.input, fds.output, fds.output];
  const env = { ...process.env, LESS: process.env.LESS ?? 'R' };
  const child =
    process.platform === 'win32'
      ? spawn(`${pager} "${file}"`, { stdio, env, shell: true })
      : spawn('/bin/sh', ['-c', `${pager} "$@"`, pager, file], { stdio, env });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/**
 * Shows all lines before it returns, one screen at a time when they don't fit: a decision must not be about lines that were never on the
 * screen.
 */
type Options = {
  lines: readonly string[];
  /** Rows that stay free for the prompt below. */
  reserve: number;
  signal: AbortSignal;
};

export async function showPages(terminal: Tty, { lines, reserve, signal }: Options): Promise<void> {
  const { output, paint, size } = terminal;
  const print = (texts: readonly string[]): void =>
    void output.write(texts.map((line) => `${line}\n`).join(''));
  if (lines.length + reserve <= size().rows) return print(lines);
  for (let printed = 0; printed < lines.length; ) {
    const page = lines.slice(printed, printed + Math.max(1, size().rows - 2));
    print(page);
    printed += page.length;
    if (printed >= lines.length) return;
    const footer = ` ${printed} of ${lines.length} lines · Enter: next page · e: to the end · Ctrl-C: cancel `;
    const wantsEnd = await readKeys(terminal, {
      signal,
      ready: () => void output.write(paint('inverse', footer)),
      handleKey: pageKey,
    }).finally(() => {
      clearLine(output, 0);
      cursorTo(output, 0);
    });
    if (wantsEnd) return print(lines.slice(printed));
  }
}

function pageKey({ name }: Key): boolean | undefined {
  if (name === 'e' || name === 'end') return true;
  return name === 'return' || name === 'space' || name === 'pagedown' || name === 'down' ? false : undefined;
}
