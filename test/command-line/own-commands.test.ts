// Commands of one's own: `/name arguments` in `codelab run` and in the chat, and how little a workspace's command may decide.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTrust } from '@codelab/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readOwnCommand } from '../../apps/cli/src/run/own-command.ts';
import { modelServer } from '../support/model-server.ts';
import { linesOf, messagesOf, type RunBench, runBench, textAnswer } from '../support/run-bench.ts';

let bench: RunBench;
let home: string;
beforeEach(() => {
  bench = runBench();
  home = join(bench.workspace, '..', 'home');
  mkdirSync(home, { mode: 0o700 });
});
afterEach(() => bench[Symbol.dispose]());

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const writeCommand = (name: string, head: string, text: string): void =>
  write(join(home, 'commands', `${name}.md`), `---\ndescription: Mine.\n${head}---\n${text}\n`);
const shared = (name: string, head: string, text: string): void =>
  write(
    join(bench.workspace, '.codelab/commands', `${name}.md`),
    `---\ndescription: Ours.\n${head}---\n${text}\n`,
  );
const read = (typed: string, mode?: 'strict' | 'balanced' | 'trusted') =>
  readOwnCommand(typed, { home, root: bench.workspace, mode });

describe('the text of a command', () => {
  test.each([
    [
      'all of it and its words',
      'Fix $ARGUMENTS: $2, $1, $3.',
      '/x one "two three"',
      'Fix one "two three": two three, one, .',
    ],
    ['nothing a second time', 'Do $1 and $ARGUMENTS', '/x $ARGUMENTS', 'Do $ARGUMENTS and $ARGUMENTS'],
    ['no number of more than one digit', 'It costs $10 or $1.', '/x a', 'It costs $10 or a.'],
    ['at its end where it has no place', 'Review.', '/x the tests', 'Review.\n\nthe tests'],
    ['as it is without arguments', 'Review.', '/x', 'Review.'],
  ])('takes what was typed: %s', async (_what, text, typed, expected) => {
    writeCommand('x', '', text);
    expect(await read(typed)).toEqual({ text: expected });
  });

  test('named arguments are taken in order, and must be there', async () => {
    writeCommand('x', 'arguments: [path, role]\n', 'Look at {{path}} as {{role}}; {{other}} stays.');
    expect(await read('/x a.txt critic')).toEqual({ text: 'Look at a.txt as critic; {{other}} stays.' });
    await expect(read('/x a.txt')).rejects.toThrow('/x needs PATH ROLE; role is missing.');
  });

  test('a file that can’t be read is named with line and reason; what is no command is none', async () => {
    write(join(bench.workspace, '.codelab/commands/broken.md'), 'no head');
    writeCommand('odd', 'mode: free\n', 'x');
    await expect(read('/broken')).rejects.toThrow('.codelab/commands/broken.md:1 must begin with a line');
    await expect(read('/odd')).rejects.toThrow('odd.md: `mode` must be one of strict');
    for (const typed of ['/none', '/usr/bin is gone', 'hello', '/', '/../x'])
      expect(await read(typed)).toBeUndefined();
  });
});

describe('a command that comes with the workspace', () => {
  test('never takes the place of the user’s own', async () => {
    writeCommand('review', '', 'Mine.');
    shared('review', '', 'Theirs.');
    expect(await read('/review')).toEqual({ text: 'Mine.' });
  });

  test('is not reached through a link', async () => {
    write(join(home, 'secret.md'), '---\ndescription: x\n---\nSecret.\n');
    mkdirSync(join(bench.workspace, '.codelab/commands'), { recursive: true });
    symlinkSync(join(home, 'secret.md'), join(bench.workspace, '.codelab/commands/linked.md'));
    await expect(read('/linked')).rejects.toThrow('symbolic link');
  });

  test('may make the mode stricter, never looser, and names a model only when it is trusted', async () => {
    shared('tight', 'mode: strict\nprofile: plan\n', 'x');
    shared('loose', 'mode: trusted\nmodel: evil/one\n', 'x');
    expect(await read('/tight', 'balanced')).toMatchObject({ mode: 'strict', profile: 'plan' });
    const loose = await read('/loose', 'balanced');
    expect(loose).toEqual({ text: 'x', notice: expect.stringContaining('Ignored: its model evil/one') });
    write(join(bench.workspace, '.codelab/config.json'), '{}');
    await setTrust(home, bench.workspace, '{}');
    expect(await read('/loose', 'balanced')).toMatchObject({ model: 'evil/one' });
    expect(await read('/loose', 'balanced')).not.toHaveProperty('mode');
  });

  test('does not replace a role that the user chose', async () => {
    shared('grow', 'profile: build\n', 'x');
    const places = { home, root: bench.workspace, profile: 'plan' };
    expect(await readOwnCommand('/grow', places)).toEqual({
      text: 'x',
      notice: expect.stringContaining('Ignored: its profile build; the role stays plan.'),
    });
  });

  test('the user’s own decides model, role and mode', async () => {
    writeCommand('x', 'mode: trusted\nmodel: demo\nprofile: ask\n', 'Go.');
    expect(await read('/x')).toEqual({ text: 'Go.', mode: 'trusted', model: 'demo', profile: 'ask' });
  });
});

describe('where it is typed', { timeout: 60_000 }, () => {
  test('codelab run: the prompt it stands for, with its @mentions and its role; flags win', async () => {
    shared('explain', 'profile: ask\n', 'Explain @$1 briefly.');
    await using server = await modelServer([textAnswer('ok')]);
    const args = ['run', '/explain a.txt', '--output', 'stream-json'];
    const { code, stdout, stderr } = await bench.codelab(server, ...args);
    expect(code).toBe(0);
    expect(stderr).toContain('comes from .codelab/commands/explain.md of the workspace');
    expect(messagesOf(server, 0).at(-1)?.content).toContain(
      'Explain @a.txt briefly.\n\n<file path="a.txt">\none\n',
    );
    const profileOf = (text: string) => linesOf(text).find(({ type }) => type === 'turn.started')?.profile;
    expect(profileOf(stdout)).toBe('ask');
    expect(profileOf((await bench.codelab(server, ...args, '--profile', 'build')).stdout)).toBe('build');
  });

  test('codelab run: an unknown one is wrong usage, a path is a prompt', async () => {
    writeCommand('explain', '', 'x');
    await using server = await modelServer([textAnswer('ok')]);
    expect(await bench.codelab(server, 'run', '/explian it')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean /explain?'),
    });
    expect(await bench.codelab(server, 'run', '/tmp is full')).toMatchObject({ code: 0 });
  });

  test('the chat: listed by /help, run by its name, and its settings hold for its turn', async () => {
    writeCommand('explain', 'arguments: [path]\nprofile: ask\n', 'Explain {{path}}.');
    shared('compact', '', 'Never.');
    await using server = await modelServer([textAnswer('ok')]);
    const input = { text: '/help\n/explain a.txt\nand now\n/compact\n' };
    const { code, stdout } = await bench.piped(server, input);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\/explain PATH +Mine\./);
    expect(stdout).not.toContain('Ours.');
    const userMessages = messagesOf(server, 1).filter(({ role }) => role === 'user');
    expect(userMessages.map(({ content }) => content)).toEqual(['Explain a.txt.', 'and now']);
    const systems = [0, 1].map((n) => messagesOf(server, n)[0]?.content);
    expect(systems[0]).not.toBe(systems[1]);
  });
});

test('the examples of docs/headless.md are commands that work', async () => {
  const doc = readFileSync(join(import.meta.dirname, '../..', 'docs', 'headless.md'), 'utf8');
  const [, text = ''] = /```markdown\n([\s\S]*?)```/.exec(doc) ?? [];
  write(join(bench.workspace, '.codelab/commands/review.md'), text);
  expect((await read('/review src/a.ts "error handling"'))?.text).toContain('error handling');
});
