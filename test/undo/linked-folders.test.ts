// A folder that a person replaced by a link within the workspace: what is behind the link is another place, and undo leaves it.
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const reason =
  'd, on the way to d/x.txt, is a link now and was a folder; put the folder back, then try again';
const refused = [{ path: 'd/x.txt', reason, code: 'NOT_A_DIRECTORY' }];

/** Returns how to put the folder back. */
function linkTo({ root }: Workbench, target: string): () => void {
  renameSync(join(root, 'd'), join(root, 'moved'));
  symlinkSync(target, join(root, 'd'));
  return () => {
    renameSync(join(root, 'd'), join(root, 'link'));
    renameSync(join(root, 'moved'), join(root, 'd'));
  };
}

const calls: [string, Record<string, unknown>][] = [
  ['write_file', { path: 'd/x.txt', content: 'new\n' }],
  ['delete_file', { path: 'd/x.txt' }],
];

for (const isForced of [false, true])
  test.each(calls)(`what %s changed below it is refused by name, force ${isForced}`, async (tool, args) => {
    const files = { 'd/x.txt': 'x\n', 'd/y.txt': 'y\n', 'other/z.txt': 'z\n' };
    await using bench = await workbench({ files, mode: 'trusted' });
    bench.human(approveAll);
    for (const target of ['moved', 'other']) {
      await bench.call(tool, args);
      const putBack = linkTo(bench, target);
      const before = treeState(bench.root);
      const details = expect.objectContaining({ refused });
      expect(await bench.call('undo', { force: isForced })).toMatchObject({ error: { details } });
      expect(treeState(bench.root)).toEqual(before);
      putBack();
      expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
      renameSync(join(bench.root, 'link'), join(bench.folder, `link to ${target}`));
    }
  });

test('a redo and an undo of a discard leave it as well', async () => {
  await using bench = await workbench({ files: { 'd/x.txt': 'x\n' }, mode: 'trusted' });
  await bench.call('write_file', { path: 'd/x.txt', content: 'new\n' }, { turn: 1 });
  await bench.call('discard_changes', { turn: 1, files: ['d/x.txt'] });
  const putBack = linkTo(bench, 'moved');
  const details = expect.objectContaining({ refused });
  expect(await bench.call('undo', {})).toMatchObject({ error: { details } });
  putBack();
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  linkTo(bench, 'moved');
  expect(await bench.call('redo', {})).toMatchObject({ error: { details } });
  const discard = await bench.call('discard_changes', { turn: 1, files: ['d/x.txt'] });
  expect(discard).toMatchObject({ error: { code: 'STALE' } });
});
