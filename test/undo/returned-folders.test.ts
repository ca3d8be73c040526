// A deleted folder that came back whole: what a person has put into it or changed in it since is not removed with it again.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inspect, previewUndo } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { treeState } from '../support/tree-state.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const changes: [string, (folder: string) => void][] = [
  ['a new file', (folder) => writeFileSync(join(folder, 'e', 'mine.txt'), 'mine\n')],
  ['a new empty folder', (folder) => mkdirSync(join(folder, 'e', 'mine'))],
  ['an edited file', (folder) => appendFileSync(join(folder, 'x.txt'), 'mine\n')],
  ['an edited file of the same size', (folder) => writeFileSync(join(folder, 'x.txt'), 'X\n')],
  ['a file with another mode', (folder) => chmodSync(join(folder, 'x.txt'), 0o755)],
  ['a renamed file', (folder) => renameSync(join(folder, 'x.txt'), join(folder, 'z.txt'))],
  ['a link that leads elsewhere', (folder) => relink(join(folder, 'link'))],
];

function relink(link: string): void {
  rmSync(link);
  symlinkSync('e', link);
}

const refused = [{ path: 'd', reason: 'something in it was changed since', code: 'STALE' }];
const details = expect.objectContaining({ refused });
const done = { status: 'completed', data: { refused: [] } };

async function withFolder(folder: string): Promise<Workbench> {
  const files = { 'd/x.txt': 'x\n', 'd/e/y.txt': 'y\n' };
  const bench = await workbench({ folder, files, mode: 'trusted' });
  symlinkSync('x.txt', join(bench.root, 'd', 'link'));
  // As a checkout of long ago: what is written now is newer.
  utimesSync(join(bench.root, 'd', 'x.txt'), 1_600_000_000.123, 1_600_000_000.123);
  utimesSync(join(bench.root, 'd', 'e', 'y.txt'), 1_600_000_000.999, 1_600_000_000.999);
  bench.human(approveAll);
  return bench;
}

describe.each([[false], [true]])('with the state folder elsewhere: %s', (isApart) => {
  test.skipIf(isApart && oneDevice).each(changes)(
    '%s keeps it from a redo that is not forced',
    async (_, change) => {
      using devices = twoDevices();
      if (isApart) symlinkSync(devices.memory, join(devices.disk, 'home'));
      await using bench = await withFolder(devices.disk);
      await bench.call('delete_file', { path: 'd', recursive: true });
      for (const tool of ['undo', 'redo', 'undo']) expect(await bench.call(tool, {})).toMatchObject(done);
      change(join(bench.root, 'd'));
      const before = treeState(bench.root);
      const preview = await inspect(bench.host, { session: 's1' }, (context) =>
        previewUndo(context, { verb: 'redo', selection: {}, isForced: false }),
      );
      expect(preview.files).toMatchObject([{ path: 'd', state: 'refused', why: refused[0]?.reason }]);
      expect(await bench.call('redo', {})).toMatchObject({ error: { details } });
      expect(treeState(bench.root)).toEqual(before);
      expect(await bench.call('redo', { force: true })).toMatchObject(done);
      expect(await bench.call('undo', {})).toMatchObject(done);
      expect(treeState(bench.root)).toEqual(before);
    },
  );
});

test('a model that forces the redo must ask a person, who is told which folder', async () => {
  using devices = twoDevices();
  await using bench = await withFolder(devices.disk);
  await bench.call('delete_file', { path: 'd', recursive: true });
  await bench.call('undo', {});
  writeFileSync(join(bench.root, 'd', 'mine.txt'), 'mine\n');
  const asked: string[] = [];
  bench.human((approval) => {
    asked.push(approval.plan.notes.join('\n'));
    return undefined;
  });
  await bench.call('redo', { force: true });
  expect(asked.join('\n')).toMatch(/changed since.*\bd\b|\bd\b.*changed since/s);
});
