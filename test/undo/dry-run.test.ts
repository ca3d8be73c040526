// What an undo says beforehand is what it will do, for all calls of a turn.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { workbench } from '../support/workbench.ts';

test('files of older calls of the turn that will be left are named', async () => {
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
  await using bench = await workbench({ files, mode: 'trusted' });
  for (const path of Object.keys(files))
    await bench.call('write_file', { path, content: `new ${path}\n` }, { turn: 1 });
  appendFileSync(join(bench.root, 'a.txt'), 'mine\n');
  const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab' });
  const { plan } = await registry.approvalRequest('undo', {});
  const left = plan.notes.map(String).filter((note) => note.includes('it was changed since'));
  expect(left).toEqual([expect.stringContaining('a.txt')]);
  expect(plan.diff?.text).not.toContain('a/a.txt');
  expect(plan.diff?.text).toContain('a/b.txt');
  const undone = await bench.call('undo', {});
  expect(undone).toMatchObject({ data: { refused: [{ path: 'a.txt' }] } });
});
