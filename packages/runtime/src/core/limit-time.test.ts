import { getEventListeners, once } from 'node:events';
import { expect, test } from 'vitest';
import { limitTime } from './run-and-record.ts';

test('it aborts with the outer signal, for the same reason', () => {
  const outer = new AbortController();
  using time = limitTime(outer.signal, 60_000);
  const { signal } = time;
  outer.abort('enough');
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
  using late = limitTime(outer.signal, undefined);
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, 'enough']);
});

test('it aborts when the time is up, counted from the beginning', async () => {
  using time = limitTime(new AbortController().signal, 20);
  await once(time.signal, 'abort');
  expect(time.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('once the work is over it holds nothing', () => {
  const outer = new AbortController();
  {
    using time = limitTime(outer.signal, 1);
    expect(time.signal.aborted).toBe(false);
    expect(getEventListeners(outer.signal, 'abort')).toHaveLength(1);
  }
  expect(getEventListeners(outer.signal, 'abort')).toHaveLength(0);
});
