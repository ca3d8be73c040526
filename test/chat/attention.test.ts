// The chat calls the human back: title, bell and notification of a real terminal (tmux), as they are written to it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import { hasTmux } from '../support/terminal.ts';

let bench: ChatBench;
beforeEach(() => {
  bench = chatBench({ 'a.txt': 'old\n' });
});
afterEach(() => bench[Symbol.dispose]());

const tmux = (...args: string[]): string =>
  spawnSync('tmux', ['-S', join(bench.folder, 'tmux'), ...args], { encoding: 'utf8' }).stdout.trim();
const title = (): string => tmux('display-message', '-p', '#{pane_title}');
const untilTitle = (expected: string) =>
  bench.until(`the title is ${expected}`, () => (title() === expected ? true : undefined));

/** All that is written to the terminal from now on. */
function record(): () => string {
  const file = join(bench.folder, 'written');
  tmux('pipe-pane', '-O', `cat >> ${file}`);
  return () => readFileSync(file, 'latin1');
}

const notice = '\x07\x1b]9;CodeLab: edit_file waits for your answer\x07';

describe.runIf(hasTmux)('a question', { timeout: 60_000 }, () => {
  test('is in the title and rings, unless the terminal has the focus; the title is put back', async () => {
    await bench.start(['--model', 'demo']);
    await untilTitle('CodeLab: work');
    const written = record();
    // With the Enter the terminal says that somebody looks at something else; then the question comes.
    bench.type('replace old by new in a.txt');
    tmux('send-keys', '-H', '0d', '1b', '5b', '4f');
    await bench.see('y yes');
    await untilTitle('CodeLab: work · waiting for you');
    await bench.until('the bell', () => (written().includes(notice) ? true : undefined));
    expect(written()).toContain('\x1b]777;notify;CodeLab;edit_file waits for your answer\x07');
    bench.press('n', 'Enter');
    await untilTitle('CodeLab: work');
    bench.type('replace old by new in a.txt');
    tmux('send-keys', '-H', '0d', '1b', '5b', '49');
    await untilTitle('CodeLab: work · waiting for you');
    await bench.see('y yes');
    expect(written().split(notice)).toHaveLength(2);
    bench.press('C-c');
    await bench.idle();
    bench.press('C-d');
    await bench.ended();
    expect(title()).not.toContain('CodeLab');
    expect(written()).toContain('\x1b[?1004l');
  });
});
