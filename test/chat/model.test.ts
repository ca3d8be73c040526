// The chat with a model on the wire: streaming, cancelling, queueing, approvals while somebody types, and going on after a crash.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import {
  called,
  chatEnd as ended,
  type ModelAnswer,
  modelServer,
  textCompletion,
} from '../support/model-server.ts';
import { hasTmux } from '../support/terminal.ts';

const approve = async (): Promise<void> => {
  await bench.see('y yes');
  bench.press('y');
};

const rule = '─'.repeat(89);

let bench: ChatBench;
beforeEach(() => {
  bench = chatBench({ 'a.txt': 'one\n' });
});
afterEach(() => bench[Symbol.dispose]());

describe.runIf(hasTmux)('with a model on the wire', { timeout: 60_000 }, () => {
  const env = (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' });
  const start = (url: string): Promise<void> => bench.start(['--model', 'openai/m'], env(url));

  test('Markdown is streamed, Escape cancels and keeps what was said, what was queued comes back', async () => {
    await using server = await modelServer([
      { pieces: [textCompletion('# Plan\n\n- **one**\n- two and a half')], after: 'hang' },
      { pieces: [textCompletion('Fine.'), ended] },
    ]);
    await start(server.url);
    bench.send('go');
    await bench.see('• two and a half');
    await bench.see('Esc cancels');
    bench.send('and then this');
    await bench.see('queued for the next step: and then this');
    bench.press('Up');
    await bench.see('❯ and then this');
    bench.send(' and that');
    await bench.see('queued for the next step: and then this and that');
    bench.type('half a li');
    bench.press('Escape');
    await bench.see('■ Cancelled.');
    // The queued message returns, and typed text stays.
    const screen = await bench.see('❯ and then this and that');
    expect(screen.slice(screen.indexOf('❯ go'), -4)).toEqual([
      '❯ go',
      '',
      'Plan',
      '',
      '• one',
      '• two and a half',
      '■ Cancelled. The reply and the changes so far stay. /continue resumes.',
      '',
      rule,
    ]);
    const unsentFiles = (): string[] => globSync(join(bench.folder, 'home', 'unsent', '*'));
    await bench.until(
      'it is kept',
      () =>
        unsentFiles().some((file) => readFileSync(file, 'utf8') === 'and then this and that\nhalf a li') ||
        undefined,
    );
    process.kill(bench.pid(), 'SIGKILL');
    await bench.ended();
    bench.launch(['--continue', '--model', 'openai/m'], env(server.url));
    await bench.see('  half a li');
    await bench.see('• two and a half');
    bench.type('ne');
    await bench.see('  half a line');
    bench.press('Enter');
    await bench.see('Fine.');
    const messages = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(messages).toContain('two and a half');
    expect(messages).toContain('and then this and that\\nhalf a line');
  });

  test('a long paste is shown as one sign and sent whole; the model is told of !commands', async () => {
    await using server = await modelServer([{ pieces: [textCompletion('ok'), ended] }]);
    await start(server.url);
    bench.send('!echo hidden-treasure');
    await bench.see('exit code 0');
    bench.type('see ');
    bench.paste('one\ntwo\nthree\nfour\nfive\n');
    await bench.see('❯ see [pasted 5 lines]');
    bench.press('Enter');
    await bench.see('ok');
    const messages = JSON.stringify(server.requests[0]?.body.messages);
    expect(messages).toContain('see one\\ntwo\\nthree\\nfour\\nfive');
    expect(messages).toContain('I ran a command myself: echo hidden-treasure');
  });

  test('an approval does not take what somebody is typing for an answer', async () => {
    let ask = (): void => undefined;
    const approvalRequested = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const write = called('write_file', { path: 'new.txt', content: 'x\n' });
    const answers: ModelAnswer[] = [
      { pieces: [textCompletion('First '), write, ended] },
      { pieces: [textCompletion('Second.'), ended] },
    ];
    await using server = await modelServer((_asked) => {
      ask();
      return answers.shift() ?? { pieces: [textCompletion('Done.'), ended] };
    });
    await start(server.url);
    bench.send('go');
    bench.type('also ');
    await approvalRequested;
    await bench.see('▲ write_file waits for your decision: send or clear your line, or press Tab.');
    bench.send('a');
    await bench.see('y yes');
    expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
    bench.press('n', 'Enter');
    // The model reads a message sent meanwhile at its next step.
    await bench.see('❯ also a');
    await bench.see('Second.');
    expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain('also a');
  });

  test('calls of one reply are one question: all, or one by one with words for the model', async () => {
    const writes = called('write_file', { path: 'b.txt', content: 'b\n' }, { path: 'c.txt', content: 'c\n' });
    const more = called('write_file', { path: 'd.txt', content: 'd\n' }, { path: 'e.txt', content: 'e\n' });
    await using server = await modelServer([
      { pieces: [writes, ended] },
      { pieces: [textCompletion('Two more.'), more, ended] },
      { pieces: [textCompletion('That is all.'), ended] },
    ]);
    await start(server.url);
    bench.send('go');
    const card = await bench.see('y yes to all 2');
    expect(card.slice(card.indexOf('2 edits in one reply:'))).toEqual([
      '2 edits in one reply:',
      '',
      expect.stringMatching(/^┃ {2}\w+ RISK {2}Create b\.txt \(\+1 −0 lines\)$/),
      '┃ @@ -0,0 +1 @@',
      '┃    1 + b',
      '',
      expect.stringMatching(/^┃ {2}\w+ RISK {2}Create c\.txt \(\+1 −0 lines\)$/),
      '┃ @@ -0,0 +1 @@',
      '┃    1 + c',
      '',
      'Every change to files is asked in strict mode.',
      '',
      '❯',
      '  y yes to all 2 · n no · or type an answer · o one by one',
    ]);
    bench.press('y');
    await bench.see('Two more.');
    await bench.until('the next question', () =>
      bench.screen().at(-1)?.includes('y yes to all 2') ? true : undefined,
    );
    bench.press('o');
    await bench.see('Enter: decide each by itself');
    bench.press('Enter');
    await bench.see('h hunks');
    bench.paste('yes, but');
    bench.type(' call it f.txt');
    await bench.see('Enter: no, and tell the model this');
    bench.press('Enter');
    await bench.see('✖ Rejected: yes, but call it f.txt');
    await bench.until('the last question', () =>
      bench.screen().at(-1)?.includes('y yes') ? true : undefined,
    );
    bench.type('/status');
    await bench.see('Enter: run it after this question');
    bench.press('Enter');
    bench.send('yes');
    await bench.see('That is all.');
    await bench.see('instructions');
    const existing = ['b.txt', 'c.txt', 'd.txt', 'e.txt'].map((name) => existsSync(join(bench.root, name)));
    expect(existing).toEqual([true, true, false, true]);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain('yes, but call it f.txt');
  });

  test('hostile text stays text', async () => {
    await using server = await modelServer([
      { pieces: [textCompletion('a\x1b[2J\x1b]0;owned\x07b \u202egnp.exe'), ended] },
    ]);
    await start(server.url);
    bench.send('go');
    const screen = await bench.see('owned');
    expect(screen).toContain('a␛[2J␛]0;owned⟨U+0007⟩b ⟨U+202E⟩gnp.exe');
    expect(screen[0]).toContain('CodeLab');
  });

  test('after kill -9 the turn is gone on with, and what waited is asked again', async () => {
    const write = called('write_file', { path: 'new.txt', content: 'x\n' });
    await using server = await modelServer([
      { pieces: [write, ended] },
      { pieces: [textCompletion('It is written.'), ended] },
    ]);
    await start(server.url);
    bench.send('go');
    await bench.see('y yes');
    process.kill(bench.pid(), 'SIGKILL');
    await bench.ended();
    bench.launch(['--continue', '--model', 'openai/m'], env(server.url));
    await approve();
    await bench.see('It is written.');
    expect(readFileSync(join(bench.root, 'new.txt'), 'utf8')).toBe('x\n');
    expect(server.requests.length).toBe(2);
  });
});
