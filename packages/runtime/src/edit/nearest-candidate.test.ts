import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeMiss } from './edit-failure.ts';
import { nearestCandidate } from './nearest-candidate.ts';

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `  const value${i} = compute(${i}); // row ${i}\n`);
const differences = (text: string, oldText: string) => nearestCandidate(text, oldText)?.differences;

describe('nearestCandidate', () => {
  test('finds the block that was meant among many like it', () => {
    const text = lines(2_000).join('');
    expect(nearestCandidate(text, '  const value700 = compute(701); // row 700\n')).toEqual({
      startLine: 701,
      endLine: 701,
      text: '  const value700 = compute(700); // row 700\n',
      differences: [{ line: 701, column: 30, expected: '1', found: '0' }],
    });
  });

  test('a line too many or too few is named as such', () => {
    const all = ['alpha();\n', 'beta();\n', 'gamma();\n', 'delta();\n'];
    const without = [all[0], all[1], all[3]].join('');
    expect(nearestCandidate(without, all.join(''))).toEqual({
      startLine: 1,
      endLine: 3,
      text: without,
      differences: [{ line: 2, column: 1, expected: 'gamma();', found: 'no line' }],
    });
    expect(nearestCandidate(`x\n${all.join('')}`, without)).toEqual({
      startLine: 2,
      endLine: 5,
      text: all.join(''),
      differences: [{ line: 4, column: 1, expected: 'no line', found: 'gamma();' }],
    });
  });

  test('names what cannot be seen', () => {
    expect(differences('if (a) {\n\tb();\n}\n', 'if (a) {\n    b();\n}\n')).toEqual([
      { line: 2, column: 1, expected: '⟨4 blanks⟩', found: '⟨tab⟩' },
    ]);
    expect(differences('let a = 1;  \nlet b = 2;\n', 'let a = 1;\nlet b = 2;')).toEqual([
      { line: 1, column: 11, expected: '⟨end of line⟩', found: '⟨2 trailing blanks⟩' },
    ]);
    expect(differences('say(“hello”, x)\n', 'say("hello", x)')).toEqual([
      { line: 1, column: 5, expected: '"', found: '“⟨U+201C⟩' },
      { line: 1, column: 11, expected: '"', found: '”⟨U+201D⟩' },
    ]);
    expect(differences('width:\u00a010px;\n', 'width: 10px;')).toEqual([
      { line: 1, column: 7, expected: '⟨blank⟩', found: '⟨U+00A0 no-break space⟩' },
    ]);
    expect(differences('const p\u0430ge = 1;\n', 'const page = 1;')).toEqual([
      { line: 1, column: 8, expected: 'a', found: '\u0430⟨U+0430⟩' },
    ]);
    expect(differences('first line\nsecond line\n', 'first line\r\nsecond line\r\n')).toEqual([
      { line: 1, column: 11, expected: '⟨CRLF⟩', found: '⟨LF⟩' },
      { line: 2, column: 12, expected: '⟨CRLF⟩', found: '⟨LF⟩' },
    ]);
    expect(differences('zero\u200bwidth here\n', 'zerowidth here')).toEqual([
      { line: 1, column: 5, expected: 'nothing', found: '⟨U+200B⟩' },
    ]);
  });

  test('a string that begins and ends inside lines is compared with those parts only', () => {
    const text = '    result = compute(first, second);\n    return result;\n';
    expect(differences(text, 'compute(first, secnd);\n    return')).toEqual([
      { line: 1, column: 32, expected: 'nothing', found: 'o' },
    ]);
  });

  test('says so when nothing is similar', () => {
    const text = lines(100).join('');
    for (const oldText of [
      '   ',
      '\n',
      'qq',
      'zzzzzzzz',
      'function other(a) {\n  throw new Error(b);\n}\n',
    ]) {
      expect(nearestCandidate(text, oldText)).toBeNull();
    }
    expect(nearestCandidate('', 'anything')).toBeNull();
    expect(describeMiss(null, text)).toBe(
      'Nothing in the file is similar to it. Read the file, and copy the text to replace from it.',
    );
  });
});

describe('bounds', () => {
  test('what a miss says stays within 20 lines and 2,000 characters', () => {
    const text = `${'a very long line '.repeat(60)}\n`.repeat(300);
    const nearest = nearestCandidate(text, text.replaceAll('long', 'Long'));
    const message = describeMiss(nearest, text);
    expect(nearest?.text.length).toBeLessThanOrEqual(2_000);
    expect(nearest?.differences.length).toBeLessThanOrEqual(20);
    expect(message.split('\n').length).toBeLessThanOrEqual(20);
    expect(message.length).toBeLessThanOrEqual(2_000);
  });

  test('in a very long line the part around the difference is shown', () => {
    const line = `${'abcdefghij klmno '.repeat(50_000)}const x = “foo”; ${'z'.repeat(900)}`;
    const nearest = nearestCandidate(line, 'const x = "foo";');
    expect(nearest?.differences[0]).toEqual({ line: 1, column: 850_011, expected: '"', found: '“⟨U+201C⟩' });
    expect(nearest?.text).toContain('const x = “foo”;');
  });

  const cases: Record<string, [string, string]> = {
    'a megabyte of similar lines': [
      lines(21_000).join(''),
      lines(21_000).slice(9_000, 9_010).join('').replaceAll('row', 'Row'),
    ],
    'a megabyte of line feeds': ['\n'.repeat(1_000_000), 'foo\nbar\n'],
    'one line of 900 KB': ['ab '.repeat(300_000), 'abc'.repeat(200)],
    '80,000 identical lines': ['hello world\n'.repeat(80_000), 'hello wurld\n'.repeat(300)],
    'a string as long as the text': ['x'.repeat(900_000), `${'x'.repeat(450_000)}y${'x'.repeat(449_999)}`],
  };
  for (const [name, [text, oldText]] of Object.entries(cases)) {
    test(`${name}: answered in well under a second`, () => {
      const before = process.cpuUsage();
      nearestCandidate(text, oldText);
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(900);
    });
  }
});

test('a block with one character changed is found again, at its place', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    minLength: 6,
    maxLength: 12,
  });
  const row = fc.array(word, { minLength: 3, maxLength: 6 }).map((words) => `${words.join(' ')}\n`);
  const rows = fc.uniqueArray(row, { minLength: 5, maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 5 }), (all, from, at, size) => {
      const start = from % (all.length - size + 1);
      const block = all.slice(start, start + size);
      const oldText = block.join('');
      const place = at % (oldText.length - 1);
      fc.pre(oldText[place] !== '\n');
      const changed = `${oldText.slice(0, place)}#${oldText.slice(place + 1)}`;
      const nearest = nearestCandidate(all.join(''), changed);
      expect([nearest?.startLine, nearest?.endLine]).toEqual([start + 1, start + size]);
      expect(nearest?.differences).toHaveLength(1);
      expect(nearest?.differences[0]).toMatchObject({
        expected: '#',
        found: oldText[place] === ' ' ? '⟨blank⟩' : oldText[place],
      });
    }),
    { numRuns: 300 },
  );
});
