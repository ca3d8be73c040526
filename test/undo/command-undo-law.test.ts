import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { git } from '../support/sample-checkout.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { worktreeState } from '../support/worktree-state.ts';

const place = fc.constantFrom('a', 'b', 'd', 'd/c', 'd/e', 'd/e/f', 'l', 'n', 'n/m', 'u', 'd/é x', 'd/e/f/g');
const mode = fc.constantFrom('644', '600', '755', '444', '640');
const folderMode = fc.constantFrom('755', '700', '750', '775');

/** One piece of a shell script; what makes no sense in the tree as it is by then fails quietly. */
const step = fc.oneof(
  fc.tuple(place, fc.constantFrom('x', 'yy', 'a', '')).map(([at, text]) => `printf '${text}' > '${at}'`),
  place.map((at) => `echo more >> '${at}'`),
  place.map((at) => `rm -rf '${at}'`),
  place.map((at) => `mkdir -p '${at}'`),
  fc.tuple(place, place).map(([from, to]) => `mv -T '${from}' '${to}'`),
  fc.tuple(place, place).map(([from, to]) => `cp -rT '${from}' '${to}'`),
  fc.tuple(place, place).map(([to, at]) => `ln -sfT '${to}' '${at}'`),
  fc.tuple(mode, place).map(([bits, at]) => `[ -f '${at}' ] && [ ! -L '${at}' ] && chmod ${bits} '${at}'`),
  fc
    .tuple(folderMode, place)
    .map(([bits, at]) => `[ -d '${at}' ] && [ ! -L '${at}' ] && chmod ${bits} '${at}'`),
);
const script = fc.array(step, { minLength: 1, maxLength: 8 });

function createFiles(root: string): void {
  mkdirSync(join(root, 'd', 'e'), { recursive: true });
  for (const [path, text] of [
    ['a', 'a\n'],
    ['b', 'b\r\n'],
    ['d/c', 'c'],
    ['d/e/f', 'f'],
    ['d/é x', ''],
  ] as const)
    writeFileSync(join(root, path), text);
  symlinkSync('b', join(root, 'l'));
}

test.each(['a checkout', 'a folder without git'])(
  'in %s undo(command) is the tree it was, and redo the tree it became, whatever the command',
  async (setting) => {
    using template = scratchFolder();
    createFiles(template.root);
    if (setting === 'a checkout') {
      git(template.root, 'init', '-q');
      git(template.root, 'add', '.');
      git(template.root, 'commit', '-qm', 'one');
      git(template.root, 'update-index', '-q', '--refresh');
    }
    writeFileSync(join(template.root, 'u'), 'untracked');
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        using scratch = scratchFolder();
        cpSync(template.root, scratch.root, {
          recursive: true,
          verbatimSymlinks: true,
          preserveTimestamps: true,
        });
        if (setting === 'a checkout') git(scratch.root, 'update-index', '-q', '--really-refresh');
        await using bench = commandBench(scratch);
        const before = worktreeState(scratch.root);
        await bench.sh(`exec 2>/dev/null; ${steps.join('; ')}; true`);
        const after = worktreeState(scratch.root);
        const undoOutcome = await bench.call('undo');
        if (undoOutcome.status !== 'completed') {
          expect(after).toEqual(before);
          return;
        }
        expect(undoOutcome.data.refused).toEqual([]);
        expect(worktreeState(scratch.root)).toEqual(before);
        expect(await bench.call('redo')).toMatchObject({ status: 'completed', data: { refused: [] } });
        expect(worktreeState(scratch.root)).toEqual(after);
      }),
      { numRuns: 50 },
    );
  },
  60_000,
);
