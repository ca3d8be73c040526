import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';
import { treeState } from '../support/tree-state.ts';
import { workbench } from '../support/workbench.ts';

const names = Array.from({ length: 12 }, (_, i) => `f${i}.txt`);
const line = 'x'.repeat(63);

describe.runIf(canMount())('F-13: a patch whose last files find no room', () => {
  test('leaves every file as it was, and goes through once there is room', async () => {
    using scratch = scratchFolder();
    using _disk = mountTmpfs(scratch.root, 'size=512k');
    for (const name of names) writeFileSync(join(scratch.root, name), 'old\n');
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    const filler = fillDisk(scratch.root);
    truncateSync(filler, 512 * 1024 - 120 * 1024);
    const before = treeState(scratch.root);
    const added = `+${line}\n`.repeat(300);
    const diff = names
      .map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1,301 @@\n old\n${added}`)
      .join('');
    expect(codeOf(await bench.call('apply_patch', { diff }))).toBe('NO_SPACE');
    expect(treeState(scratch.root)).toEqual(before);
    rmSync(filler);
    expect(codeOf(await bench.call('apply_patch', { diff }))).toBe('completed');
    expect(readdirSync(scratch.root).sort()).toEqual([...names].sort());
  });
});
