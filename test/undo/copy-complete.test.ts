// The copy that is made before a command has everything within its bounds, however many files there are and however slow the machine is.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const many = 8000;
const nameOf = (n: number): string => `f${n}.txt`;
const contentOf = (n: number): string => `${n} ${'x'.repeat(n % 700)}\n`;

test('thousands of small files that only the workspace has are all restored', async () => {
  using scratch = scratchFolder();
  for (let n = 0; n < many; n++) writeFileSync(join(scratch.root, nameOf(n)), contentOf(n));
  await using bench = commandBench(scratch);
  const { paths, notes } = await bench.sh('for f in *.txt; do echo new > $f; done');
  expect(paths).toHaveLength(many);
  expect(notes).toEqual([]);
  expect(await bench.call('undo')).toMatchObject({ status: 'completed' });
  const wrong = Array.from({ length: many }, (_, n) => n).filter(
    (n) => readFileSync(join(scratch.root, nameOf(n)), 'utf8') !== contentOf(n),
  );
  expect(wrong).toEqual([]);
}, 120_000);

test('empty files, files around the size of a packed copy, modes and times are restored', async () => {
  const sizes = [0, 1, 65_535, 65_536, 65_537, 300_000];
  using scratch = scratchFolder();
  for (const size of sizes) writeFileSync(join(scratch.root, `f${size}`), 'y'.repeat(size), { mode: 0o640 });
  await using bench = commandBench(scratch);
  await bench.sh('rm f0 f1; for f in f*; do echo new > $f; chmod 755 $f; done');
  expect(await bench.call('undo')).toMatchObject({ status: 'completed' });
  for (const size of sizes) {
    const at = join(scratch.root, `f${size}`);
    expect(readFileSync(at, 'utf8')).toBe('y'.repeat(size));
    expect(statSync(at).mode & 0o777).toBe(0o640);
  }
});
