import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const path = fc.constantFrom('a.txt', 'b.txt', 'd/c.txt', 'd/e/f.txt', 'new.txt', 'n/n.txt', 'link.txt');
const pathOrFolder = fc.oneof({ weight: 3, arbitrary: path }, fc.constantFrom('d', 'd/e', 'n'));
const content = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n'), maxLength: 12 });

const step = fc.oneof(
  fc.record({ tool: fc.constant('write_file'), args: fc.record({ path, content }) }),
  fc.record({
    tool: fc.constant('delete_file'),
    args: fc.record({ path: pathOrFolder, recursive: fc.constant(true) }),
  }),
  fc.record({
    tool: fc.constant('move_file'),
    args: fc.record({ from: pathOrFolder, to: pathOrFolder, overwrite: fc.boolean() }),
  }),
  fc.record({
    tool: fc.constant('create_directory'),
    args: fc.record({ path: fc.constantFrom('d/new', 'x/y/z') }),
  }),
  fc.record({
    tool: fc.constant('edit_file'),
    args: fc.record({ path, old_string: fc.constant('a'), new_string: content, replace_all: fc.boolean() }),
  }),
);

const move = 'move_file' as const;
const folderInPlaceOfFile = [
  { tool: move, args: { from: 'a.txt' as const, to: 'n/n.txt' as const, overwrite: false } },
  { tool: move, args: { from: 'n' as const, to: 'a.txt' as const, overwrite: false } },
];

test('E-25: undo(do(x)) is the tree it was, with modes and links, for any turn; redo is the tree it became', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      using scratch = scratchFolder({ files: { 'a.txt': 'a\n', 'b.txt': 'b\r\n' } });
      mkdirSync(join(scratch.root, 'd', 'e'), { recursive: true });
      writeFileSync(join(scratch.root, 'd', 'c.txt'), 'aa', { mode: 0o755 });
      writeFileSync(join(scratch.root, 'd', 'e', 'f.txt'), 'f');
      symlinkSync('b.txt', join(scratch.root, 'link.txt'));
      await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
      bench.human(approveAll);
      const before = treeState(scratch.root);
      for (const { tool, args } of steps) await bench.call(tool, args, { turn: 1 });
      const after = treeState(scratch.root);
      const outcome = await bench.call('undo', {});
      if (outcome.status !== 'completed') {
        expect(after).toEqual(before);
        return;
      }
      expect(outcome.data.refused).toEqual([]);
      expect(treeState(scratch.root)).toEqual(before);
      for (const [tool, tree] of [
        ['redo', after],
        ['undo', before],
        ['redo', after],
      ] as const) {
        expect(await bench.call(tool, {})).toMatchObject({ status: 'completed', data: { refused: [] } });
        expect(treeState(scratch.root)).toEqual(tree);
      }
    }),
    { numRuns: 60, examples: [[folderInPlaceOfFile]] },
  );
}, 60_000);
