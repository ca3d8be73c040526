// The two names of a file that a command renamed are undone and redone together, or left together.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { worktreeState } from '../support/worktree-state.ts';

const files = { 's.txt': 'text of s\n', 'u.txt': 'u\n', empty: '' };

/** A line, what the person writes to after it or after its undo, and what is left because of that. */
const renames: [string, string, string[]][] = [
  ['mv s.txt t.txt', 's.txt', ['s.txt', 't.txt']],
  ['mv s.txt t.txt', 't.txt', ['s.txt', 't.txt']],
  ['mv empty t.txt', 'empty', ['empty', 't.txt']],
  ['mv empty t.txt', 't.txt', ['empty', 't.txt']],
  ['mv s.txt u.txt', 's.txt', ['s.txt', 'u.txt']],
  ['mv s.txt u.txt', 'u.txt', ['s.txt', 'u.txt']],
  ['mv u.txt x; mv s.txt u.txt; mv x s.txt', 's.txt', ['s.txt', 'u.txt']],
  ['mv u.txt v.txt; mv s.txt u.txt', 'v.txt', ['s.txt', 'u.txt', 'v.txt']],
];

for (const isRedo of [false, true])
  test.each(renames)(
    `%s, then %s is written to, ${isRedo ? 'redo' : 'undo'} leaves %j`,
    async (line, path, left) => {
      using scratch = scratchFolder({ files });
      await using bench = commandBench(scratch);
      await bench.sh(`${line}; echo other > other.txt`);
      const after = worktreeState(scratch.root);
      if (isRedo) await bench.call('undo');
      const written = join(scratch.root, path);
      writeFileSync(written, 'mine\n', { flag: 'a' });
      const mine = worktreeState(scratch.root);
      const preview = isRedo ? undefined : await bench.preview();
      const outcome = await bench.call(isRedo ? 'redo' : 'undo');
      const refused = left.map((path) => expect.objectContaining({ path }));
      expect(outcome).toMatchObject({ data: { refused: expect.arrayContaining(refused) } });
      const names = (outcome.status === 'completed' ? outcome.data.refused : []) as { path: string }[];
      expect(names.map(({ path }) => path).sort()).toEqual(left);
      if (preview !== undefined)
        expect(
          preview.files.flatMap(({ path, state }) => (state === 'refused' ? [path] : [])).sort(),
        ).toEqual(left);
      // Nothing but the other file was undone or redone.
      const { 'other.txt': _, ...rest } = mine;
      expect(worktreeState(scratch.root)).toEqual(
        isRedo ? { ...mine, 'other.txt': after['other.txt'] } : rest,
      );
    },
  );

test('the new name of a file stays where its old one is taken by what may be an only copy', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a\n', '.gitignore': 'data/\n' } });
  const git = newRepository(scratch.root);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  mkdirSync(join(scratch.root, 'data'));
  writeFileSync(join(scratch.root, 'data', 'db'), 'precious\n');
  await using bench = commandBench(scratch);
  await bench.sh('mv a.txt c.txt; mv data/db a.txt; echo n > n.txt');
  const preview = await bench.preview();
  expect(preview.files.flatMap(({ path, state }) => (state === 'ready' ? [path] : []))).toEqual(['n.txt']);
  expect(await bench.call('undo')).toMatchObject({
    data: {
      refused: [
        { path: 'c.txt', reason: expect.stringMatching(/only copy of the old a\.txt/) },
        { path: 'a.txt', reason: expect.stringMatching(/may be the only copy/) },
      ],
    },
  });
  expect(readFileSync(join(scratch.root, 'c.txt'), 'utf8')).toBe('a\n');
});
