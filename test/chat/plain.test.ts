// The chat without a terminal: lines in, answers out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-plain-'));
  writeFileSync(join(folder, 'a.txt'), 'hello world\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('every line is a turn of one session, and commands work in between', () => {
  const { stdout, code } = chat('read a.txt\n\n/cost\n/nonsens\nlist\n/sessions\n');
  expect(code).toBe(0);
  expect(stdout).toContain('hello world');
  expect(stdout).toContain('none: the demo model is a script');
  expect(stdout).toContain('There is no command /nonsens.');
  expect(stdout.match(/I am the demo model/g)).toHaveLength(1);
  expect(stdout).toContain('There are no other sessions');
});

test('nobody is there to ask, so nothing is written; --approve all writes and /undo takes back', () => {
  const refused = chat('replace world by moon in a.txt\n');
  expect(written()).toBe('hello world\n');
  expect(refused.stderr).toContain('needs approval, and this run cannot ask');
  const output = chat('replace world by moon in a.txt\n!cat a.txt\n/undo\n', '--approve', 'all');
  expect(output.stdout).toContain('hello moon\n\nExit code 0.');
  expect(output.stdout).toContain('restored a.txt');
  expect(written()).toBe('hello world\n');
});

test('/exit ends it, what follows is not read; a wrong role is said at once', () => {
  expect(chat('/exit\nread a.txt\n').stdout).not.toContain('hello');
  expect(chat('read a.txt\n', '--profile', 'king')).toMatchObject({ code: 1, stdout: '' });
});

test('without a line it says what there is', () => {
  expect(chat('')).toMatchObject({ code: 0, stdout: expect.stringContaining('codelab --help') });
});

function chat(input: string, ...args: string[]): { stdout: string; stderr: string; code: number | null } {
  const env = { ...process.env, CODELAB_HOME: join(folder, '.home'), CODELAB_MODEL: 'demo' };
  const run = spawnSync(process.execPath, [launcher, ...args], { cwd: folder, env, input, encoding: 'utf8' });
  return { stdout: run.stdout, stderr: run.stderr, code: run.status };
}

function written(): string {
  return readFileSync(join(folder, 'a.txt'), 'utf8');
}
