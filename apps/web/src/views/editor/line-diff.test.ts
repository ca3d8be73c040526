import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

const text = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', ''), fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 24 })
  .chain((lines) => fc.constantFrom(lines.flat().join(''), lines.flat().join('').concat('end')));

test('law: the difference leads from the one to the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = lineDiff('f', before, after);
      if (before === after) expect(diff).toBe('');
      else expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test('it is short where little changed', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
  const after = lines.with(20, 'other\n').toSpliced(35, 1);
  expect(lineDiff('f', lines.join(''), after.join(''))).toBe(
    [
      '--- a/f',
      '+++ b/f',
      '@@ -18,7 +18,7 @@',
      ' line 17',
      ' line 18',
      ' line 19',
      '-line 20',
      '+other',
      ' line 21',
      ' line 22',
      ' line 23',
      '@@ -33,7 +33,6 @@',
      ' line 32',
      ' line 33',
      ' line 34',
      '-line 35',
      ' line 36',
      ' line 37',
      ' line 38',
      '',
    ].join('\n'),
  );
});

test('texts that share nothing are one block, at once', () => {
  const many = (word: string): string => Array.from({ length: 8000 }, (_, at) => `${word}${at}\n`).join('');
  const started = performance.now();
  expect(lineDiff('f', many('a'), many('b')).length).toBeGreaterThan(8000);
  expect(performance.now() - started).toBeLessThan(3000);
});
