// Facts at a glance in a real terminal: at every width, after a resize, changes, and the end of a session.
import { spawnSync } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { statusLine } from '../../apps/cli/src/chat/screen/status-line.ts';
import { displayWidth } from '../../apps/cli/src/output/text-width.ts';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import { called, chatEnd, type ModelAnswer, modelServer, textCompletion } from '../support/model-server.ts';
import { hasTmux } from '../support/terminal.ts';

let bench: ChatBench;
beforeEach(() => {
  bench = chatBench({ 'a.txt': 'one\n' });
});
afterEach(() => bench[Symbol.dispose]());

/** The size that a program asks for, of the terminal that the chat runs in. */
const ttySize = (): string => {
  const terminal = readlinkSync(`/proc/${bench.pid()}/fd/0`);
  return spawnSync('stty', ['-F', terminal, 'size'], { encoding: 'utf8' }).stdout.trim();
};

const scrollback = (): string => {
  const args = ['-S', join(bench.folder, 'tmux'), 'capture-pane', '-p', '-S', '-'];
  return spawnSync('tmux', args, { encoding: 'utf8' }).stdout;
};

const answer = (...pieces: string[]): ModelAnswer => ({ pieces: [...pieces, chatEnd] });

test('the status line keeps every fact in a narrow window, with fewer words', () => {
  const status = {
    ...{ model: 'openai/gpt-5', profile: 'build', mode: 'review' as const, tokens: 780_900, cost: 1.25 },
    ...{ context: 0.43, branch: 'main', changes: { added: 12, removed: 3 } },
    doing: '⠋ thinking 12s · Esc cancels',
  };
  const lines = [142, 118, 79, 59].map((columns) => {
    const line = statusLine(status, { columns, paint: (_style, text) => text });
    expect(displayWidth(line)).toBe(columns);
    return line.replace(/(?<=\S) {2,}/, ' | ');
  });
  expect(lines).toEqual([
    '  openai/gpt-5 · build · review: works, then you review · ⎇ main · +12 −3 · 780.9k tokens · $1.25 · 43% context | ⠋ thinking 12s · Esc cancels',
    '  openai/gpt-5 · build · review · ⎇ main · +12 −3 · 780.9k tokens · $1.25 · 43% context | ⠋ thinking 12s · Esc cancels',
    '  gpt-5 · review · ⎇ main · +12 −3 · $1.25 · 43% | ⠋ thinking 12s · Esc cancels',
    '  gpt-5 · review · ⎇ main · +12 −3 · $1.25 · 43% | ⠋ 12s',
  ]);
});

describe.runIf(hasTmux)('with a model on the wire', { timeout: 60_000 }, () => {
  const env = (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k', CODELAB_MODE: '' });
  const start = (url: string, ...extraArgs: string[]): Promise<void> =>
    bench.start(['--model', 'openai/m', '--mode', 'review', ...extraArgs], env(url));

  test('a resize that the chat learns of late leaves no rows behind and takes none away', async () => {
    const text = 'The first line is long enough to be wrapped when the window becomes narrow: 表格 🎉 end.';
    await using server = await modelServer([
      { pieces: [textCompletion(`Above.\n\n${text}`)], after: 'hang' },
    ]);
    await start(server.url);
    bench.send('go');
    await bench.see('The first line');
    for (const [columns, rows] of [
      [50, 30],
      [120, 45],
      [61, 24],
      [90, 45],
    ] as const) {
      // A stopped process gets the signal of the resize after its timers are due: it draws before it hears of the new size.
      process.kill(bench.pid(), 'SIGSTOP');
      bench.resize(columns, rows);
      await bench.until('tmux has passed the size on', () => ttySize() === `${rows} ${columns}` || undefined);
      process.kill(bench.pid(), 'SIGCONT');
      const rule = '─'.repeat(columns - 1);
      const isDrawn = (): boolean => bench.screen().filter((line) => line === rule).length === 2;
      await bench.until('the frame is drawn anew', () => isDrawn() || undefined);
      const output = scrollback();
      expect(output.split('The first line').length).toBe(2);
      expect(output).toContain('Above.\n\nThe first line');
      expect(output.split('❯ Ask for').length).toBe(2);
    }
  });

  test('/diff shows what stands, also after an undo and a redo; a turn without text leaves one blank line', async () => {
    const write = called('write_file', { path: 'new.txt', content: 'hello\n' });
    await using server = await modelServer([answer(write), answer(textCompletion('Written.'))]);
    await start(server.url);
    bench.send('write it');
    await bench.see('1 file changed');
    const screen = await bench.idle();
    expect(screen.slice(screen.indexOf('❯ write it')).slice(0, 3)).toEqual([
      '❯ write it',
      '',
      '✔ Create new.txt · +1 −0',
    ]);
    bench.send('/undo');
    await bench.see('removed new.txt');
    bench.send('/diff');
    await bench.see('Turn 1 has no changes in place.');
    bench.send('/redo');
    await bench.see('restored new.txt');
    bench.send('/diff');
    const screenLines = await bench.see('Turn 1 · 1 file · +1 −0');
    expect(screenLines.slice(screenLines.indexOf('  Turn 1 · 1 file · +1 −0')).slice(1, 5)).toEqual([
      '',
      '  new.txt · new +1 −0 · file 1 of 1',
      '  @@ -0,0 +1 @@',
      '     1 + hello',
    ]);
    bench.send('/status');
    const facts = (await bench.see('instructions')).join('\n');
    expect(facts).toMatch(/mode +review: edits that can be undone/);
    expect(facts).toMatch(/changes +\+1 −0 · \/diff all/);
    expect(facts).toMatch(/context +about \d+ of \d+ tokens \(\d+%\)/);
  });

  test('a resumed session shows how its steps and its last turn ended', async () => {
    writeFileSync(join(bench.root, 'fail.sh'), 'echo almost; exit 3\n');
    const failure = { status: 400, headers: { 'content-type': 'application/json' } };
    await using server = await modelServer([
      answer(called('read_file', { path: 'a.txt' }, { path: 'fail.sh' })),
      answer(called('run_command', { command: 'sh fail.sh' })),
      { ...failure, pieces: ['{"error":{"message":"no such thing"}}'] },
    ]);
    await start(server.url, '--approve', 'all');
    bench.send('try it');
    await bench.see('/retry asks again');
    bench.launch(['--continue', '--model', 'openai/m'], env(server.url));
    const screen = await bench.see('/retry asks again');
    expect(screen.slice(screen.indexOf('❯ try it')).slice(0, 9)).toEqual([
      '❯ try it',
      '',
      '✔ Read 2 files',
      '  a.txt, fail.sh',
      '✖ $ sh fail.sh · exit code 3',
      '  │ almost',
      '',
      expect.stringContaining('no such thing'),
      expect.stringContaining('/retry asks again'),
    ]);
  });
});
