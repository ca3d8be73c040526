import { diffLines } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitIntoLines } from './lines.ts';
import { type Hunk, hunksFrom, splitAtLineFeeds } from './unified-diff.ts';

const NO_NEWLINE = '\\ No newline at end of file';

const hunksOf = (before: string, after: string, context?: number) => {
  const [oldLines, newLines] = [splitAtLineFeeds(before), splitAtLineFeeds(after)];
  return hunksFrom(oldLines, newLines, diffLines(oldLines, newLines), context);
};
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');

describe('hunksFrom', () => {
  test('shows three lines of context around a change', () => {
    expect(hunksOf(numbered(9), numbered(9).replace('5\n', 'five\n'))).toEqual([
      {
        oldStart: 2,
        oldLines: 7,
        newStart: 2,
        newLines: 7,
        lines: [' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
      },
    ]);
  });

  test('changes whose contexts touch share a hunk, others do not', () => {
    const before = numbered(12);
    const near = hunksOf(before, before.replace('2\n', 'two\n').replace('5\n', 'five\n'), 1);
    const far = hunksOf(before, before.replace('2\n', 'two\n').replace('6\n', 'six\n'), 1);
    expect(near).toEqual([
      {
        oldStart: 1,
        oldLines: 6,
        newStart: 1,
        newLines: 6,
        lines: [' 1', '-2', '+two', ' 3', ' 4', '-5', '+five', ' 6'],
      },
    ]);
    expect(far).toEqual([
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' 1', '-2', '+two', ' 3'] },
      { oldStart: 5, oldLines: 3, newStart: 5, newLines: 3, lines: [' 5', '-6', '+six', ' 7'] },
    ]);
  });

  test('an empty range starts at the line before it', () => {
    expect(hunksOf('', 'a\n')).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] },
    ]);
    expect(hunksOf('a\n', '')).toEqual([
      { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-a'] },
    ]);
    expect(hunksOf('a\nb\nc\n', 'a\nb\nx\nc\n', 0)).toEqual([
      { oldStart: 2, oldLines: 0, newStart: 3, newLines: 1, lines: ['+x'] },
    ]);
  });

  test('marks a last line without a newline on the side that lacks it', () => {
    expect(hunksOf('a\nb', 'a\nb\n')).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', NO_NEWLINE, '+b'] },
    ]);
    expect(hunksOf('a\nb', 'x\nb')).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-a', '+x', ' b', NO_NEWLINE] },
    ]);
  });

  test('a change of the line ending alone shows as a changed line', () => {
    expect(hunksOf('a\r\nb\n', 'a\nb\n')).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-a\r', '+a', ' b'] },
    ]);
  });

  test('a line that ends with a lone carriage return keeps it', () => {
    const [oldLines, newLines] = [splitIntoLines('a\rb\n'), splitIntoLines('a\rc\n')];
    expect(hunksFrom(oldLines, newLines, diffLines(oldLines, newLines))).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a\r', '-b', '+c'] },
    ]);
  });
});

describe('laws', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\n', '\r\n', '\r'), maxLength: 80 });
  const context = fc.nat(4);

  test('the counts of a hunk are the counts of its lines', () => {
    fc.assert(
      fc.property(text, text, context, (before, after, contextLines) => {
        const [oldLines, newLines] = [splitIntoLines(before), splitIntoLines(after)];
        for (const hunk of hunksFrom(oldLines, newLines, diffLines(oldLines, newLines), contextLines)) {
          const count = (signs: string) => hunk.lines.filter((line) => signs.includes(line.charAt(0))).length;
          expect([hunk.oldLines, hunk.newLines]).toEqual([count(' -'), count(' +')]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('the hunks turn the old text into the new one, byte for byte', () => {
    fc.assert(
      fc.property(text, text, context, (before, after, contextLines) => {
        expect(applyHunks(before, hunksOf(before, after, contextLines))).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('costs what the edit costs, not what the file costs', () => {
  const before = Array.from({ length: 400_000 }, (_, i) => `${i}\n`);
  const after = before.with(200_000, 'x\n');
  const change = { oldStart: 200_000, oldEnd: 200_001, newStart: 200_000, newEnd: 200_001 };
  const started = performance.now();
  for (let i = 0; i < 1_000; i++) hunksFrom(before, after, [change]);
  expect(performance.now() - started).toBeLessThan(200);
});

/** Strict on purpose: no offset, no fuzz, and every old line must be the one the hunk names. */
function applyHunks(before: string, hunks: Hunk[]): string {
  const oldLines = splitAtLineFeeds(before);
  let result = '';
  let lineCount = 0;
  let oldAt = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    for (; oldAt < start; lineCount++) result += oldLines[oldAt++];
    expect(lineCount).toBe(hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1);
    for (const [index, line] of hunk.lines.entries()) {
      if (line === NO_NEWLINE) continue;
      const content = line.slice(1) + (hunk.lines[index + 1] === NO_NEWLINE ? '' : '\n');
      if (!line.startsWith('+')) expect(oldLines[oldAt++]).toBe(content);
      if (line.startsWith('-')) continue;
      result += content;
      lineCount++;
    }
  }
  return result + oldLines.slice(oldAt).join('');
}
