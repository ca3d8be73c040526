// An undo on a full disk: it fails, leaves nothing unfinished behind, and works once there is room.
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const names = Array.from({ length: 20 }, (_, n) => `${n}.txt`);
const old = `old ${'x'.repeat(3000)}`;

test.runIf(canMount())('an undo that met a full disk leaves no temp file', async () => {
  using scratch = scratchFolder();
  using _disk = mountTmpfs(scratch.folder, 'size=3m');
  for (const folder of [scratch.root, scratch.home]) mkdirSync(folder);
  for (const name of names) writeFileSync(join(scratch.root, name), `${old}\n`);
  await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
  const before = treeState(scratch.root);
  // Enough files that their old contents are in one pack, from which undo restores each file.
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

type Full = 'root' | 'home';

/** A file was moved over another one; then its undo met a disk with so much space left. Returns what a second undo says, with room. */
async function undoTwice(full: Full, spareKiB: number): Promise<{ second: Outcome; isAsBefore: boolean }> {
  using scratch = scratchFolder();
  using _disk = mountTmpfs(scratch[full], 'size=3m');
  for (const folder of [scratch.home, join(scratch.root, 'd')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(scratch.root, 'a.txt'), 'a'.repeat(9000));
  writeFileSync(join(scratch.root, 'd/b.txt'), 'b'.repeat(9000));
  await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
  const before = treeState(scratch.root);
  const move = { from: 'a.txt', to: 'd/b.txt', overwrite: true };
  expect(codeOf(await bench.call('move_file', move))).toBe('completed');
  const filler = fillDisk(scratch[full]);
  truncateSync(filler, statSync(filler).size - spareKiB * 1024);
  await bench.call('undo', {});
  rmSync(filler);
  const second = await bench.call('undo', {});
  expect(tempsIn(scratch.folder)).toEqual([]);
  return { second, isAsBefore: isDeepStrictEqual(treeState(scratch.root), before) };
}

test.runIf(canMount())(
  'undo brings back what a move had replaced once there is room in the workspace',
  async () => {
    const { second, isAsBefore } = await undoTwice('root', 0);
    expect([codeOf(second), isAsBefore]).toEqual(['completed', true]);
  },
);

// The free space decides how far the first undo gets: nothing, only the move, or all but its record.
test.runIf(canMount())(
  'wherever the state folder is full, a second undo leaves everything as it was before',
  async () => {
    const codes = new Set<string>();
    for (const spareKiB of [12, 16, 20, 24, 28, 32]) {
      const { second, isAsBefore } = await undoTwice('home', spareKiB);
      expect(isAsBefore).toBe(true);
      if (second.status !== 'completed') expect(second.error.message).toBe('There is nothing to undo here.');
      codes.add(codeOf(second));
    }
    expect(codes).toContain('completed');
  },
);

test.runIf(canMount())(
  'what a forced undo put aside comes back where the disk has no room for what was deleted',
  async () => {
    using scratch = scratchFolder();
    using _disk = mountTmpfs(scratch.root, 'size=3m');
    for (const folder of [scratch.home, join(scratch.root, 'd')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(scratch.root, 'd/a.txt'), 'a'.repeat(200_000));
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    bench.human(approveAll);
    const before = treeState(scratch.root);
    await bench.call('delete_file', { path: 'd', recursive: true });
    writeFileSync(join(scratch.root, 'd'), 'mine');
    const replaced = treeState(scratch.root);
    const filler = fillDisk(scratch.root);
    await bench.call('undo', { force: true });
    rmSync(filler);
    expect(codeOf(await bench.call('redo', {}))).toBe('completed');
    expect(treeState(scratch.root)).toEqual(replaced);
    // The redo is undone first, then the deletion. What redo brought back is a person's.
    expect(codeOf(await bench.call('undo', {}))).toBe('STALE');
    for (const force of [true, true]) expect(codeOf(await bench.call('undo', { force }))).toBe('completed');
    expect(treeState(scratch.root)).toEqual(before);
  },
);

function tempsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => /\.(tmp|part|new)$/.test(path));
}
