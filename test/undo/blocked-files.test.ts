// What the system forbids to restore is named, and the rest of the set is undone.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const line =
  'chmod u+w ro; echo 2 > ro/f; rm ro/g; chmod u-w ro; echo 2 > a; echo 2 > new; mkdir d; echo 2 > d/x';

test.runIf(isRoot)('files in a closed folder are left, and restored once it is open', () => {
  using scratch = scratchFolder({ files: { a: '1\n', 'ro/f': '1\n', 'ro/g': '1\n' }, owner: 65534 });
  const { folder, root } = scratch;
  chmodSync(folder, 0o755);
  chmodSync(join(root, 'ro'), 0o555);
  const call = (tool: string, args = {}) =>
    callsInChild({ folder, calls: [{ tool, args }], wrapper: asNobody, env: { HOME: folder } }).outcomes[0];
  expect(call('run_command', { command: line })).toMatchObject({ status: 'completed' });
  const contents = (): unknown[] =>
    ['a', 'ro/f', 'ro/g', 'new', 'd'].map((path) => {
      if (!existsSync(join(root, path))) return null;
      return path === 'd' ? 'folder' : readFileSync(join(root, path), 'utf8');
    });
  const after = contents();
  expect(after).toEqual(['2\n', '2\n', null, '2\n', 'folder']);
  expect(call('undo')).toMatchObject({
    status: 'completed',
    data: {
      refused: ['ro/g', 'ro/f'].map((path) => ({
        path,
        code: 'PERMISSION_DENIED',
        reason: expect.stringContaining(path),
      })),
    },
  });
  expect(contents()).toEqual(['1\n', '2\n', null, null, null]);
  chmodSync(join(root, 'ro'), 0o755);
  expect(call('undo')).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(contents()).toEqual(['1\n', '1\n', '1\n', null, null]);
  for (const _ of [1, 2]) expect(call('redo')).toMatchObject({ data: { refused: [] } });
  expect(contents()).toEqual(after);
});
