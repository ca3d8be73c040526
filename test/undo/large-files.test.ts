// Files that are too large for a digest, and those that became so: what somebody changed since is told by size and time.
import { closeSync, openSync, readFileSync, statSync, symlinkSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { workbench } from '../support/workbench.ts';

const size = 17 * 1024 * 1024;

/** Writes into the file, and leaves its size. */
function writeInto(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    writeSync(fd, 'mine', 4096);
  } finally {
    closeSync(fd);
  }
}

const refused = [{ path: 'large.bin', reason: 'it was changed since', code: 'STALE' }];
const details = expect.objectContaining({ refused });
const done = { status: 'completed', data: { refused: [] } };

test('one that a command made and a person wrote into stays', async () => {
  using scratch = scratchFolder({ files: {} });
  await using bench = commandBench(scratch);
  const file = join(scratch.root, 'large.bin');
  await bench.sh(`head -c ${size} /dev/zero > large.bin`);
  writeInto(file);
  expect(await bench.call('undo')).toMatchObject({ error: { details } });
  expect(readFileSync(file).toString('latin1', 4096, 4100)).toBe('mine');
});

for (const isApart of [false, true])
  test.skipIf(isApart && oneDevice)(
    `one that was deleted and came back is deleted again only unchanged, on ${isApart ? 'two devices' : 'one'}`,
    async () => {
      using devices = twoDevices();
      if (isApart) symlinkSync(devices.memory, join(devices.disk, 'home'));
      const files = { 'large.bin': Buffer.alloc(size) };
      await using bench = await workbench({ folder: devices.disk, files, mode: 'trusted' });
      bench.human(() => ({ kind: 'approve' }));
      await bench.call('delete_file', { path: 'large.bin' });
      for (const tool of ['undo', 'redo', 'undo']) expect(await bench.call(tool, {})).toMatchObject(done);
      writeInto(join(bench.root, 'large.bin'));
      expect(await bench.call('redo', {})).toMatchObject({ error: { details } });
      expect(statSync(join(bench.root, 'large.bin')).size).toBe(size);
    },
  );

test('one that a command wrote over, which undo has restored, is written over again only unchanged', async () => {
  using scratch = scratchFolder({ files: { 'large.bin': 'a'.repeat(size) } });
  await using bench = commandBench(scratch);
  await bench.sh(`head -c ${size} /dev/zero > large.bin`);
  for (const tool of ['undo', 'redo', 'undo']) expect(await bench.call(tool)).toMatchObject(done);
  writeInto(join(scratch.root, 'large.bin'));
  expect(await bench.call('redo')).toMatchObject({ error: { details } });
});

test('one that grew until it can’t be read is refused as changed, and the others are undone', async () => {
  await using bench = await workbench({ files: { 'large.bin': 'a\n', 'b.txt': 'b\n' }, mode: 'trusted' });
  for (const path of ['large.bin', 'b.txt'])
    await bench.call('write_file', { path, content: 'by the agent\n' }, { turn: 1 });
  truncateSync(join(bench.root, 'large.bin'), 3 * 1024 ** 3);
  expect(await bench.call('undo', {})).toMatchObject({ effects: [{ path: 'b.txt' }], data: { refused } });
});
