// Seed 003: files, patches and commands, with results as objects with `ok`.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, patch } from '../coder.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');
export const files003: readonly SeedCase[] = [
  {
    id: 'read',
    item: 'Fields, pages from `offset`, 50 lines unless said otherwise, at most 200, `has_more`',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': lines(1, 300) });
      const page = (content: string, start_line: number, end_line: number, has_more: boolean): Json => ({
        ok: true,
        path: 'a.txt',
        content,
        start_line,
        end_line,
        has_more,
      });
      const read = (args: Json): Promise<Json> => call(at, 'read', { path: 'a.txt', ...args });
      expect(await read({})).toEqual(page(lines(1, 50), 1, 50, true));
      expect(await read({ offset: 0, limit: -1 })).toEqual(page(lines(1, 50), 1, 50, true));
      expect(await read({ offset: 51, limit: 1000 })).toEqual(page(lines(51, 250), 51, 250, true));
      expect(await read({ offset: 251 })).toEqual(page(lines(251, 300), 251, 300, false));
    },
  },
  {
    id: 'read: EOF',
    item: 'Past the end: `ok`, empty `content`, `has_more` false',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n' });
      expect(await call(at, 'read', { path: 'a.txt', offset: 9 })).toMatchObject({
        ok: true,
        content: '',
        has_more: false,
      });
    },
  },
  {
    id: 'paths',
    item: 'Inside the workspace, relative or absolute; outside is a permission error',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n' });
      expect(await call(at, 'read', { path: join(at.stage.root, 'a.txt') })).toMatchObject({ ok: true });
      for (const path of ['../aside/x', '/etc/passwd'])
        expect(await call(at, 'read', { path })).toMatchObject({
          ok: false,
          error: expect.stringMatching(/^permission denied:/),
        });
    },
  },
  {
    id: 'write',
    item: '`operation`, `size`, `additions`, `deletions`, `diff`; the whole file is overwritten',
    on: ['tool'],
    async play(at) {
      expect(await call(at, 'write', { path: 'a.txt', content: 'one\n' })).toMatchObject({
        operation: 'created',
      });
      expect(await call(at, 'write', { path: 'a.txt', content: 'two\n' })).toEqual({
        ok: true,
        path: 'a.txt',
        operation: 'updated',
        size: 4,
        additions: 1,
        deletions: 1,
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n',
      });
    },
  },
  {
    id: 'list',
    item: '`name`, `path`, `is_dir`, `size_bytes`; the path may be empty',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n', 'sub/b.txt': '' });
      expect(await call(at, 'list', { path: '' })).toMatchObject({
        ok: true,
        path: '',
        items: [
          { name: 'a.txt', path: 'a.txt', is_dir: false, size_bytes: 4 },
          { name: 'sub', path: 'sub', is_dir: true },
        ],
      });
    },
  },
  {
    id: 'list: links',
    item: 'A link to a folder is listed as a folder',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'sub/b.txt': '' });
      symlinkSync('sub', join(at.stage.root, 'link'));
      const { items } = (await call(at, 'list', { path: '' })) as { items: Json[] };
      expect(items.find(({ name }) => name === 'link')).toMatchObject({ is_dir: true });
    },
  },
  {
    id: 'glob',
    item: '`matches`; an absolute pattern is refused',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.go': '', 'sub/b.go': '', 'c.md': '' });
      expect(await call(at, 'glob', { pattern: '**/*.go' })).toMatchObject({
        ok: true,
        matches: ['a.go', 'sub/b.go'],
      });
      expect(await call(at, 'glob', { pattern: '/etc/*' })).toMatchObject({ ok: false });
    },
  },
  {
    id: 'grep',
    item: '`count` and `matches`, 200 unless said otherwise, no binary files',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'needle\n'.repeat(250), 'b.bin': 'needle\0' });
      expect(await call(at, 'grep', { pattern: 'needle', path: '' })).toMatchObject({ ok: true, count: 200 });
      const limited = await call(at, 'grep', { pattern: 'needle', path: '.', max_matches: 1 });
      expect(limited).toMatchObject({ count: 1, matches: [{ path: 'a.txt', line: 1, text: 'needle' }] });
    },
  },
  {
    id: 'patch',
    item: '`applied` and, for each file, its path and operation',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n' });
      expect(await call(at, 'patch', { patch: patch('one') })).toMatchObject({
        ok: true,
        applied: true,
        results: [{ path: 'a.txt', operation: 'update' }],
      });
      expect(at.stage.text('a.txt')).toBe('new\n');
    },
  },
  {
    id: 'patch: dry_run',
    item: 'Nothing is written, and nobody is asked',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n' });
      const answer = await call(at, 'patch', { patch: patch('one'), dry_run: true }, ['--approve', 'never']);
      expect(answer).toMatchObject({ ok: true, applied: false, results: [{ path: 'a.txt' }] });
      expect(at.stage.text('a.txt')).toBe('one\n');
    },
  },
  {
    id: 'patch: rollback',
    item: 'What a turn changed can be rolled back, call by call, and brought again',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n' });
      const session = ['--session', `rollback-${Date.now()}`];
      await call(at, 'patch', { patch: patch('one') }, session);
      await call(at, 'write', { path: 'a.txt', content: 'two\n' }, session);
      for (const [word, text] of [
        ['undo', 'new\n'],
        ['undo', 'one\n'],
        ['redo', 'new\n'],
        ['redo', 'two\n'],
      ] as const) {
        await at.stage.codelab([word, ...session]);
        expect([word, at.stage.text('a.txt')]).toEqual([word, text]);
      }
    },
  },
  {
    id: 'bash',
    item: 'The seven fields, in the workspace',
    on: ['tool'],
    differs:
      'run by `sh -c`, not `sh -lc`: a login shell reads files of the user that a tool may have changed',
    async play(at) {
      at.stage.lay({ 'a.txt': '' });
      expect(await call(at, 'bash', { command: 'ls; echo oops >&2; exit 3' })).toEqual({
        ok: false,
        command: 'ls; echo oops >&2; exit 3',
        exit_code: 3,
        stdout: 'a.txt\n',
        stderr: 'oops\n',
        truncated: false,
        duration_ms: expect.any(Number),
      });
    },
  },
  {
    id: 'bash: timeout',
    item: '`exit_code` 124 and `ok` false',
    on: ['tool'],
    async play(at) {
      const answer = await call(at, 'bash', { command: 'sleep 60' }, ['--timeout', '1']);
      expect(answer).toMatchObject({ ok: false, exit_code: 124 });
    },
  },
  {
    id: 'bash: output_limit_bytes',
    item: 'Output is cut at a limit that is a setting, and `truncated` says so',
    on: ['tool'],
    async play(at) {
      const home = join(at.stage.aside, 'home');
      mkdirSync(home, { mode: 0o700 });
      const config = { limits: { output_limit_bytes: 1000 } };
      writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
      const args = JSON.stringify({ command: 'head -c 5000 /dev/zero | tr "\\0" x' });
      const words = ['tool', 'bash', args, '--dialect', 'coder', '--approve', 'all'];
      const { message } = await at.stage.codelab(words, { env: { CODELAB_HOME: home } });
      expect(message).toMatchObject({ truncated: true });
      expect(String(message.stdout).length).toBeLessThan(1500);
    },
  },
];
