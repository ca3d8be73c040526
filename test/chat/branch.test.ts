// The chat while the agent works, and going back: messages that steer or wait, asking again, going on, earlier messages on a branch.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import { called, chatEnd, type ModelAnswer, modelServer, textCompletion } from '../support/model-server.ts';
import { hasTmux } from '../support/terminal.ts';

let bench: ChatBench;
beforeEach(() => {
  bench = chatBench({ 'a.txt': 'one\n' });
});
afterEach(() => bench[Symbol.dispose]());

const answer = (...pieces: string[]): ModelAnswer => ({ pieces: [...pieces, chatEnd] });
const failure: ModelAnswer = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  pieces: ['{"error":{"message":"no such thing"}}'],
};

describe.runIf(hasTmux)('with a model on the wire', { timeout: 60_000 }, () => {
  const start = (url: string): Promise<void> =>
    bench.start(['--model', 'openai/m', '--mode', 'review'], {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'k',
      CODELAB_MODE: '',
    });

  test('a message while it works is read at the next step, or becomes the next turn', async () => {
    await using server = await modelServer([
      answer(called('run_command', { command: 'until [ -e go ]; do sleep 0.05; done' })),
      answer(textCompletion('I heard you.')),
      answer(textCompletion('And the last one.')),
    ]);
    await start(server.url);
    bench.send('begin');
    await bench.see('⠋ $ until'.slice(2));
    bench.send('be quick');
    await bench.see('queued for the next step: be quick');
    bench.send('then stop');
    await bench.see('queued for the next step: then stop');
    bench.press('C-t');
    await bench.see('queued for after the turn: then stop');
    bench.send('never mind');
    await bench.see('queued for the next step: never mind');
    // Taken back to the line, and cleared there.
    bench.press('Up');
    await bench.see('❯ never mind');
    bench.press('C-c');
    writeFileSync(join(bench.root, 'go'), '');
    const screen = (await bench.see('And the last one.')).join('\n');
    expect(screen.indexOf('❯ be quick')).toBeLessThan(screen.indexOf('I heard you.'));
    expect(screen.indexOf('❯ then stop')).toBeGreaterThan(screen.indexOf('I heard you.'));
    await bench.idle();
    const requestTexts = server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(requestTexts.map((text) => [text.includes('be quick'), text.includes('then stop')])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    expect(requestTexts.join()).not.toContain('never mind');
  });

  test('an earlier message is edited and sent on a branch, with the files undone; branches are one command apart', async () => {
    const write = called('write_file', { path: 'new.txt', content: 'first try\n' });
    await using server = await modelServer([
      answer(write),
      answer(textCompletion('Written.')),
      answer(textCompletion('Another way.')),
    ]);
    await start(server.url);
    bench.send('write it');
    await bench.see('1 file changed');
    bench.press('Escape');
    await bench.see('Esc again: edit an earlier message.');
    bench.press('Escape');
    await bench.see('Go back to which message?');
    bench.press('Enter');
    await bench.see('u  Undo them to that point');
    bench.press('u', 'Enter');
    await bench.see('Edits turn 1: Enter sends it on a branch, with the files as they were then');
    bench.press('C-u');
    bench.send('do it otherwise');
    await bench.see('Another way.');
    const screen = (await bench.idle()).join('\n');
    expect(screen).toContain('↳ New branch from before turn 1 · 1 file undone · /branches lists all');
    expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
    const requestText = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect([requestText.includes('do it otherwise'), requestText.includes('write it')]).toEqual([
      true,
      false,
    ]);
    bench.send('/branches');
    const listing = await bench.see('/branches NUMBER goes to one.');
    expect(
      listing.filter((line) => /^ {2}[❯ ] \d /.test(line)).map((line) => line.replace(/\S+ +\S+ \S+ +/, '')),
    ).toEqual([
      expect.stringMatching(/1 turn +write it$/),
      expect.stringMatching(/1 turn +do it otherwise$/),
    ]);
    bench.send('/branches 1');
    await bench.see('↶ You undid changes to new.txt');
    // The undo is an event: it is the model that is told, in no words of the user.
    bench.send('go on');
    await bench.until('it is asked', () => (server.requests.length === 4 ? true : undefined));
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain(
      '[The user undid changes to: new.txt.',
    );
  });

  test('an error says the next command; /retry asks again in place; /find and /export know what was said', async () => {
    await using server = await modelServer([failure, answer(textCompletion('Now it works.'))]);
    await start(server.url);
    bench.send('remember the heron');
    await bench.see('/retry asks again, /model chooses another model, /compact');
    bench.send('/retry');
    await bench.see('Now it works.');
    const messages = server.requests.at(-1)?.body.messages as { role: string; content: unknown }[];
    expect(messages.filter(({ role }) => role === 'user').length).toBe(1);
    bench.send('/find HERON');
    await bench.see('turn 1 · you: remember the heron');
    bench.send('/export talk.md');
    await bench.see('Written to');
    expect(readFileSync(join(bench.root, 'talk.md'), 'utf8')).toContain('> remember the heron');
    bench.send('/sessions heron');
    await bench.see('No other session contains "heron".');
  });
});
