import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';

import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const read = (bench: Workbench, path: string): string => readFileSync(join(bench.root, path), 'utf8');
const codeOf = (outcome: Outcome): string =>
  outcome.status === 'completed' ? 'completed' : outcome.error.code;

describe('edits', () => {
  test('one unique piece is replaced and every other byte stays, CRLF included', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\r\ntwo\r\nthree\n' }, mode: 'trusted' });
    const outcome = await bench.call('edit_file', {
      path: 'a.txt',
      old_string: 'two',
      new_string: 'two $& 2',
    });
    expect(outcome).toMatchObject({
      status: 'completed',
      data: { replacements: 1, additions: 1, deletions: 1 },
    });
    expect(read(bench, 'a.txt')).toBe('one\r\ntwo $& 2\r\nthree\n');
  });

  test('what is missing or not unique is refused with the count and the nearest place', async () => {
    await using bench = await workbench({
      files: { 'a.txt': 'const a = 1;\nconst b = 2;\n' },
      mode: 'trusted',
    });
    const edit = (old_string: string) =>
      bench.call('edit_file', { path: 'a.txt', old_string, new_string: 'x' });
    expect(await edit('const ')).toMatchObject({
      error: { code: 'INVALID_ARGUMENTS', details: { reason: 'not_unique', matches: 2 } },
    });
    expect(await edit('const b = 3;')).toMatchObject({
      error: { details: { reason: 'not_found', nearest: { startLine: 2 } } },
    });
    expect(
      await bench.call('edit_file', { path: 'a.txt', old_string: 'zzz', new_string: 'x', replace_all: true }),
    ).toMatchObject({ status: 'failed' });
    expect(read(bench, 'a.txt')).toBe('const a = 1;\nconst b = 2;\n');
  });

  test('E-13, E-14: several edits see each other, and the second that fails undoes the first', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n' }, mode: 'trusted' });
    const edits = [
      { old_string: 'one', new_string: 'two' },
      { old_string: 'two', new_string: 'three' },
    ];
    expect(codeOf(await bench.call('multi_edit', { path: 'a.txt', edits }))).toBe('completed');
    expect(read(bench, 'a.txt')).toBe('three\n');
    const failing = [
      { old_string: 'three', new_string: 'four' },
      { old_string: 'nowhere', new_string: 'x' },
    ];
    expect(await bench.call('multi_edit', { path: 'a.txt', edits: failing })).toMatchObject({
      error: { details: { edit: 2 } },
    });
    expect(read(bench, 'a.txt')).toBe('three\n');
  });

  test('read before write, and not after somebody else wrote', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n' }, mode: 'trusted' });
    const edit = (old_string: string, new_string: string) =>
      bench.call('edit_file', { path: 'a.txt', old_string, new_string, must_have_read: true });
    expect(await edit('one', 'two')).toMatchObject({
      error: { message: 'File has not been read yet. Read it first before writing to it.' },
    });
    await bench.call('read_file', { path: 'a.txt' });
    expect(codeOf(await edit('one', 'two'))).toBe('completed');
    expect(codeOf(await edit('two', 'three'))).toBe('completed');
    writeFileSync(join(bench.root, 'a.txt'), 'theirs\n');
    expect(codeOf(await edit('theirs', 'x'))).toBe('STALE');
  });

  test.each(['edit_file', 'multi_edit'])('hunks of %s: a human takes one of two', async (tool) => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`);
    await using bench = await workbench({ files: { 'a.txt': lines.join('') } });
    bench.human(() => ({ kind: 'hunks', take: [2] }));
    const edits = [
      { old_string: 'line 3\n', new_string: 'LINE 3\n' },
      { old_string: 'line 25\n', new_string: 'LINE 25\n' },
    ];
    const args =
      tool === 'multi_edit'
        ? { path: 'a.txt', edits }
        : {
            path: 'a.txt',
            old_string: lines.slice(3, 26).join(''),
            new_string: ['LINE 3\n', ...lines.slice(4, 25), 'LINE 25\n'].join(''),
          };
    expect(codeOf(await bench.call(tool, args))).toBe('completed');
    expect(read(bench, 'a.txt')).toBe(
      lines.map((line) => (line === 'line 25\n' ? 'LINE 25\n' : line)).join(''),
    );
  });

  test.each(['edit_file', 'multi_edit'])(
    'hunks of %s of a file that changed meanwhile are asked about again, with the new diff',
    async (tool) => {
      const lines = Array.from({ length: 30 }, (_, i) => (i === 3 || i === 25 ? 'old\n' : `line ${i}\n`));
      await using bench = await workbench({ files: { 'a.txt': lines.join('') } });
      const diffs: (string | undefined)[] = [];
      bench.human(({ plan }) => {
        diffs.push(plan.diff?.text);
        writeFileSync(join(bench.root, 'a.txt'), lines.with(4, 'theirs\n').join(''));
        return { kind: 'hunks', take: [2] };
      });
      const edit = { old_string: 'old', new_string: 'new', replace_all: true };
      const args = tool === 'multi_edit' ? { edits: [edit] } : edit;
      expect(codeOf(await bench.call(tool, { path: 'a.txt', ...args }))).toBe('completed');
      expect(diffs.map((diff) => diff?.includes(' theirs\n'))).toEqual([false, true]);
      expect(read(bench, 'a.txt')).toBe(lines.with(4, 'theirs\n').with(25, 'new\n').join(''));
    },
  );
});

const twoFiles = (b: string) => `--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-one
+ONE
--- a/b.txt
+++ b/b.txt
@@ -1 +1 @@
-${b}
+TWO
`;

describe('patches', () => {
  test('all files or none', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' }, mode: 'trusted' });
    expect(await bench.call('apply_patch', { diff: twoFiles('other') })).toMatchObject({
      error: { code: 'PATCH_APPLY_FAILED' },
    });
    expect([read(bench, 'a.txt'), read(bench, 'b.txt')]).toEqual(['one\n', 'two\n']);
    expect(await bench.call('apply_patch', { diff: twoFiles('two'), dry_run: true })).toMatchObject({
      data: { applied: false },
      effects: [],
    });
    expect(read(bench, 'a.txt')).toBe('one\n');
    expect(codeOf(await bench.call('apply_patch', { diff: twoFiles('two') }))).toBe('completed');
    expect([read(bench, 'a.txt'), read(bench, 'b.txt')]).toEqual(['ONE\n', 'TWO\n']);
  });

  test('new, deleted, renamed and executable files, in any encoding', async () => {
    const latin1 = Buffer.from('caf\xe9\nold\n', 'latin1');
    await using bench = await workbench({
      files: { 'l.txt': latin1, 'gone.txt': 'x\n', 'from.txt': 'same\n', 'run.sh': 'echo\n' },
      mode: 'trusted',
    });
    const diff = `diff --git a/l.txt b/l.txt
--- a/l.txt
+++ b/l.txt
@@ -2 +2 @@
-old
+new
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/from.txt b/d/to.txt
similarity index 100%
rename from from.txt
rename to d/to.txt
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/n/new.txt b/n/new.txt
new file mode 100644
--- /dev/null
+++ b/n/new.txt
@@ -0,0 +1 @@
+brand new
`;
    expect(await bench.call('apply_patch', { diff })).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(bench.root, 'l.txt'))).toEqual(Buffer.from('caf\xe9\nnew\n', 'latin1'));
    expect(existsSync(join(bench.root, 'gone.txt')) || existsSync(join(bench.root, 'from.txt'))).toBe(false);
    expect([read(bench, 'd/to.txt'), read(bench, 'n/new.txt')]).toEqual(['same\n', 'brand new\n']);
    expect(statSync(join(bench.root, 'run.sh')).mode & 0o777).toBe(0o755);
    await bench.call('undo', {});
    expect(readFileSync(join(bench.root, 'l.txt'))).toEqual(latin1);
    expect([read(bench, 'gone.txt'), read(bench, 'from.txt')]).toEqual(['x\n', 'same\n']);
    expect(existsSync(join(bench.root, 'd')) || existsSync(join(bench.root, 'n'))).toBe(false);
    expect(statSync(join(bench.root, 'run.sh')).mode & 0o777).toBe(0o644);
  });

  test.each([
    ['D-01', '--- a/../../x\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n'],
    ['D-02', '--- /dev/null\n+++ /etc/cron.d/x\n@@ -0,0 +1 @@\n+x\n'],
    ['D-04', '--- /dev/null\n+++ "b/\\056\\056/x"\n@@ -0,0 +1 @@\n+x\n'],
    ['.git', '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n'],
    [
      'D-05',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n',
    ],
    ['D-17', '--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1 @@\n-one\n+x\n'],
    ['D-26', 'just some prose\n'],
  ])('a hostile patch is refused and changes nothing: %s', async (_id, diff) => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n' }, mode: 'trusted' });
    bench.human(approveAll);
    expect((await bench.call('apply_patch', { diff })).status).toBe('failed');
    expect(read(bench, 'a.txt')).toBe('one\n');
  });

  test('strict: only onto a tree without changes that are not committed', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n', 'b.txt': 'x\n' }, mode: 'trusted' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: bench.root, stdio: 'ignore' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
    const patch = { diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n', strict: true };
    writeFileSync(join(bench.root, 'b.txt'), 'changed\n');
    const dirty = await bench.call('apply_patch', patch);
    expect(dirty).toMatchObject({ error: { code: 'PATCH_APPLY_FAILED', details: { reason: 'not_clean' } } });
    expect(read(bench, 'a.txt')).toBe('one\n');
    git('checkout', '-q', 'b.txt');
    expect(codeOf(await bench.call('apply_patch', patch))).toBe('completed');
    expect(read(bench, 'a.txt')).toBe('two\n');
  });

  test('a review returns the diff of the chosen chunks and applies nothing', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
    bench.human(() => ({ kind: 'hunks', take: [2] }));
    const outcome = await bench.call('apply_patch_review', { diff: twoFiles('two'), message: 'Which?' });
    expect(outcome).toMatchObject({
      status: 'completed',
      data: { action: 'apply', chunks_selected: [2], chunks_total: 2 },
    });
    expect(read(bench, 'b.txt')).toBe('two\n');
    const diff = outcome.status === 'completed' ? String(outcome.data.filtered_diff) : '';
    await using other = await workbench({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' }, mode: 'trusted' });
    expect(codeOf(await other.call('apply_patch', { diff }))).toBe('completed');
    expect([read(other, 'a.txt'), read(other, 'b.txt')]).toEqual(['one\n', 'TWO\n']);
  });
});
