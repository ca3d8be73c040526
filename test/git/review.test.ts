// Seed 000's Git workflow: the review of what `git diff` shows, whose changes are in the files already, and the part that was chosen.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { dataOf, gitBench } from '../support/git-bench.ts';
import { approveAll, type Human } from '../support/workbench.ts';

const numbered = Array.from({ length: 30 }, (_, i) => `line ${i}\n`);
const files = {
  'changed.txt': numbered.join(''),
  'crlf.txt': 'a\r\nb\r\n',
  'open.txt': 'one\ntwo',
  'gone.txt': 'bye\n',
  'old name.txt': 'the same\ntext\nin it\n',
};
const after = numbered.with(3, 'LINE 3\n').with(25, 'LINE 25\n').join('');

async function changedRepository(human: Human = approveAll) {
  const place = await gitBench({ files, human });
  place.writeText('changed.txt', after);
  place.writeText('crlf.txt', 'a\r\nB\r\n');
  place.writeText('open.txt', 'one\nTWO');
  place.writeText('new.txt', 'new\n');
  rmSync(join(place.root, 'gone.txt'));
  renameSync(join(place.root, 'old name.txt'), join(place.root, 'new name.txt'));
  place.git('add', '-A');
  const diff = place.git('diff', 'HEAD', '-M');
  const read = (path: string): string | undefined =>
    existsSync(join(place.root, path)) ? readFileSync(join(place.root, path), 'utf8') : undefined;
  return { place, diff, read };
}

test('a diff of changes that are in the tree is reviewed, and its chosen part applies to the tree before them', async () => {
  const notes: string[][] = [];
  const { place, diff, read } = await changedRepository(({ plan }) => {
    notes.push(plan.notes);
    if (plan.question === undefined) return { kind: 'approve' };
    const total = plan.diff?.hunks ?? 0;
    // All but the second hunk of changed.txt, and the first of it edited.
    const text = numbered.slice(0, 7).with(3, 'mine\n').join('');
    const take = Array.from({ length: total }, (_, i) => i + 1).filter((number) => number !== 2);
    return { kind: 'hunks', take, edits: [{ hunk: 1, text }] };
  });
  await using _place = place;
  const reviewed = dataOf(await place.call('apply_patch_review', { diff }));
  expect(notes[0]).toEqual(['The files already have these changes.']);
  expect(reviewed).toMatchObject({ action: 'apply', chunks_selected: [1, 3, 4, 5, 6, 7], chunks_total: 7 });
  expect(read('changed.txt')).toBe(after);
  place.git('reset', '--hard', '-q');
  expect(codeOf(await place.call('apply_patch', { diff: String(reviewed.filtered_diff) }))).toBe('completed');
  expect(read('changed.txt')).toBe(numbered.with(3, 'mine\n').join(''));
  expect([read('crlf.txt'), read('open.txt'), read('new.txt')]).toEqual(['a\r\nB\r\n', 'one\nTWO', 'new\n']);
  expect([read('gone.txt'), read('old name.txt'), read('new name.txt')]).toEqual([
    undefined,
    undefined,
    files['old name.txt'],
  ]);
});

test('a diff that fits the files neither before nor after is refused', async () => {
  const { place, diff } = await changedRepository();
  await using _place = place;
  place.writeText('changed.txt', after.replace('LINE 3\n', 'theirs\n'));
  expect(codeOf(await place.call('apply_patch_review', { diff }))).toBe('PATCH_APPLY_FAILED');
});
