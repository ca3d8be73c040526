// A review knows what an undo takes back and a redo brings again, also of moves.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, readReview } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

async function reviewedMoves(bench: Workbench, turn: number | null): Promise<string[]> {
  const scope = { session: 's1', turn };
  const { files } = await inspect(bench.host, { session: 's1' }, (context) => readReview(context, scope));
  return files.map(({ op, path, from }) => [op, from, path].filter(Boolean).join(' '));
}

const files = { 'Readme.md': 'read me\n', 'index.js': 'index\n', 'lib/a.js': 'a\n' };

test.each(['s1', 'undo-session'])(
  'moves stay in the review after undo and redo in session %s',
  async (by) => {
    await using bench = await workbench({ mode: 'trusted', files });
    bench.human(approveAll);
    const turn = { turn: 1 };
    await bench.call('move_file', { from: 'Readme.md', to: 'README.txt' }, turn);
    await bench.call('move_file', { from: 'index.js', to: 'src/main.js' }, turn);
    await bench.call('move_file', { from: 'lib', to: 'library' }, turn);
    const moves = ['move Readme.md README.txt', 'move lib library', 'move index.js src/main.js'];
    expect(await reviewedMoves(bench, 1)).toEqual(moves);
    const scope = { scope: 'workspace' };
    for (let round = 0; round < 3; round++) {
      expect(await bench.call('undo', scope, { session: by })).toMatchObject({ data: { refused: [] } });
      expect([await reviewedMoves(bench, 1), await reviewedMoves(bench, null)]).toEqual([[], []]);
      expect(await bench.call('redo', scope, { session: by })).toMatchObject({ data: { refused: [] } });
      expect(existsSync(join(bench.root, 'src/main.js'))).toBe(true);
      expect([await reviewedMoves(bench, 1), await reviewedMoves(bench, null)]).toEqual([moves, moves]);
    }
  },
);
