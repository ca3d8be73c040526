import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findOccurrences } from './tolerant-match.ts';

test('finds what a plain search finds, long or short, overlapping or not', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 });
  const needle = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      few,
      needle,
      fc.constantFrom(1, 40, 300),
      fc.boolean(),
      (base, pattern, times, overlapping) => {
        // Repeated, both strings are long enough for the linear search to take over from the engine's.
        const text = base.repeat(times);
        const long = pattern.repeat(times);
        expect(findOccurrences(text, long, overlapping)).toEqual(plainSearch(text, long, overlapping));
      },
    ),
    { numRuns: 500 },
  );
});

test('long repetitive strings do not cost the product of their lengths', () => {
  const text = 'a'.repeat(1_000_000);
  const half = 'a'.repeat(250_000);
  const started = performance.now();
  expect(findOccurrences(text, `${half}b${half}`, true)).toEqual([]);
  expect(findOccurrences(text, half, true)).toHaveLength(750_001);
  expect(findOccurrences(text, half, false)).toEqual([0, 250_000, 500_000, 750_000]);
  expect(performance.now() - started).toBeLessThan(1_000);
});

function plainSearch(text: string, pattern: string, overlapping: boolean): number[] {
  const found: number[] = [];
  let at = text.indexOf(pattern);
  while (at !== -1) {
    found.push(at);
    at = text.indexOf(pattern, at + (overlapping ? 1 : pattern.length));
  }
  return found;
}
