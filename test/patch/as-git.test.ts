import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Files = Record<string, string | Buffer>;

const write = (folder: string, files: Files): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
};

const OLD: Files = { 'x.txt': 'a\nb\nc\n', 'src/y z.txt': 'y\n', 'src/gone.txt': 'g\n', 'same.txt': 's\n' };
const NEW: Files = { 'x.txt': 'a\nB\nc\n', 'src/y z.txt': 'Y\n', 'same.txt': 's\n', 'src/t\tb.txt': 'n\n' };

/** `diff -ruN old new`, by the program itself, which exits with 1 when they differ. */
const compared = (folder: string): string => {
  write(join(folder, 'old'), OLD);
  write(join(folder, 'new'), NEW);
  const run = 'LC_ALL=C TZ=America/Lima diff -ruN old new; test $? = 1';
  return execFileSync('sh', ['-c', run], { cwd: folder, encoding: 'utf8' });
};

/** Owners and modes are those of the same process; only names and contents can differ. */
const trees = (bench: Workbench, folder: string) => [treeState(bench.root), treeState(folder)];

test('what diff -ruN writes makes the new tree, in the folder itself or beside it', async () => {
  using scratch = scratchFolder();
  const diff = compared(scratch.folder);
  expect(diff).toContain('1969-12-31 19:00:00');
  const newFolder = join(scratch.folder, 'new');
  await using inside = await workbench({ files: OLD, mode: 'trusted' });
  expect(codeOf(await inside.call('apply_patch', { diff }))).toBe('completed');
  const [actual, goal] = trees(inside, newFolder);
  expect(actual).toEqual(goal);

  await using besideBench = await workbench({ mode: 'trusted' });
  cpSync(join(scratch.folder, 'old'), join(besideBench.root, 'new'), { recursive: true });
  expect(codeOf(await besideBench.call('apply_patch', { diff }))).toBe('completed');
  expect(treeState(join(besideBench.root, 'new'))).toEqual(goal);
});

test('a copy made for comparing is left alone, and the approval names the file that is meant', async () => {
  await using bench = await workbench({ files: { 'x.txt': 'a\n', 'x.txt.orig': 'a\n' } });
  const questions: ApprovalRequest[] = [];
  bench.human((approval) => {
    questions.push(approval);
    return { kind: 'approve' };
  });
  const diff = '--- x.txt.orig\t2024-01-02 03:04:05.0 +0100\n+++ x.txt\n@@ -1 +1 @@\n-a\n+b\n';
  expect(await bench.call('apply_patch', { diff })).toMatchObject({ data: { files: [{ path: 'x.txt' }] } });
  expect(questions[0]?.plan.touches).toEqual([{ asked: 'x.txt', path: 'x.txt', access: 'write' }]);
  expect(questions[0]?.plan.diff?.text).toBe(
    'diff --git a/x.txt b/x.txt\n--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n',
  );
});

test('names that leave the workspace are refused, also where their end would not', async () => {
  await using bench = await workbench({ files: { x: 'a\n' }, mode: 'trusted' });
  for (const name of ['../x', '/x', '../../work/x']) {
    const diff = `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-a\n+b\n`;
    expect(codeOf(await bench.call('apply_patch', { diff })), name).toMatch(/OUTSIDE|INVALID_PATH/);
  }
});

test('bytes are changed, made and taken back, and the question shows that they are not shown', async () => {
  using scratch = scratchFolder();
  const image = (seed: number) => Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i * seed) & 0xff));
  const repository = join(scratch.folder, 'repository');
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
  write(repository, { 'a.png': image(3), 'b.txt': 'b\n' });
  git('init', '--quiet');
  git('add', '.');
  rmSync(join(repository, 'a.png'));
  write(repository, { 'a.png': image(7), 'b.txt': 'B\n', 'c/c.png': image(11) });
  git('add', '--intent-to-add', '.');
  const diff = git('diff', '--binary');

  await using bench = await workbench({ files: { 'a.png': image(3), 'b.txt': 'b\n' } });
  const questions: ApprovalRequest[] = [];
  bench.human((approval) => {
    questions.push(approval);
    return { kind: 'approve' };
  });
  const before = treeState(bench.root);
  expect(codeOf(await bench.call('apply_patch', { diff }))).toBe('completed');
  rmSync(join(repository, '.git'), { recursive: true });
  const [actual, goal] = trees(bench, repository);
  expect(actual).toEqual(goal);
  expect(questions[0]?.plan.notes).toEqual([
    'a.png: gets other bytes that the diff does not show.',
    'c/c.png: contains bytes that the diff does not show.',
  ]);
  expect(questions[0]?.plan.diff?.text).toContain('Binary files a/a.png and b/a.png differ\n');
  expect(codeOf(await bench.call('undo', {}))).toBe('completed');
  expect(treeState(bench.root)).toEqual(before);
});
