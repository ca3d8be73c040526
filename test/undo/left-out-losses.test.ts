// What a command removes or replaces in a place that undo leaves out is named, and what it puts there is undone.
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { commandBench } from '../support/command-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';

function withData(): ReturnType<typeof scratchFolder> {
  const scratch = scratchFolder({ files: { '.gitignore': 'data/\n*.big\n', 'lib/x': 'x' } });
  newRepository(scratch.root);
  mkdirSync(join(scratch.root, 'data'));
  mkdirSync(join(scratch.root, 'src', 'data'), { recursive: true });
  for (const name of ['data/db', 'data/other', 'src/data/db']) writeFileSync(join(scratch.root, name), name);
  writeFileSync(join(scratch.root, 'old.big'), Buffer.alloc(2 * 1024 * 1024));
  return scratch;
}

test.each([
  ['rm -r data', [], 'Removed', 'data'],
  ['rm -r data; ln -s lib data', ['data'], 'Removed', 'data'],
  ['rm -r data; echo x > data', ['data'], 'Removed', 'data'],
  ['rm -r data; mkdir data', [], 'Removed', 'data'],
  ['rm -r src; echo x > src', ['src', 'src'], 'Removed', 'src/data'],
  ['rm -r src; ln -s lib src', ['src', 'src'], 'Removed', 'src/data'],
  ['rm old.big', [], 'Removed', 'old.big'],
  ['rm old.big; mkdir old.big', [], 'Removed', 'old.big'],
  ['echo x > old.big', [], 'Changed', 'old.big'],
])('%s: the loss is named, and the effects are %j', async (command, paths, verb, lost) => {
  using scratch = withData();
  await using bench = commandBench(scratch);
  const ran = await bench.sh(command);
  expect(ran.paths).toEqual(paths);
  const text = verb === 'Removed' ? `it back: ${lost}.` : `back what was there before: ${lost}.`;
  expect(ran.notes).toContain(`${verb}, and undo can't bring ${text}`);
  if (paths.length > 0) expect(await bench.call('undo')).toMatchObject({ status: 'completed' });
  if (paths.includes('data')) expect(existsSync(join(scratch.root, 'data'))).toBe(false);
  if (paths.includes('src')) expect(lstatSync(join(scratch.root, 'src')).isDirectory()).toBe(true);
});

test('in the sandbox the files of such a folder are named, and the folder also where nothing else changed', async () => {
  using scratch = withData();
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  const notes = async (command: string): Promise<string> => {
    const ran = await bench.call('run_command', { command });
    return JSON.stringify(ran.status === 'completed' ? (ran.data.notes ?? []) : ran.error);
  };
  const leftOut = 'Undo leaves out what is ignored by git or made by tools: data.';
  expect(await notes('echo t > data/tmp; rm data/tmp')).toContain(leftOut);
  expect(await notes('cat data/db')).not.toContain('Undo leaves out');
  expect(await notes('echo x > data/db')).toContain('back what was there before: data/db.');
  const replaced = await notes(
    'echo y > data/new; mv data/new data/other; echo z > data/z.tmp; mv data/z.tmp data/z',
  );
  expect(replaced).toContain('back what was there before: data/other.');
  await notes('rm data/z');
  const removed = await notes('echo t > data/tmp; rm data/tmp; find data -type f -delete');
  expect(removed).toMatch(
    /Removed, and undo can't bring it back: data\/(?:db, data\/other|other, data\/db)\./,
  );
});

test('a file whose name is not UTF-8 is named where it is removed or replaced', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
  const file = Buffer.concat([Buffer.from(`${scratch.root}/x`), Buffer.from([0xff])]);
  writeFileSync(file, 'precious');
  await using bench = commandBench(scratch);
  const replaced = await bench.sh('sed -i s/p/Q/ ./*');
  expect(replaced.notes).toContain("Changed, and undo can't bring back what was there before: x\ufffd.");
  const removed = await bench.sh('rm ./*');
  expect(removed.notes).toContain("Removed, and undo can't bring it back: x\ufffd.");
});

test('a removed file without a copy is called removed', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const budget = { copy: { bytes: 0, files: 0 }, walk: { entries: 1000, ms: 60_000 } };
  await using bench = commandBench({ ...scratch, budget });
  const { notes } = await bench.sh('rm a.txt; echo x > b.txt');
  expect(notes).toEqual([
    "Removed, and undo can't bring it back: a.txt.",
    "Changed, and undo can't bring back what was there before: b.txt.",
  ]);
});

test.runIf(isRoot)(
  'a folder that the command closes is open again after undo, and its files are not called changed',
  () => {
    for (const [command, effects] of [
      ['chmod 000 lib', ['lib']],
      ['chmod 000 lib; chmod 600 a.txt', ['a.txt', 'lib']],
    ] as const) {
      using scratch = scratchFolder({ files: { 'lib/x': 'x', 'lib/d/y': 'y', 'a.txt': 'a' }, owner: 65534 });
      const { outcomes } = callsInChild({
        folder: scratch.folder,
        calls: [
          { tool: 'run_command', args: { command, sandbox: 'off' } },
          { tool: 'undo', args: {} },
        ],
        wrapper: asNobody,
      });
      const [ran, undone] = outcomes;
      expect(ran).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
      expect(ran?.effects.map(({ path }) => path).sort()).toEqual(effects);
      expect(JSON.stringify(ran)).not.toContain('but not by it');
      expect(undone).toMatchObject({ status: 'completed', data: { refused: [] } });
      expect(lstatSync(join(scratch.root, 'lib')).mode & 0o777).toBe(0o755);
    }
  },
);
