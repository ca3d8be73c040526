// The chat with a model on the wire: streaming, cancelling, queueing, approvals while somebody types, and going on after a crash.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from './support/chat-bench.ts';
import { chatStream, type ModelAnswer, modelServer } from './support/model-server.ts';
import { hasTmux } from './support/terminal.ts';

const approve = async (): Promise<void> => {
  await bench.see('a  Approve');
  bench.press('a', 'Enter');
};

let bench: ChatBench;
beforeEach(() => {
  bench = chatBench({ 'a.txt': 'one\n' });
});
afterEach(() => bench[Symbol.dispose]());

describe.runIf(hasTmux)('with a model on the wire', { timeout: 60_000 }, () => {
  const start = (url: string): Promise<void> =>
    bench.start(['--model', 'openai/m'], { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' });

  test('Markdown is streamed, Escape cancels and keeps what was said, what was queued comes back', async () => {
    await using server = await modelServer([
      { pieces: [said('# Plan\n\n- **one**\n- two and a half')], after: 'hang' },
      { pieces: [said('Fine.'), ended] },
    ]);
    await start(server.url);
    bench.send('go');
    await bench.see('• two and a half');
    await bench.see('Esc cancels');
    bench.send('and then this');
    await bench.see('⏎ next: and then this');
    bench.press('Escape');
    await bench.see('■ Cancelled.');
    const screen = await bench.see('❯ and then this');
    expect(screen.slice(screen.indexOf('❯ go'), -4)).toEqual([
      '❯ go',
      '',
      'Plan',
      '',
      '• one',
      '• two and a half',
      '■ Cancelled. What was said and done so far stays.',
      '',
    ]);
    bench.press('Enter');
    await bench.see('Fine.');
  });

  test('a long paste is shown as one sign and sent whole; the model is told of !commands', async () => {
    await using server = await modelServer([{ pieces: [said('ok'), ended] }]);
    await start(server.url);
    bench.send('!echo hidden-treasure');
    await approve();
    await bench.see('exit code 0');
    bench.type('see ');
    bench.paste('one\ntwo\nthree\nfour\nfive\n');
    await bench.see('❯ see [pasted 5 lines]');
    bench.press('Enter');
    await bench.see('ok');
    const messages = JSON.stringify(server.asked[0]?.body.messages);
    expect(messages).toContain('see one\\ntwo\\nthree\\nfour\\nfive');
    expect(messages).toContain('I ran a command myself: echo hidden-treasure');
  });

  test('an approval does not take what somebody is typing for an answer', async () => {
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const write = called('write_file', { path: 'new.txt', content: 'x\n' });
    const answers: ModelAnswer[] = [
      { pieces: [said('First '), write, ended] },
      { pieces: [said('Second.'), ended] },
    ];
    await using server = await modelServer((_asked) => {
      ask();
      return answers.shift() ?? { pieces: [said('Done.'), ended] };
    });
    await start(server.url);
    bench.send('go');
    bench.type('also ');
    await asked;
    await bench.see('▲ write_file waits for your decision: send or clear your line, or press Tab.');
    bench.send('a');
    await bench.see('a  Approve');
    expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
    bench.press('r', 'Enter');
    await bench.see('Why?');
    bench.press('Enter');
    await bench.see('Second.');
    await bench.see('Done.');
    expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
    expect(JSON.stringify(server.asked.at(-1)?.body.messages)).toContain('also a');
  });

  test('hostile text stays text', async () => {
    await using server = await modelServer([
      { pieces: [said('a\x1b[2J\x1b]0;owned\x07b \u202egnp.exe'), ended] },
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
      { pieces: [said('It is written.'), ended] },
    ]);
    await start(server.url);
    bench.send('go');
    await bench.see('a  Approve');
    process.kill(bench.pid(), 'SIGKILL');
    await bench.ended();
    bench.launch(['--continue', '--model', 'openai/m'], {
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: 'k',
    });
    await approve();
    await bench.see('It is written.');
    expect(readFileSync(join(bench.root, 'new.txt'), 'utf8')).toBe('x\n');
    expect(server.asked.length).toBe(2);
  });
});

function chunk(delta: unknown, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}

function said(content: string): string {
  return chunk({ content });
}

function called(name: string, args: object): string {
  const one = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
  return chunk({ tool_calls: [one] }) + chunk({}, 'tool_calls');
}

const ended = chatStream([]);
