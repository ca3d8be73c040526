import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applySpans, composeSpans, type ReplacedSpan } from './spans.ts';

test('spans far apart stay apart, in the places of the old text', () => {
  const first = [{ start: 0, end: 1, replacement: 'XYZ' }];
  const second = [{ start: 8, end: 9, replacement: '' }];
  expect(composeSpans(first, second)).toEqual([
    { start: 0, end: 1, replacement: 'XYZ' },
    { start: 6, end: 7, replacement: '' },
  ]);
});

test('a change inside what the first wrote, and one that reaches beyond it, become one span', () => {
  const first = [{ start: 2, end: 4, replacement: 'hello' }];
  expect(composeSpans(first, [{ start: 3, end: 4, replacement: 'u' }])).toEqual([
    { start: 2, end: 4, replacement: 'hullo' },
  ]);
  expect(composeSpans(first, [{ start: 6, end: 9, replacement: '!' }])).toEqual([
    { start: 2, end: 6, replacement: 'hell!' },
  ]);
});

test('the composed spans do what both changes do one after the other, and never touch', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), spansSeed(), spansSeed(), (text, firstSeed, secondSeed) => {
      const first = spansFor(text, firstSeed);
      const middle = applySpans(text, first);
      const second = spansFor(middle, secondSeed);
      const composed = composeSpans(first, second);
      expect(applySpans(text, composed)).toBe(applySpans(middle, second));
      for (const [index, span] of composed.entries()) {
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.start).toBeGreaterThan(composed[index - 1]?.end ?? -1);
      }
    }),
    { numRuns: 3_000 },
  );
});

function spansSeed() {
  return fc.array(fc.tuple(fc.nat(8), fc.nat(6), fc.string({ maxLength: 5 })), { maxLength: 6 });
}

function spansFor(text: string, seed: [number, number, string][]): ReplacedSpan[] {
  const spans: ReplacedSpan[] = [];
  let at = 0;
  for (const [gap, length, replacement] of seed) {
    const start = at + gap;
    if (start > text.length) break;
    const end = Math.min(start + length, text.length);
    spans.push({ start, end, replacement });
    at = end;
  }
  return spans;
}
