import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { doorsTo } from '../support/doors.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const files = { 'a.txt': 'inside\n', 'spare.txt': 'spare\n', 'src/a.js': '1\n' };

type Spelling = (bench: Workbench) => string;

const real: Spelling = ({ root }) => root;
const linked: Spelling = ({ folder }) => join(folder, 'link');
const belowLink: Spelling = ({ folder }) => join(folder, 'up/work');

async function opened(): Promise<Workbench> {
  const bench = await workbench({ files });
  bench.human(approveAll);
  symlinkSync('work', join(bench.folder, 'link'));
  mkdirSync(join(bench.folder, 'other'));
  symlinkSync('.', join(bench.folder, 'up'));
  return bench;
}

const spellings: [string, Spelling][] = [
  ['its real path', real],
  ['a link to it', linked],
  ['a link above it', belowLink],
];

test.each(spellings)(
  'a path below the workspace by %s means the relative one, in every tool',
  async (_name, spell) => {
    for (const [at, { door, tool }] of doorsTo('', '').entries()) {
      await using bench = await opened();
      await using same = await opened();
      for (const path of ['a.txt', 'src', 'new/b.txt', '.']) {
        const absolute = doorsTo(join(spell(bench), path), join(spell(bench), 'spare.txt'))[at];
        const relative = doorsTo(path, 'spare.txt')[at];
        const [actual, expected] = [
          await bench.call(tool, absolute?.args ?? {}),
          await same.call(tool, relative?.args ?? {}),
        ];
        expect(codeOf(actual), `${door} ${path}`).toBe(codeOf(expected));
      }
      expect(Object.keys(treeState(bench.root)), door).toEqual(Object.keys(treeState(same.root)));
    }
  },
);

test.each(spellings)('a command starts in a folder given by %s', async (_name, spell) => {
  await using bench = await opened();
  const outcome = await bench.call('run_command', { command: 'ls', cwd: join(spell(bench), 'src') });
  expect(outcome).toMatchObject({ status: 'completed', data: { stdout: 'a.js\n' } });
});

test('a rule about a path speaks whatever its spelling', async () => {
  await using bench = await opened();
  for (const [, spell] of spellings) {
    const outcome = await bench.call('write_file', { path: join(spell(bench), '.git/config'), content: 'x' });
    expect(codeOf(outcome)).toBe('PERMISSION_DENIED');
  }
});
