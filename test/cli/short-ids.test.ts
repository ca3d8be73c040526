// The beginning of a session's id stands for the session, in every command that takes one.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
afterAll(() => scratch[Symbol.dispose]());

const first = 'aaaa1111bbbb2222cccc3333dddd4444';
const similarId = 'aaaa1111bbbb2222eeee3333dddd4444';
const other = 'feed1111bbbb2222cccc3333dddd4444';

test('commands that look up a session take the beginning of its id; several are named', () => {
  for (const session of [first, similarId, other]) write(session, `${session.slice(0, 4)}.txt`);
  expect(JSON.parse(codelab('sessions', 'show', 'feed', '--json').stdout)).toMatchObject({ id: other });
  expect(JSON.parse(codelab('audit', 'show', 'feed1111', '--json').stdout).calls).toHaveLength(1);
  expect(codelab('audit', 'export', 'feed1111').stdout).toContain(`"session":"${other}"`);
  expect(codelab('audit', 'verify', 'feed1111')).toMatchObject({ code: 0 });
  const several = codelab('sessions', 'show', 'aaaa1111');
  expect(several).toMatchObject({ code: 1, stdout: '' });
  for (const id of [first, similarId]) expect(several.stderr).toContain(id);
  expect(several.stderr).toContain('Type more of the id.');
  expect(codelab('sessions', 'show', 'fee')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no session "fee"'),
  });
  expect(JSON.parse(codelab('sessions', 'fork', 'aaaa1111bbbb2222c', '--json').stdout)).toMatchObject({
    forked_from: { session: first },
  });
});

test('the list shows ids as short as they can be told apart, and what was said first', () => {
  const list = codelab('sessions', 'list').stdout;
  expect(list).toMatch(/^feed1111 {2}/m);
  expect(list).toMatch(/^aaaa1111bbbb2222cc {2}/m);
  expect(list).toContain('(calls only)');
  codelab('run', 'hello there', '--model', 'demo', '--session', other.slice(0, 10));
  expect(codelab('sessions', 'list').stdout).toMatch(/^feed1111 .* hello there$/m);
});

test('where an id may name a new session, only the short form of a generated id is looked up', () => {
  write('feed1111', 'b.txt');
  write('feed', 'c.txt');
  const ids = JSON.parse(codelab('sessions', 'list', '--json').stdout).sessions.map(
    ({ id }: { id: string }) => id,
  );
  expect(ids).toContain('feed');
  expect(ids).not.toContain('feed1111');
  expect(codelab('audit', 'show', other, '--json').stdout).toContain('b.txt');
});

test('undo, redo and delete take it as well; an unknown one is told, not taken for an empty one', () => {
  expect(codelab('undo', '--session', 'feed1111').stdout).toBe('removed b.txt\n');
  expect(codelab('redo', '--session', 'feed1111').stdout).toBe('restored b.txt\n');
  expect(readFileSync(join(scratch.root, 'b.txt'), 'utf8')).toBe('x\n');
  expect(codelab('undo', '--session', 'beef')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no session "beef"'),
  });
  for (const more of [[], ['--json']])
    expect(codelab('sessions', 'delete', 'feed1111', ...more)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ was not deleted: it changed files, .* --yes deletes it\./),
    });
  expect(codelab('sessions', 'delete', 'feed1111', '--yes')).toMatchObject({
    code: 0,
    stdout: `Deleted ${other}\n`,
    stderr: expect.stringContaining('changed files. They stay as they are'),
  });
});

test('the chat lists and resumes by the same short ids', () => {
  const { stdout, stderr } = codelab('chat', '--model', 'demo', { input: '/sessions\n/resume aaaa\n' });
  expect(stdout).toContain('aaaa1111bbbb2222cc');
  expect(stderr).toContain('Several sessions start with "aaaa"');
});

function write(session: string, path: string): void {
  const args = JSON.stringify({ path, content: 'x\n' });
  expect(codelab('tool', 'write_file', args, '--approve', 'all', '--session', session)).toMatchObject({
    code: 0,
  });
}

function codelab(...words: (string | { input: string })[]): {
  code: number | null;
  stdout: string;
  stderr: string;
} {
  const args = words.filter((word) => typeof word === 'string');
  const { input } = words.find((word) => typeof word !== 'string') ?? { input: '' };
  const env = { ...process.env, CODELAB_HOME: scratch.home, NO_COLOR: '1' };
  const options = { cwd: scratch.root, env, input, encoding: 'utf8' as const, timeout: 20_000 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [codelabProgram, ...args], options);
  return { code: status, stdout, stderr };
}
