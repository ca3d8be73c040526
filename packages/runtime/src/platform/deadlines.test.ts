import { expect, test } from 'vitest';
import { clearDeadline, setDeadline } from './deadlines.ts';

test('deadlines of one length end in the order in which they were set, but for cleared ones', async () => {
  const ended: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  setDeadline(5, () => ended.push('first'));
  const cleared = setDeadline(5, () => ended.push('cleared'));
  setDeadline(5, () => {
    ended.push('last');
    // The queue goes on for those that are set while others end.
    setDeadline(5, resolve);
  });
  clearDeadline(cleared);
  clearDeadline(cleared);
  await promise;
  expect(ended).toEqual(['first', 'last']);
});

test('a deadline ends when many of other lengths are set and cleared beside it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const others = Array.from({ length: 40 }, (_, i) => setDeadline(i + 1, () => resolve('cleared')));
  setDeadline(10, () => resolve('due'));
  for (const other of others) clearDeadline(other);
  clearDeadline(setDeadline(10, () => resolve('cleared')));
  expect(await promise).toBe('due');
});
