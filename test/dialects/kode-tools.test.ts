// Kode's tools over real files: what their data says is what is on the disk.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findDialect } from '@codelab/dialects';
import { expect, test } from 'vitest';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

async function data(bench: Workbench, tool: string, args: Record<string, unknown>): Promise<unknown> {
  const kode = findDialect('kode', { root: bench.root });
  const call = kode.ask({ id: 'toolu_1', tool, args });
  const outcome = await bench.call(call.tool, call.args, { dialect: 'kode' });
  return kode.encode({ type: 'result', asked: call, outcome }).data;
}

test('Replace tells the content that the file has, whatever its line endings were', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one\r\ntwo\r\n', 'empty.txt': '' } });
  bench.human(approveAll);
  for (const [file_path, content] of [
    ['a.txt', 'one\nthree\n'],
    ['a.txt', 'one\r\nthree\n'],
    ['empty.txt', 'x'],
  ] as const) {
    const answer = await data(bench, 'Replace', { file_path, content });
    expect(answer).toMatchObject({
      type: 'update',
      content: readFileSync(join(bench.root, file_path), 'utf8'),
    });
    expect(answer).toMatchObject({ content, structuredPatch: [expect.anything()] });
  }
  const created = await data(bench, 'Replace', { file_path: 'new.txt', content: 'x\n' });
  expect(created).toMatchObject({ type: 'create', content: 'x\n', structuredPatch: [] });
  const edits = [{ old_string: '', new_string: 'y\n' }];
  expect(await data(bench, 'MultiEdit', { file_path: 'made.txt', edits })).toMatchObject({
    wasNewFile: true,
    structuredPatch: [{ newLines: 1 }],
  });
});

test('Edit replaces every place when it is told so, and refuses an unclear one otherwise', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'x x\n' } });
  bench.human(approveAll);
  const edit = { file_path: 'a.txt', old_string: 'x', new_string: 'y' };
  expect(await data(bench, 'Edit', edit)).not.toMatchObject({ newString: 'y' });
  expect(await data(bench, 'Edit', { ...edit, replace_all: true })).toMatchObject({
    oldString: 'x',
    newString: 'y',
    originalFile: 'x x\n',
  });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('y y\n');
});

test('Bash takes a description of the command, LS shows a link to a folder as a folder', async () => {
  await using bench = await workbench({ files: { 'src/a.ts': '' } });
  bench.human(approveAll);
  symlinkSync('src', join(bench.root, 'link'));
  const answer = await data(bench, 'Bash', { command: 'echo hi', description: 'Says hi' });
  expect(answer).toMatchObject({ stdout: 'hi', interrupted: false });
  const tree = String(await data(bench, 'LS', { path: bench.root }));
  expect(tree.split('\n').slice(1)).toEqual(['  - link/', '  - src/', '    - a.ts']);
});
