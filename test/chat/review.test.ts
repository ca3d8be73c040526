// A task in review mode from its first word to its commit: one question, then a review by hunk that is left in the middle and goes on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import { chatStream, type ModelAnswer, modelServer } from '../support/model-server.ts';
import { newRepository, type RealGit } from '../support/real-git.ts';
import { hasTmux } from '../support/terminal.ts';

const numbered = (name: string): string[] => Array.from({ length: 40 }, (_, i) => `${name} ${i + 1}`);
const names = ['cart', 'tax', 'total', 'user'];
const files = Object.fromEntries(names.map((name) => [`src/${name}.txt`, `${numbered(name).join('\n')}\n`]));

// Three edits in each of four files, far from each other; six commands, of which one wants the network.
const edits = names.flatMap((name) =>
  [5, 20, 35].map((line) => ({
    tool: 'edit_file',
    args: { path: `src/${name}.txt`, old_string: `${name} ${line}\n`, new_string: `${name} ${line}, new\n` },
  })),
);
const commands = [
  'ls src',
  'wc -l src/cart.txt',
  "sed -i 's/^user 12$/user twelve/' src/user.txt",
  'mkdir notes && echo done > notes/log.txt',
  'git status --short',
  'curl -s http://127.0.0.1:9/',
].map((command) => ({ tool: 'run_command', args: { command } }));

let bench: ChatBench;
let git: RealGit;
beforeEach(() => {
  bench = chatBench(files);
  git = newRepository(bench.root);
  git('add', '.');
  git('commit', '-qm', 'Start');
});
afterEach(() => bench[Symbol.dispose]());

describe.runIf(hasTmux)('let it work, then review', { timeout: 90_000 }, () => {
  test('12 edits and 6 commands, one question, two comments, one discarded hunk, a commit', async () => {
    const answers = [...edits, ...commands].map((call, i) => calls(`call_${i}`, call));
    await using server = await modelServer([...answers, textAnswer('All done.'), textAnswer('Fixed.')]);
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k', CODELAB_MODE: '' };
    const args = ['--model', 'openai/m'];
    await bench.start([...args, '--mode', 'review'], env);
    bench.send('please rename the lines');
    // The one question of the task is about the network.
    await bench.see('curl -s http://127.0.0.1:9/');
    await bench.see('n no');
    bench.press('n', 'Enter');
    await bench.see('All done.');
    await bench.see('5 files changed, +14 −13 · r and Enter to review');
    expect(git('status', '--short')).toBe(
      ' M src/cart.txt\n M src/tax.txt\n M src/total.txt\n M src/user.txt\n?? notes/\n',
    );

    bench.send('r');
    await bench.see('Review of turn 1 · 5 files · +14 −13 · 0 of 5 viewed');
    await answer('(1/13)', 'k');
    await answer('(2/13)', 'd');
    await answer('(3/13)', 'b');
    await answer('(2/13, discarded)', 'k');
    await comment('(3/13)', 'Why new?');
    await bench.see('# line 20: Why new?');
    // A comment that is there is edited, and its line is the one that is proposed.
    await answer('(3/13)', 'c');
    await bench.see('or −N for a removed one [20]');
    bench.press('Enter');
    await bench.see('Edit the comment on line 20: Why new?');
    bench.send(' Say it.');
    await bench.see('# line 20: Why new? Say it.');
    await answer('(3/13)', 'd');
    // The process is killed in the middle: what was picked, viewed and said is there when it goes on.
    await asks('(4/13)');
    process.kill(bench.pid(), 'SIGKILL');
    await bench.ended();
    await bench.start([...args, '--continue'], env);
    await bench.see('1 comment on turn 1 not sent yet. To send: /review 1');
    bench.send('/review');
    await bench.see('5 files · +14 −13 · 1 of 5 viewed · 1 comment');
    await bench.see('discard 1 of 3, 1 comment');
    await answer('(2/13)', 'v');
    await comment('(5/13)', 'And here?');
    await answer('(5/13)', 'q');
    await bench.see('Saved. To go on: /review 1');
    await bench.idle();
    bench.send('/review');
    await bench.see('2 of 5 viewed · 2 comments');
    await answer('(5/13)', 'v');
    await answer('(8/13)', 'v');
    await answer('(11/13)', 's');
    await answer('(11/14)', 'v');
    await bench.see('13 hunks in 5 files · 12 kept · 1 discarded · 2 comments');
    // Enter alone decides nothing.
    bench.press('Enter');
    await choose('s', 'Send');
    // After the next turn only the exact call says what is to be brought back.
    await bench.see('To undo the discard: codelab undo --session');
    await bench.see('Fixed.');
    await bench.idle();
    const requestText = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(requestText).toContain('src/cart.txt:20\\n> cart 20, new\\nWhy new? Say it.');
    expect(requestText).toContain('src/tax.txt:5\\n> tax 5, new\\nAnd here?');
    expect(read('src/cart.txt')).toBe(changed('cart', [5, 35]));
    expect(read('src/tax.txt')).toBe(changed('tax', [5, 20, 35]));

    bench.send('/review 1');
    await bench.see('12 hunks in 5 files · 12 kept · 0 discarded');
    await choose('c', 'Commit');
    await bench.see('Rename the lines');
    await choose('y', 'Commit');
    await bench.see('Committed 5 files as');
    expect(git('log', '-1', '--format=%s', '--name-only')).toBe(
      'Rename the lines\n\nnotes/log.txt\nsrc/cart.txt\nsrc/tax.txt\nsrc/total.txt\nsrc/user.txt\n',
    );
    expect(git('status', '--short')).toBe('');
    // A discard is one call, which undo reverts.
    await bench.idle();
    bench.send('/undo');
    await bench.see('restored src/cart.txt');
    expect(read('src/cart.txt')).toBe(changed('cart', [5, 20, 35]));
  });

  test('a turn that was interrupted is offered for review when it has been finished', async () => {
    const answers = [edits[0], commands[5]].map((call, i) => calls(`call_${i}`, call as Call));
    await using server = await modelServer([...answers, textAnswer('All done.')]);
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k', CODELAB_MODE: '' };
    await bench.start(['--model', 'openai/m', '--mode', 'review'], env);
    bench.send('please rename a line');
    await bench.see('n no');
    process.kill(bench.pid(), 'SIGKILL');
    await bench.ended();
    bench.launch(['--model', 'openai/m', '--mode', 'review', '--continue'], env);
    await bench.see('n no');
    bench.press('n', 'Enter');
    await bench.see('All done.');
    await bench.see('1 file changed, +1 −1 · r and Enter to review');
  });
});

/** Once it is asked about this hunk: what is typed before the question stands there does not count. */
async function answer(place: string, key: string): Promise<void> {
  await asks(place);
  bench.press(key);
}

async function asks(place: string): Promise<void> {
  await bench.until(`it asks ${place}`, () => {
    const last = bench.screen().at(-1) ?? '';
    return (last.startsWith(`${place} Keep`) && last.trimEnd().endsWith('?]?')) || undefined;
  });
}

async function choose(key: string, label: string): Promise<void> {
  await bench.see(`${key}  ${label}`);
  bench.press(key);
  await bench.see(`❯ ${key}  ${label}`);
  bench.press('Enter');
}

async function comment(place: string, text: string): Promise<void> {
  await answer(place, 'c');
  await bench.see('or −N for a removed one');
  bench.press('Enter');
  await bench.see('Comment on line');
  bench.send(text);
}

function changed(name: string, lines: number[]): string {
  return `${numbered(name)
    .map((line, i) => (lines.includes(i + 1) ? `${line}, new` : line))
    .join('\n')}\n`;
}

function read(path: string): string {
  return readFileSync(join(bench.root, path), 'utf8');
}

type Call = { tool: string; args: object };

function calls(id: string, { tool, args }: Call): ModelAnswer {
  const call = { index: 0, id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return { pieces: [chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), chatStream([])] };
}

function textAnswer(content: string): ModelAnswer {
  return { pieces: [chunk({ content }), chunk({}, 'stop'), chatStream([])] };
}

function chunk(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}
