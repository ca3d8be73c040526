// An undo or discard that is cancelled between two of its sets: the record has what it did.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { contents } from '../support/small-patch.ts';
import { workbench } from '../support/workbench.ts';

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

test('an undo names the calls that it did not come to, and its first half is redone', async () => {
  await using bench = await workbench({ files, mode: 'trusted' });
  for (const path of Object.keys(files))
    await bench.call('write_file', { path, content: 'new\n' }, { turn: 1 });
  const stop = new AbortController();
  const undoing = bench.call('undo', {}, { signal: stop.signal });
  while (readFileSync(join(bench.root, 'c.txt'), 'utf8') !== 'c\n') await otherWork();
  stop.abort();
  expect(await undoing).toMatchObject({
    effects: [{ path: 'c.txt' }],
    data: {
      refused: [
        { path: 'b.txt', code: 'CANCELLED' },
        { path: 'a.txt', code: 'CANCELLED' },
      ],
    },
  });
  expect(contents(bench.root)).toEqual({ 'a.txt': 'new\n', 'b.txt': 'new\n', 'c.txt': 'c\n' });
  expect(await bench.call('redo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(contents(bench.root)).toEqual({ 'a.txt': 'new\n', 'b.txt': 'new\n', 'c.txt': 'new\n' });
  expect(await bench.call('undo', { turn: 1 })).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(contents(bench.root)).toEqual(files);
});

test('a discard records the files it has brought back, and undo removes them again', async () => {
  await using bench = await workbench({ files: { 'd/x.txt': 'x\n' }, mode: 'trusted' });
  // Its mode is set once it is filled, as a set of its own.
  chmodSync(join(bench.root, 'd'), 0o500);
  await bench.call('delete_file', { path: 'd', recursive: true }, { turn: 1 });
  const stop = new AbortController();
  const discarding = bench.call('discard_changes', { turn: 1, all: true }, { signal: stop.signal });
  while (!existsSync(join(bench.root, 'd', 'x.txt'))) await otherWork();
  stop.abort();
  expect(await discarding).toMatchObject({
    error: { code: 'CANCELLED' },
    effects: [
      { op: 'mkdir', path: 'd' },
      { op: 'create', path: 'd/x.txt' },
    ],
  });
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(existsSync(join(bench.root, 'd'))).toBe(false);
});
