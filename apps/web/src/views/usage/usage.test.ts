import type { DayUsage } from '@codelab/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allDays, axisMaximum } from './usage-figures.ts';

test('the axis ends at a round number, not far above the highest bar', () => {
  expect([0, 1, 3, 7, 11, 42, 1001].map(axisMaximum)).toEqual([1, 1, 4, 8, 12, 60, 1200]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
      expect(axisMaximum(most)).toBeGreaterThanOrEqual(most);
      expect(axisMaximum(most)).toBeLessThanOrEqual(most * 2.5);
    }),
  );
});

test('days without anything are drawn as well, at least a week', () => {
  const used = (day: string): DayUsage =>
    ({ day, turns: 1, tokens_in: 5, tokens_out: 1, cost_usd: null, calls: 0 }) as DayUsage;
  const days = allDays([used('2026-02-27'), used('2026-03-02')], '2026-03-03');
  expect(days.map(({ day }) => day)).toEqual([
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
    '2026-03-03',
  ]);
  expect(days.map(({ turns }) => turns)).toEqual([0, 0, 1, 0, 0, 1, 0]);
  expect(allDays([used('2020-01-01')], '2026-03-03')).toHaveLength(60);
});
