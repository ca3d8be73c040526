// The files that a run reports are the net result of its calls: every name but a deleted one exists at the end.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { changedFiles } from '../../apps/cli/src/run/tally.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const files = { 'a.txt': 'a\n', 'lib/x.js': 'x\n', 'lib/y.js': 'y\n', 'old/z.txt': 'z\n' };
type Call = [tool: string, args: Record<string, unknown>];
const write = (path: string): Call => ['write_file', { path, content: `${path} new\n` }];
const move = (from: string, to: string): Call => ['move_file', { from, to }];
const remove = (path: string): Call => ['delete_file', { path, recursive: true }];

async function reported(bench: Workbench, calls: readonly Call[]): Promise<string[]> {
  const effects: Effect[] = [];
  for (const [tool, args] of calls) {
    const outcome = await bench.call(tool, args, { turn: 1 });
    expect(outcome.status).toBe('completed');
    effects.push(...outcome.effects);
  }
  const net = changedFiles(effects);
  for (const { path, change } of net)
    expect([path, existsSync(join(bench.root, path))]).toEqual([path, change !== 'deleted']);
  return net.map(({ path, change }) => `${change} ${path}`);
}

test.each<[what: string, calls: Call[], net: string[]]>([
  ['a file in a new folder that is deleted again', [write('new/n.txt'), remove('new')], []],
  [
    'a file that is edited, then moved with its folder',
    [write('lib/x.js'), move('lib', 'src')],
    ['deleted lib/', 'created src/', 'modified src/x.js'],
  ],
  [
    'a new file in a folder that is moved',
    [write('lib/n.js'), remove('lib/y.js'), move('lib', 'src')],
    ['deleted lib/', 'created src/', 'created src/n.js'],
  ],
  ['a new folder that is moved', [write('new/n.txt'), move('new', 'later')], ['created later/n.txt']],
  ['an edited file in a folder that is deleted', [write('old/z.txt'), remove('old')], ['deleted old/']],
  [
    'a folder that is deleted and brought back',
    [write('old/z.txt'), remove('old'), ['undo', { call_id: 'call_2' }]],
    ['modified old/z.txt'],
  ],
  [
    'a file that is edited, then moved',
    [write('a.txt'), move('a.txt', 'b.txt')],
    ['deleted a.txt', 'created b.txt'],
  ],
])('%s', async (_what, calls, net) => {
  await using bench = await workbench({ mode: 'trusted', files });
  bench.human(approveAll);
  expect(await reported(bench, calls)).toEqual(net);
});
