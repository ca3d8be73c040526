import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const END = '\n\\ No newline at end of file\n';
const head = (path: string, ...lines: string[]) => `diff --git a/${path} b/${path}\n${lines.join('\n')}\n`;
const creation = (path: string, target: string, end = END) =>
  `${head(path, 'new file mode 120000')}--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${target}${end}`;
const changed = (path: string, from: string, to: string) =>
  `${head(path, 'index 1111111..2222222 120000')}--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}${END}+${to}${END}`;
const deletion = (path: string, target: string) =>
  `${head(path, 'deleted file mode 120000')}--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${target}${END}`;
const file = (path: string) =>
  `${head(path, 'new file mode 100644')}--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+text\n`;

const targetOf = ({ root }: Workbench, path: string) => readlinkSync(join(root, path));

async function refused(bench: Workbench, diff: string, part: string): Promise<void> {
  const before = treeState(bench.folder, 'work');
  const outcome = await bench.call('apply_patch', { diff });
  expect(outcome, diff).toMatchObject({ error: { message: expect.stringContaining(part) } });
  expect(treeState(bench.folder, 'work')).toEqual(before);
}

test('a new link is asked about in every mode, with where it leads, and can be undone and redone', async () => {
  await using bench = await workbench({ files: { 'd/x.txt': 'x\n' }, mode: 'trusted' });
  const questions: ApprovalRequest[] = [];
  bench.human((approval) => {
    questions.push(approval);
    return { kind: 'approve' };
  });
  const before = treeState(bench.root);
  expect(codeOf(await bench.call('apply_patch', { diff: creation('l', 'd/x.txt') }))).toBe('completed');
  expect(questions.map(({ verdict }) => verdict)).toMatchObject([
    { verdict: 'ask', rule: 'new-link', reason: 'l becomes a symbolic link to d/x.txt.' },
  ]);
  expect(targetOf(bench, 'l')).toBe('d/x.txt');
  const after = treeState(bench.root);
  expect(codeOf(await bench.call('undo', {}))).toBe('completed');
  expect(treeState(bench.root)).toEqual(before);
  expect(codeOf(await bench.call('redo', {}))).toBe('completed');
  expect(treeState(bench.root)).toEqual(after);
});

test('a rejected link is not made, and a dry run only reports it', async () => {
  await using bench = await workbench({ files: { x: 'x\n' }, mode: 'trusted' });
  bench.human(() => ({ kind: 'reject' }));
  expect(codeOf(await bench.call('apply_patch', { diff: creation('l', 'x') }))).toBe('REJECTED');
  expect(codeOf(await bench.call('apply_patch', { diff: creation('l', 'x'), dry_run: true }))).toBe(
    'completed',
  );
  expect(Object.keys(treeState(bench.root))).toEqual(['.', 'x']);
});

test('links are made beside files, changed and deleted, all of them or none', async () => {
  await using bench = await workbench({ files: { 'd/x': 'x\n', y: 'y\n' }, mode: 'trusted' });
  bench.human(approveAll);
  const diff = creation('new/l', '../d/x') + creation('d/up', '..') + creation('m', 'not-yet') + file('n');
  expect(codeOf(await bench.call('apply_patch', { diff }))).toBe('completed');
  expect(['new/l', 'd/up', 'm'].map((path) => targetOf(bench, path))).toEqual(['../d/x', '..', 'not-yet']);

  const both = changed('m', 'not-yet', 'y') + deletion('d/up', '..');
  expect(codeOf(await bench.call('apply_patch', { diff: both }))).toBe('completed');
  expect(targetOf(bench, 'm')).toBe('y');
  expect(lstatSync(join(bench.root, 'd/up'), { throwIfNoEntry: false })).toBeUndefined();
  expect(codeOf(await bench.call('undo', {}))).toBe('completed');
  expect(['d/up', 'm'].map((path) => targetOf(bench, path))).toEqual(['..', 'not-yet']);

  await refused(bench, creation('k', 'y') + changed('m', 'other', 'y'), 'are not in the file');
  await refused(bench, creation('m', 'y'), 'exists already');
});

describe('a link is refused', () => {
  test.each([
    '/etc/passwd',
    '..',
    '../outside',
    'd/../../outside',
    'd/../x',
    './../work/x',
    'out/secret',
    'out',
    '',
    'a\nb',
    'a\0b',
    'x'.repeat(5000),
  ])('to %j', async (target) => {
    await using bench = await workbench({ files: { x: 'x\n', 'd/y': 'y\n' }, mode: 'trusted' });
    mkdirSync(join(bench.folder, 'outside'));
    symlinkSync('../outside', join(bench.root, 'out'));
    const lines = target.split('\n');
    const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}${END}`;
    const part = /^$|[\n\0]|x{99}/.test(target) ? 'is not a path' : 'where tools may not write';
    await refused(bench, `${head('l', 'new file mode 120000')}--- /dev/null\n+++ b/l\n${hunk}`, part);
  });

  test('when a line feed ends its target', async () => {
    await using bench = await workbench({ files: { x: 'x\n' }, mode: 'trusted' });
    await refused(bench, creation('l', 'x', '\n'), 'is not a path');
  });

  test('when other files of the patch would be beyond it', async () => {
    await using bench = await workbench({ files: { 'd/x': 'x\n' }, mode: 'trusted' });
    for (const diff of [creation('l', 'd') + file('l/n'), file('l/n') + creation('l', 'd')])
      await refused(bench, diff, 'beyond the symbolic link l');
  });

  test('in the place of a file, and a file in its place', async () => {
    await using bench = await workbench({ files: { x: 'x\n', y: 'y\n' }, mode: 'trusted' });
    symlinkSync('x', join(bench.root, 'l'));
    const removed = `${head('y', 'deleted file mode 100644')}--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n`;
    await refused(bench, removed + creation('y', 'x'), 'Delete the old one first');
    await refused(bench, deletion('l', 'x') + file('l'), 'Delete the old one first');
    await refused(bench, head('y', 'old mode 100644', 'new mode 120000'), 'makes no symbolic link');
    await refused(bench, changed('y', 'y', 'x'), 'but here is a file');
  });

  test('when the patch does not say that it is one', async () => {
    await using bench = await workbench({ files: { x: 'x\n' }, mode: 'trusted' });
    symlinkSync('x', join(bench.root, 'l'));
    await refused(bench, `--- a/l\n+++ b/l\n@@ -1 +1 @@\n-x\n+y\n`, 'is a symbolic link');
    await refused(bench, 'diff --git a/l b/m\nrename from l\nrename to m\n', 'is a symbolic link');
  });
});

test('a submodule is refused by its name', async () => {
  await using bench = await workbench({ files: { x: 'x\n' }, mode: 'trusted' });
  const commit = `Subproject commit ${'1'.repeat(40)}`;
  const diff = `${head('lib/sub', 'new file mode 160000')}--- /dev/null\n+++ b/lib/sub\n@@ -0,0 +1 @@\n+${commit}\n`;
  await refused(bench, diff, 'The submodule "lib/sub" cannot be changed by a patch');
});
