// An undo on a full disk: it fails, leaves nothing unfinished behind, and works once there is room.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf } from './support/code-of.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { canMount, fillDisk, mountTmpfs } from './support/tmpfs.ts';
import { treeState } from './support/tree-state.ts';
import { workbench } from './support/workbench.ts';

const names = Array.from({ length: 20 }, (_, n) => `${n}.txt`);
const old = `old ${'x'.repeat(3000)}`;

test.runIf(canMount())('an undo that met a full disk leaves no temp file', async () => {
  using scratch = scratchFolder();
  using _disk = mountTmpfs(scratch.folder, 'size=3m');
  for (const folder of [scratch.root, scratch.home]) mkdirSync(folder);
  for (const name of names) writeFileSync(join(scratch.root, name), `${old}\n`);
  await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
  const before = treeState(scratch.root);
  // So many that their old contents are kept in one pack, out of which undo makes a file for each.
  const diff = names.map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${old}\n+new\n`).join('');
  expect(codeOf(await bench.call('apply_patch', { diff }))).toBe('completed');
  const filler = fillDisk(scratch.home);
  expect(codeOf(await bench.call('undo', {}))).toBe('NO_SPACE');
  expect(tempsIn(scratch.folder)).toEqual([]);
  rmSync(filler);
  expect(codeOf(await bench.call('undo', {}))).toBe('completed');
  expect(treeState(scratch.root)).toEqual(before);
  expect(tempsIn(scratch.folder)).toEqual([]);
});

function tempsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => /\.(tmp|part|new)$/.test(path));
}
