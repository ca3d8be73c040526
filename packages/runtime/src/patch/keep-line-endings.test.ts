import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepLineEndings } from './lines.ts';

describe('keepLineEndings', () => {
  test('leaves a text alone that brings carriage returns, or replaces a file without any', () => {
    expect(keepLineEndings('a\r\nb\r\n', 'a\nb\r\n')).toBe('a\nb\r\n');
    expect(keepLineEndings('a\nb\n', 'a\nc\n')).toBe('a\nc\n');
    expect(keepLineEndings('', 'a\n')).toBe('a\n');
  });

  test('a file of CRLF lines stays one', () => {
    expect(keepLineEndings('a\r\nb\r\n', 'x\na\n\nb')).toBe('x\r\na\r\n\r\nb');
    expect(keepLineEndings('a\r\nb', 'a\nb\nc\n')).toBe('a\r\nb\r\nc\r\n');
  });

  test('in a mixed file each line keeps its own ending and a new one takes that of the line above', () => {
    expect(keepLineEndings('a\r\nb\nc\r\nd\n', 'a\nx\nb\ny\nc\nd\nz\n')).toBe('a\r\nx\r\nb\ny\nc\r\nd\nz\n');
  });

  test('a line that replaces another takes over its ending', () => {
    expect(keepLineEndings('a\r\nb\nc\r\n', 'a\nX\nc\n')).toBe('a\r\nX\nc\r\n');
    expect(keepLineEndings('a\nb\r\nc\n', 'X\nY\nZ\n')).toBe('X\nY\r\nZ\n');
    expect(keepLineEndings('a\r\nb\nc', 'a\nX\nY\n')).toBe('a\r\nX\nY\n');
  });

  test('when lines are replaced by more or fewer, the new ones take the ending of the line above', () => {
    expect(keepLineEndings('a\r\nb\nc\r\n', 'a\nX\nY\nc\n')).toBe('a\r\nX\r\nY\r\nc\r\n');
    expect(keepLineEndings('a\r\nb\nc\nd\r\n', 'a\nX\nd\n')).toBe('a\r\nX\r\nd\r\n');
  });

  test('a new first line takes the ending of the old first line', () => {
    expect(keepLineEndings('a\r\nb\n', 'x\na\nb\n')).toBe('x\r\na\r\nb\n');
    expect(keepLineEndings('a\nb\r\n', 'x\na\nb\n')).toBe('x\na\nb\r\n');
  });

  test('the final newline follows the new text', () => {
    expect(keepLineEndings('a\nb\r\n', 'a\nb')).toBe('a\nb');
    expect(keepLineEndings('a\nb\r\nc', 'a\nb\nc\n')).toBe('a\nb\r\nc\r\n');
    expect(keepLineEndings('a\nb\r\nc', 'a\nb\nc\nd\n')).toBe('a\nb\r\nc\r\nd\r\n');
    expect(keepLineEndings('a\nb\r\n', '')).toBe('');
  });

  test('a blank last line is not taken for the end of the text', () => {
    expect(keepLineEndings('x\n\r\n', 'y\nx\n\n')).toBe('y\nx\n\r\n');
  });

  test('a file of lone carriage returns stays one', () => {
    expect(keepLineEndings('a\rb\rc', 'a\nx\nc')).toBe('a\rx\rc');
  });
});

describe('laws', () => {
  const ending = fc.constantFrom('\n', '\r\n');
  const word = fc.constantFrom('', 'a', 'b', 'c');
  const line = fc.tuple(word, ending).map(([content, end]) => content + end);
  const file = fc
    .tuple(fc.array(line, { maxLength: 30 }), word)
    .map(([lines, tail]) => lines.join('') + tail);
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n', '\n'), maxLength: 60 });

  test('only carriage returns are added', () => {
    fc.assert(
      fc.property(file, plain, (before, after) => {
        expect(keepLineEndings(before, after).replaceAll('\r\n', '\n')).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the same text with plain endings gives the file back', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const anyFile = fc.array(fc.tuple(word, ends), { maxLength: 30 }).map((lines) => {
      // A lone carriage return before an empty line that ends with \n would read as one CRLF.
      return lines.map(([content, end]) => `${content}.${end}`).join('');
    });
    fc.assert(
      fc.property(anyFile, (before) => {
        expect(keepLineEndings(before, before.replaceAll(/\r\n?/g, '\n'))).toBe(before);
      }),
    );
  });

  test('lines replaced one for one keep every ending', () => {
    const replaced = fc.array(fc.tuple(ending, fc.boolean()), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(replaced, (lines) => {
        const before = lines.map(([end], i) => `old ${i}${end}`).join('');
        const after = lines.map(([end, isNew], i) => `${isNew ? 'new' : 'old'} ${i}${end}`).join('');
        expect(keepLineEndings(before, after.replaceAll('\r\n', '\n'))).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });

  test('an insertion changes the ending of no old line', () => {
    const insertion = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), insertion, (lines, [place, count]) => {
        const at = Math.min(place, lines.length);
        const added = Array.from({ length: count }, (_, index) => `new ${index}\n`);
        const after = [...lines.slice(0, at), ...added, ...lines.slice(at)].join('').replaceAll('\r\n', '\n');
        const result = keepLineEndings(lines.join(''), after);
        expect(result.replaceAll(/new \d\r?\n/g, '')).toBe(lines.join(''));
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a large mixed file is quick', () => {
  const before = Array.from(
    { length: 21_000 },
    (_, i) => `the text of row number ${i}${i % 3 ? '\r\n' : '\n'}`,
  );
  const after = before.map((row) => row.replace('\r', '')).with(10_500, 'edited\n');
  const started = performance.now();
  const result = keepLineEndings(before.join(''), after.join(''));
  expect(performance.now() - started).toBeLessThan(500);
  expect(result).toBe(before.with(10_500, 'edited\n').join(''));
});
