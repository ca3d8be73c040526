import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seeAgain } from './file-checks.ts';
import { Workspace } from './workspace.ts';

test('a file that can no longer be looked at after a change is not known, and is no reason to fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-seen-'));
  const root = join(folder, 'work');
  mkdirSync(join(root, 'd'), { recursive: true });
  writeFileSync(join(root, 'd/a.txt'), 'a\n');
  using workspace = Workspace.open(root);
  expect(seeAgain(workspace, 'd/a.txt')).toEqual([{ path: 'd/a.txt', print: expect.any(String) }]);
  rmSync(join(root, 'd'), { recursive: true });
  symlinkSync(folder, join(root, 'd'));
  expect(seeAgain(workspace, 'd/a.txt')).toEqual([]);
  rmSync(folder, { recursive: true });
});
