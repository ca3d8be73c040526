import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitIntoLines } from './lines.ts';

test('an empty text has no lines', () => {
  expect(splitIntoLines('')).toEqual([]);
});

test('each line keeps its own terminator and the last may lack one', () => {
  expect(splitIntoLines('a\nb\r\nc\rd\n\r\r\n\ne')).toEqual([
    'a\n',
    'b\r\n',
    'c\r',
    'd\n',
    '\r',
    '\r\n',
    '\n',
    'e',
  ]);
});

test('a terminator at the end opens no further line', () => {
  expect(splitIntoLines('a\r')).toEqual(['a\r']);
  expect(splitIntoLines('a\n')).toEqual(['a\n']);
  expect(splitIntoLines('a\r\n')).toEqual(['a\r\n']);
});

test('law: joined lines are the text, and each is exactly one line', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n', '\u2028') });
  fc.assert(
    fc.property(text, (value) => {
      const lines = splitIntoLines(value);
      expect(lines.join('')).toBe(value);
      for (const line of lines) expect(line).toMatch(/^(?:[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+)$/);
    }),
    { numRuns: 500 },
  );
});
