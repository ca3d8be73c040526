import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonLines, diffLines } from './diff-lines.ts';
import type { LineChange } from './match-lines.ts';

const changes = (before: string, after: string, maxEdits?: number) =>
  diffLines([...before], [...after], maxEdits === undefined ? {} : { maxEdits }).map(
    ({ oldStart, oldEnd, newStart, newEnd }) => [oldStart, oldEnd, newStart, newEnd],
  );

describe('diffLines', () => {
  test('finds nothing between equal lists', () => {
    expect(changes('', '')).toEqual([]);
    expect(changes('abc', 'abc')).toEqual([]);
  });

  test('reports an insertion, a deletion and a replacement', () => {
    expect(changes('ac', 'abc')).toEqual([[1, 1, 1, 2]]);
    expect(changes('abc', 'ac')).toEqual([[1, 2, 1, 1]]);
    expect(changes('abc', 'axc')).toEqual([[1, 2, 1, 2]]);
    expect(changes('', 'ab')).toEqual([[0, 0, 0, 2]]);
    expect(changes('ab', '')).toEqual([[0, 2, 0, 0]]);
  });

  test('reports separate changes separately', () => {
    expect(changes('abcdefg', 'aXcdeg')).toEqual([
      [1, 2, 1, 2],
      [5, 6, 5, 5],
    ]);
  });

  test('sees a change of the line ending alone', () => {
    expect(diffLines(['a\r\n', 'b\n'], ['a\n', 'b\n'])).toEqual([
      { oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 1 },
    ]);
  });

  test('beyond the bound on edits it splits at lines unique on both sides', () => {
    expect(changes('xxyyUyyxxVxx', 'yyxxUxxyyVyy', 1)).toEqual([
      [0, 4, 0, 4],
      [5, 9, 5, 9],
      [10, 12, 10, 12],
    ]);
  });

  test('beyond the bound and without a unique line it replaces the block', () => {
    expect(changes('aaabbb', 'bbbaaa', 2)).toEqual([[0, 6, 0, 6]]);
  });
});

describe('laws', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'a\r\n', '\n', '\r', 'c\r');
  const lines = fc.array(line, { maxLength: 40 });
  const maxEdits = fc.constantFrom(0, 1, 2, 3, 5, 8, 2_000);

  test('the changes turn old into new, in order, with an equal line between any two', () => {
    fc.assert(
      fc.property(lines, lines, maxEdits, (before, after, bound) => {
        const found = diffLines(before, after, { maxEdits: bound });
        expect(apply(before, after, found)).toEqual(after);
        expectSeparated(found);
      }),
      { numRuns: 2_000 },
    );
  });

  test('edits scattered over one list are found, whatever the bound', () => {
    const edited = fc.tuple(
      fc.array(fc.nat(300), { maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(200), fc.nat(3), fc.array(fc.nat(300), { maxLength: 3 })), { maxLength: 12 }),
    );
    fc.assert(
      fc.property(edited, maxEdits, ([numbers, edits], bound) => {
        const before = numbers.map(String);
        const after = [...before];
        for (const [at, remove, insert] of edits) after.splice(at, remove, ...insert.map(String));
        const found = diffLines(before, after, { maxEdits: bound });
        expect(apply(before, after, found)).toEqual(after);
        expectSeparated(found);
      }),
      { numRuns: 300 },
    );
  });

  test('within the bound no shorter script exists', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const common = longestCommon(before, after);
        const found = diffLines(before, after);
        const size = found.reduce((sum, c) => sum + c.oldEnd - c.oldStart + c.newEnd - c.newStart, 0);
        expect(size).toBe(before.length + after.length - 2 * common);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('hostile inputs finish well under a second', () => {
  const rows = (count: number, text: (row: number) => string) =>
    Array.from({ length: count }, (_, row) => text(row));
  // A fixed generator, so that a slow case is slow again.
  const noise = (modulus: number) => (row: number) =>
    `${(Math.imul((row + 1) * 2_654_435, 40_503) >>> 7) % modulus}\n`;

  const cases: Record<string, [string[], string[]]> = {
    '50,000 identical lines against 50,000 others': [rows(50_000, () => 'a\n'), rows(50_000, () => 'b\n')],
    'a single line of 900 KB': [['x'.repeat(900_000)], [`${'x'.repeat(899_999)}y`]],
    '20,000 lines that all differ': [rows(20_000, (i) => `old ${i}\n`), rows(20_000, (i) => `new ${i}\n`)],
    '20,000 lines in reverse': [rows(20_000, (i) => `${i}\n`), rows(20_000, (i) => `${20_000 - i}\n`)],
    'two halves that change places': [
      rows(50_000, (i) => (i < 25_000 ? 'a\n' : 'b\n')),
      rows(50_000, (i) => (i < 25_000 ? 'b\n' : 'a\n')),
    ],
    'noise over three lines': [rows(50_000, noise(3)), rows(50_000, (i) => noise(3)(i + 77_777))],
    'noise over 20,000 lines': [rows(50_000, noise(20_000)), rows(50_000, (i) => noise(20_000)(i + 77_777))],
    'many long snakes at once': [
      [...rows(600, (i) => `${i % 2}\n`), ...rows(200_000, () => '0\n')],
      [...rows(600, (i) => `${(i >> 1) % 2}\n`), ...rows(200_000, () => '0\n'), '1\n'],
    ],
  };

  for (const [name, [before, after]] of Object.entries(cases)) {
    test(name, () => {
      const started = performance.now();
      const found = diffLines(before, after);
      const elapsed = performance.now() - started;
      expect(apply(before, after, found).join('')).toBe(after.join(''));
      expectSeparated(found);
      expect(elapsed).toBeLessThan(900);
    });
  }

  test('a text of one megabyte is split and compared', () => {
    const before = rows(21_000, (i) => `  const value${i} = compute(${i}); // row number ${i}\n`).join('');
    const after = before.replace('value10500', 'other');
    const started = performance.now();
    expect(diffLines(linesOf(before), linesOf(after))).toEqual([
      { oldStart: 10_500, oldEnd: 10_501, newStart: 10_500, newEnd: 10_501 },
    ]);
    expect(performance.now() - started).toBeLessThan(300);
  });
});

function apply(before: string[], after: string[], found: LineChange[]): string[] {
  const result: string[] = [];
  let oldAt = 0;
  for (const change of found) {
    for (const line of before.slice(oldAt, change.oldStart)) result.push(line);
    expect(result.length).toBe(change.newStart);
    for (const added of after.slice(change.newStart, change.newEnd)) result.push(added);
    oldAt = change.oldEnd;
  }
  for (const line of before.slice(oldAt)) result.push(line);
  return result;
}

function expectSeparated(found: LineChange[]): void {
  for (const [index, change] of found.entries()) {
    const last = found[index - 1];
    const isEmpty = change.oldStart === change.oldEnd && change.newStart === change.newEnd;
    const gap = last ? change.oldStart - last.oldEnd : 1;
    const newGap = last ? change.newStart - last.newEnd : 1;
    expect({ isEmpty, isApart: gap > 0 && (!last || gap === newGap) }).toEqual({
      isEmpty: false,
      isApart: true,
    });
  }
}

function longestCommon(before: string[], after: string[]): number {
  let row: number[] = new Array(after.length + 1).fill(0);
  for (const old of before) {
    const next = [0];
    for (const [index, line] of after.entries()) {
      const best = Math.max(row[index + 1] ?? 0, next[index] ?? 0);
      next.push(old === line ? (row[index] ?? 0) + 1 : best);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('the lines in common are in order and the same', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const pairs = commonLines(a, b);
      expect(pairs.map(([i]) => a[i])).toEqual(pairs.map(([, j]) => b[j]));
      for (const [at, [i, j]] of pairs.entries()) {
        const [beforeI, beforeJ] = pairs[at - 1] ?? [-1, -1];
        expect(i > beforeI && j > beforeJ).toBe(true);
      }
    }),
  );
});

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
