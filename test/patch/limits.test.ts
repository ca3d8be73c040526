// Bounds on the size and number of a patch's files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approveAll, workbench } from '../support/workbench.ts';

const MiB = 1024 * 1024;
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`);

function patchOf(name: string, at: number): string {
  return `--- a/${name}\n+++ b/${name}\n@@ -${at + 1},1 +${at + 1},1 @@\n-line ${at}\n+changed\n`;
}

test('a small patch changes one line of a file that is too large to be written whole, and undo takes it back', async () => {
  const before = lines(200_000);
  await using bench = await workbench({ files: { 'large.txt': before.join('') } });
  bench.human(approveAll);
  const file = join(bench.root, 'large.txt');
  expect(readFileSync(file).length).toBeGreaterThan(2 * MiB);
  const outcome = await bench.call('apply_patch', { diff: patchOf('large.txt', 150_000) });
  expect(outcome).toMatchObject({ status: 'completed', data: { applied: true } });
  expect(readFileSync(file, 'utf8')).toBe(before.with(150_000, 'changed\n').join(''));
  await bench.call('undo', {});
  expect(readFileSync(file, 'utf8')).toBe(before.join(''));
});

test('beyond its limit a file is not patched', async () => {
  await using bench = await workbench();
  writeFileSync(join(bench.root, 'huge.txt'), `line 0\n${'x'.repeat(16 * MiB)}\n`);
  const outcome = await bench.call('apply_patch', { diff: patchOf('huge.txt', 0) });
  expect(outcome).toMatchObject({ error: { code: 'FILE_TOO_LARGE', details: { max_size: 16 * MiB } } });
});

test('in codelab a patch changes at most 50 files; other dialects name no such limit', async () => {
  const names = Array.from({ length: 51 }, (_, i) => `f${i}.txt`);
  await using bench = await workbench({ files: Object.fromEntries(names.map((name) => [name, 'line 0\n'])) });
  bench.human(approveAll);
  const diffOf = (count: number) =>
    names
      .slice(0, count)
      .map((name) => patchOf(name, 0))
      .join('');
  expect(await bench.call('apply_patch', { diff: diffOf(51) })).toMatchObject({
    error: { code: 'INVALID_ARGUMENTS', details: { files: 51, max_files: 50 } },
  });
  expect(await bench.call('apply_patch', { diff: diffOf(50) })).toMatchObject({ status: 'completed' });
  await bench.call('undo', {});
  const outcome = await bench.call('apply_patch', { diff: diffOf(51) }, { dialect: 'coder' });
  expect(outcome).toMatchObject({ status: 'completed' });
});
