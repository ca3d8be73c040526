// Seed 000: git, patches, and the flow of its second example.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answerTo, codeOf } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';
import type { Stage } from '../stage.ts';

const MiB = 1024 * 1024;
const before = 'export function authenticate(user) {\n  // ... rest of the function\n}\n';
const after = before.replace('{\n', "{\n  console.log('Authenticating user:', user.id);\n");

/** The repository of the document's examples, with its change in the tree. */
function changedRepository(stage: Stage): void {
  stage.repository({ 'src/auth.js': before });
  writeFileSync(join(stage.root, 'src/auth.js'), after);
}

const diffCall: Json = { tool_name: 'git.diff', args: { path: '.' } };

export const git000: readonly SeedCase[] = [
  {
    id: 'git.diff',
    item: 'The request; the diff of unstaged changes',
    on: ['tool', 'socket', 'executor'],
    examples: ['120', '133'],
    async play(at, call = {}, result = {}) {
      changedRepository(at.stage);
      const answer = await answerTo(at, call, { executed: result });
      if (at.wire === 'executor') return expect(answer).toEqual(result);
      const { diff } = answer.result as { diff: string };
      // The example shortens the hunk, so its counts and hashes are not real ones.
      expect(diff).toMatch(/^diff --git a\/src\/auth\.js b\/src\/auth\.js\nindex \w+\.\.\w+ 100644\n/);
      expect(diff).toContain("\n+  console.log('Authenticating user:', user.id);\n");
    },
  },
  {
    id: 'git.diff: staged',
    item: '`staged: true`, beyond the MVP, shows what is staged',
    on: ['tool', 'socket'],
    async play(at) {
      changedRepository(at.stage);
      const call = { tool_name: 'git.diff', args: { path: 'src', staged: true } };
      expect(await answerTo(at, call)).toMatchObject({ result: { diff: '' } });
    },
  },
  {
    id: 'git.diff: missing path',
    item: 'A path that neither git nor the disk knows is an error that names it',
    on: ['tool', 'socket'],
    async play(at) {
      changedRepository(at.stage);
      const answer = await answerTo(at, { tool_name: 'git.diff', args: { path: 'nowhere.js' } });
      expect(answer).toMatchObject({ error: { message: expect.stringContaining('nowhere.js') } });
    },
  },
  {
    id: 'git.diff: 5 MB',
    item: 'A diff has at most 5 MB: `FILE_TOO_LARGE`',
    on: ['socket'],
    async play(at) {
      at.stage.repository({ 'a.txt': '' });
      writeFileSync(join(at.stage.root, 'a.txt'), `${'x'.repeat(99)}\n`.repeat(60_000));
      expect(await answerTo(at, diffCall)).toMatchObject({
        error: { code: 'FILE_TOO_LARGE', details: { max_size: 5 * MiB } },
      });
    },
  },
  {
    id: 'git: no repository',
    item: 'Outside a repository git tools are `GIT_NOT_INITIALIZED`',
    on: ['tool', 'socket'],
    async play(at) {
      for (const tool_name of ['git.diff', 'git.status', 'git.log'])
        expect(codeOf(await answerTo(at, { tool_name, args: { path: '.' } }))).toBe('GIT_NOT_INITIALIZED');
    },
  },
  {
    id: 'apply_patch',
    item: 'The request with a real diff, and the response word for word',
    on: ['tool', 'socket', 'executor'],
    examples: ['158', '170'],
    async play(at, call = {}, result = {}) {
      changedRepository(at.stage);
      if (at.wire === 'executor') {
        expect(await answerTo(at, call, { executed: result })).toEqual(result);
        return;
      }
      const { diff } = (await answerTo(at, diffCall)).result as { diff: string };
      writeFileSync(join(at.stage.root, 'src/auth.js'), before);
      expect(await answerTo(at, { ...call, args: { diff } })).toEqual(result);
      expect(at.stage.text('src/auth.js')).toBe(after);
    },
  },
  {
    id: 'apply_patch: all or nothing',
    item: 'A diff that does not fit is `PATCH_APPLY_FAILED` and changes nothing',
    on: ['tool', 'socket'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
      const diff =
        '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-three\n+3\n';
      const answer = await answerTo(at, { tool_name: 'apply_patch', args: { diff } });
      expect(answer).toMatchObject({
        error: { code: 'PATCH_APPLY_FAILED', message: expect.stringContaining('b.txt') },
      });
      expect([at.stage.text('a.txt'), at.stage.text('b.txt')]).toEqual(['one\n', 'two\n']);
    },
  },
  {
    id: 'apply_patch: 5 MB',
    item: 'A patch has at most 5 MB; the file it changes may be larger than 1 MB',
    on: ['socket'],
    async play(at) {
      const long = `${'x'.repeat(99)}\n`.repeat(22_000);
      at.stage.lay({ 'big.txt': `${long}end\n` });
      const change = (line: string): string =>
        `--- a/big.txt\n+++ b/big.txt\n@@ -22001 +22001 @@\n-end\n+${line}\n`;
      const patch = (diff: string): Json => ({ tool_name: 'apply_patch', args: { diff } });
      expect(codeOf(await answerTo(at, patch(change('x'.repeat(5 * MiB)))))).toBe('FILE_TOO_LARGE');
      expect(await answerTo(at, patch(change('END')))).toMatchObject({
        result: { success: true, files_modified: ['big.txt'] },
      });
      expect(at.stage.text('big.txt').endsWith('\nEND\n')).toBe(true);
    },
  },
  {
    id: 'apply_patch: line endings',
    item: 'A patch keeps the line endings of the file',
    on: ['socket'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\r\ntwo\r\n' });
      const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
      await answerTo(at, { tool_name: 'apply_patch', args: { diff } });
      expect(at.stage.text('a.txt')).toBe('one\r\n2\r\n');
    },
  },
  {
    id: 'apply_patch: clean tree',
    item: 'The working tree must be clean',
    on: ['socket'],
    differs:
      "the files of the patch must fit it; `strict: true` asks for a clean tree (the document's own example 2 begins with changes)",
    async play(at) {
      at.stage.repository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
      writeFileSync(join(at.stage.root, 'b.txt'), 'changed\n');
      const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n';
      const patch = (strict: boolean): Json => ({ tool_name: 'apply_patch', args: { diff, strict } });
      expect(codeOf(await answerTo(at, patch(true)))).toBe('PATCH_APPLY_FAILED');
      expect(await answerTo(at, patch(false))).toMatchObject({ result: { success: true } });
    },
  },
  {
    id: 'Example 2',
    item: 'Git workflow: `git.diff`, the review of that diff, `apply_patch` of the chosen part',
    on: ['socket'],
    examples: ['538.1', '538.2', '538.3'],
    async play(at, diffing = {}, review = {}, apply = {}) {
      changedRepository(at.stage);
      const { diff } = (await answerTo(at, diffing)).result as { diff: string };
      const chosenResult = await answerTo(at, { ...review, args: { ...(review.args as Json), diff } });
      expect(chosenResult).toMatchObject({
        result: { action: 'apply', chunks_selected: [1], chunks_total: 1 },
      });
      const { filtered_diff } = chosenResult.result as { filtered_diff: string };
      expect(filtered_diff).toContain("\n+  console.log('Authenticating user:', user.id);\n");
      writeFileSync(join(at.stage.root, 'src/auth.js'), before);
      expect(await answerTo(at, { ...apply, args: { diff: filtered_diff } })).toMatchObject({
        result: { success: true, files_modified: ['src/auth.js'] },
      });
      expect(at.stage.text('src/auth.js')).toBe(after);
    },
  },
  {
    id: 'git.status',
    item: 'The request',
    on: ['tool', 'socket', 'executor'],
    examples: ['400'],
    async play(at, call = {}) {
      changedRepository(at.stage);
      const entries = [{ path: 'src/auth.js', index: '.', worktree: 'M' }];
      const result = { branch: 'main', ahead: 0, behind: 0, clean: false, entries };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
    },
  },
  {
    id: 'git.log',
    item: 'The request: `limit` and `path`',
    on: ['tool', 'socket', 'executor'],
    examples: ['413'],
    async play(at, call = {}) {
      changedRepository(at.stage);
      const commit = { author: 'Ann', email: 'ann@example.org', subject: 'first', body: '' };
      const executed = {
        result: { commits: [{ ...commit, hash: 'a'.repeat(40), date: '2026-01-02T03:04:05Z' }] },
      };
      expect(await answerTo(at, call, { executed })).toMatchObject({ result: { commits: [commit] } });
    },
  },
  {
    id: 'git.branch',
    item: 'The request creates a branch',
    on: ['tool', 'socket', 'executor'],
    examples: ['427'],
    async play(at, call = {}) {
      changedRepository(at.stage);
      const result = { created: 'feature/new-auth' };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
      const list = { tool_name: 'git.branch', args: { action: 'list' } };
      if (at.wire !== 'executor')
        expect(await answerTo(at, list)).toMatchObject({
          result: { branches: [{ name: 'feature/new-auth' }, { name: 'main', current: true }] },
        });
    },
  },
  {
    id: 'git.commit',
    item: 'The request commits what is staged; nothing staged is `GIT_ERROR`',
    on: ['tool', 'socket', 'executor'],
    examples: ['441'],
    async play(at, call = {}) {
      const git = at.stage.repository({ 'src/auth.js': before });
      if (at.wire !== 'executor') expect(codeOf(await answerTo(at, call))).toBe('GIT_ERROR');
      writeFileSync(join(at.stage.root, 'src/auth.js'), after);
      git('add', '.');
      const result = { branch: 'main', files_committed: 1, insertions: 1, deletions: 0 };
      const executed = { result: { hash: 'a'.repeat(40), ...result } };
      expect(await answerTo(at, { ...call, call_id: 'call_2' }, { executed })).toMatchObject({ result });
      if (at.wire !== 'executor')
        expect(git('log', '-1', '--format=%s')).toBe('Add authentication logging\n');
    },
  },
  {
    id: 'git: remotes',
    item: 'Nothing is pushed: there is no `git.push`',
    on: ['tool', 'socket'],
    async play(at) {
      const answer = await answerTo(at, { tool_name: 'git.push', args: {} });
      expect(codeOf(answer)).toBe('TOOL_NOT_FOUND');
    },
  },
];
