import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineTable } from './line-table.ts';

test('finds what a plain search outwards finds, the later of two that are equally near', () => {
  const letters = fc.array(fc.constantFrom('a\n', 'b\n'), { maxLength: 400 });
  const pattern = fc.array(fc.constantFrom('a\n', 'b\n'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(letters, pattern, fc.nat(420), fc.nat(420), (lines, block, from, near) => {
      const found = lineTable(lines.join('')).nearest(block, from, near);
      expect(found).toBe(searchOutwards(lines, block, from, near));
    }),
    { numRuns: 500 },
  );
});

test('knows where lines start, the end of the text included', () => {
  const table = lineTable('a\n\nbc');
  expect([0, 1, 2, 3, 4, -1].map(table.startOf)).toEqual([0, 2, 3, 5, null, null]);
});

test('thousands of equal lines are searched in one pass, and far too many searches are given up', () => {
  const table = lineTable('a\n'.repeat(500_000));
  const pattern = [...Array<string>(250_000).fill('a\n'), 'b\n'];
  const start = performance.now();
  expect(table.nearest(pattern, 0, 400_000)).toBe(-1);
  const endless = lineTable(`b\n${'a\n'.repeat(500_000)}b\n`);
  expect(() => {
    for (let search = 0; search < 5_000; search++) endless.nearest(['a\n', 'b\n', 'a\n'], 0, 250_000);
  }).toThrow('Too many hunks');
  expect(performance.now() - start).toBeLessThan(5_000);
});

function searchOutwards(
  lines: readonly string[],
  block: readonly string[],
  from: number,
  near: number,
): number {
  const last = lines.length - block.length;
  if (from > last) return -1;
  const middle = Math.min(Math.max(near, from), last);
  const matchesAt = (start: number) =>
    start >= from && start <= last && block.every((line, index) => lines[start + index] === line);
  for (let distance = 0; distance <= lines.length; distance++) {
    if (matchesAt(middle + distance)) return middle + distance;
    if (matchesAt(middle - distance)) return middle - distance;
  }
  return -1;
}
