// Whatever is in a tree: its copy on another device has all of it, also when an earlier copy was cut short, and nothing is left of it
// when it is removed.
import { chmodSync, lstatSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Directory } from '../../packages/runtime/src/workspace/directory.ts';
import { copyTree, removeTree } from '../../packages/runtime/src/workspace/trees/tree.ts';
import { oddTree, plantOddTree } from '../support/odd-tree.ts';
import { treeFacts } from '../support/tree-facts.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';

const none = { lost: [], lostCounts: {} };

test('a copy has every field of every entry, and a second copy mends the first', ({ skip }) => {
  skip(oneDevice !== undefined, oneDevice);
  fc.assert(
    fc.property(oddTree, fc.boolean(), fc.nat(100), (entries, isToDisk, torn) => {
      using folders = twoDevices();
      const [source, target] = isToDisk ? [folders.memory, folders.disk] : [folders.disk, folders.memory];
      plantOddTree(join(source, 't'), entries);
      using from = Directory.openRoot(source);
      using to = Directory.openRoot(target);
      const before = treeFacts(join(source, 't'));
      expect(copyTree(from, 't', to, 'c')).toMatchObject(none);
      expect(treeFacts(join(target, 'c'))).toEqual(before);
      tear(join(target, 'c'), torn);
      expect(copyTree(from, 't', to, 'c')).toMatchObject(none);
      expect(treeFacts(join(target, 'c'))).toEqual(before);
      expect(treeFacts(join(source, 't'))).toEqual(before);
      removeTree(to, 'c');
      expect(readdirSync(target)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

// As copies are that were cut short: files of the right size with wrong content, files that are too short, a folder with its first mode.
function tear(folder: string, offset: number): void {
  for (const [i, name] of readdirSync(folder, { encoding: 'buffer' }).entries()) {
    const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
    const stat = lstatSync(path);
    if (!stat.isFile()) continue;
    if ((i + offset) % 3 === 0) writeFileSync(path, Buffer.alloc(stat.size, 'torn'));
    if ((i + offset) % 3 === 1) truncateSync(path, 0);
  }
  chmodSync(folder, 0o700);
}
