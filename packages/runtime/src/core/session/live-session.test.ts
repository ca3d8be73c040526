import { expect, test } from 'vitest';
import { createCommitQueue } from './live-session.ts';

/** Adds what is wanted at once, and tells which were written together. */
async function groupsOf(wanted: readonly (string | undefined)[]): Promise<(string | undefined)[][]> {
  const groups: (string | undefined)[][] = [];
  const queue = createCommitQueue(async (group) => {
    groups.push(group.map(({ options }) => options.about));
    for (const { resolve } of group) resolve([]);
  });
  await Promise.all(wanted.map((about) => queue.add(() => [], about === undefined ? {} : { about })));
  return groups;
}

test('what looks at different calls is written together; the same call, or all of them, is not', async () => {
  expect(await groupsOf(['a', 'b', 'c'])).toEqual([['a', 'b', 'c']]);
  expect(await groupsOf(['a', 'b', 'a', 'c'])).toEqual([
    ['a', 'b'],
    ['a', 'c'],
  ]);
  expect(await groupsOf(['a', undefined, 'b', 'c'])).toEqual([['a'], [undefined], ['b', 'c']]);
  expect(await groupsOf([undefined, undefined])).toEqual([[undefined], [undefined]]);
});

test('a group that fails is told so, and those after it are written', async () => {
  let groups = 0;
  const queue = createCommitQueue(async (group) => {
    if (++groups === 1) throw new Error('no space');
    for (const { resolve } of group) resolve([]);
  });
  const [first, second] = [queue.add(() => [], {}), queue.add(() => [], {})];
  await expect(first).rejects.toThrow('no space');
  expect(await second).toEqual([]);
  expect(await queue.add(() => [], { about: 'later' })).toEqual([]);
});
