import { diffLines } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Hunk, hunksFrom, splitAtLineFeeds, unifiedDiff } from '../patch/unified-diff.ts';
import { hunksFromSpans, unifiedFromHunks } from './hunks-from-spans.ts';
import { applySpans, type ReplacedSpan } from './spans.ts';

const NO_NEWLINE = '\\ No newline at end of file';
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');
const spanOf = (text: string, old: string, replacement: string): ReplacedSpan => {
  const start = text.indexOf(old);
  return { start, end: start + old.length, replacement };
};
const compared = (before: string, after: string, context = 3) => {
  const [oldLines, newLines] = [splitAtLineFeeds(before), splitAtLineFeeds(after)];
  return hunksFrom(oldLines, newLines, diffLines(oldLines, newLines), context);
};

describe('hunksFromSpans', () => {
  test('shows the changed line with its context', () => {
    const text = numbered(9);
    expect(hunksFromSpans(text, [spanOf(text, '5', 'five')])).toEqual([
      {
        oldStart: 2,
        oldLines: 7,
        newStart: 2,
        newLines: 7,
        lines: [' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
      },
    ]);
  });

  test('a line added behind another leaves that one alone', () => {
    const text = 'import os\n\nx\n';
    expect(hunksFromSpans(text, [spanOf(text, 'import os', 'import os\nimport sys')])).toEqual([
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 4,
        lines: [' import os', '+import sys', ' ', ' x'],
      },
    ]);
  });

  test('near spans share a hunk, far ones are numbered with what the earlier ones added', () => {
    const text = numbered(30);
    const spans = [spanOf(text, '3\n', '3\n3a\n'), spanOf(text, '9\n', ''), spanOf(text, '25', 'x')];
    expect(hunksFromSpans(text, spans)).toEqual(compared(text, applySpans(text, spans)));
    expect(hunksFromSpans(text, spans)).toHaveLength(2);
  });

  test('marks a missing final newline on the side that lacks it', () => {
    expect(hunksFromSpans('a\nb', [{ start: 3, end: 3, replacement: '\n' }])).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', NO_NEWLINE, '+b'] },
    ]);
    expect(hunksFromSpans('a\nb\n', [{ start: 3, end: 4, replacement: '' }])).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', '+b', NO_NEWLINE] },
    ]);
    expect(hunksFromSpans('a\nb', [{ start: 0, end: 1, replacement: 'x' }])).toEqual([
      { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-a', '+x', ' b', NO_NEWLINE] },
    ]);
  });

  test('a span that changes nothing gives no hunk', () => {
    expect(hunksFromSpans('a\nb\n', [{ start: 0, end: 3, replacement: 'a\nb' }])).toEqual([]);
    expect(hunksFromSpans('a\n', [])).toEqual([]);
  });

  test('a text that comes or goes whole', () => {
    expect(hunksFromSpans('', [{ start: 0, end: 0, replacement: 'a\n' }])).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] },
    ]);
    expect(hunksFromSpans('a\n', [{ start: 0, end: 2, replacement: '' }])).toEqual([
      { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-a'] },
    ]);
  });
});

describe('laws', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\n', '\n', '\r\n', '\r'), maxLength: 120 });
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n'), maxLength: 8 });
  const seeds = fc.array(fc.tuple(fc.nat(30), fc.nat(8), piece), { maxLength: 6 });
  const context = fc.nat(4);

  test('E-24 the hunks turn the old text into the new one, byte for byte', () => {
    fc.assert(
      fc.property(text, seeds, context, (before, seed, contextLines) => {
        const spans = spansFor(before, seed);
        expect(applyHunks(before, hunksFromSpans(before, spans, contextLines))).toBe(
          applySpans(before, spans),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  test('the counts are those of the lines, and hunks keep more than twice the context apart', () => {
    fc.assert(
      fc.property(text, seeds, context, (before, seed, contextLines) => {
        let end = Number.NEGATIVE_INFINITY;
        for (const hunk of hunksFromSpans(before, spansFor(before, seed), contextLines)) {
          const count = (signs: string) => hunk.lines.filter((line) => signs.includes(line.charAt(0))).length;
          expect([hunk.oldLines, hunk.newLines]).toEqual([count(' -'), count(' +')]);
          const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
          expect(start).toBeGreaterThan(end);
          end = start + hunk.oldLines;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('one span gives the very hunks that comparing the whole texts gives, where lines tell themselves apart', () => {
    const lines = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        lines,
        fc.nat(),
        fc.nat(30),
        piece,
        context,
        (numbers, at, length, replacement, contextLines) => {
          const before = numbers.map((n) => `line ${n}\n`).join('');
          const start = at % before.length;
          const span = { start, end: Math.min(start + length, before.length), replacement };
          const after = applySpans(before, [span]);
          expect(hunksFromSpans(before, [span], contextLines)).toEqual(compared(before, after, contextLines));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('unifiedFromHunks', () => {
  test('writes what unifiedDiff writes', () => {
    const before = numbered(30);
    const spans = [spanOf(before, '3\n', '3\n3a\n'), spanOf(before, '9\n', ''), spanOf(before, '25', 'x')];
    const hunks = hunksFromSpans(before, spans);
    const wholeDiff = unifiedDiff({ path: 'a b', before, after: applySpans(before, spans) });
    expect(unifiedFromHunks({ path: 'a b', hunks })).toEqual(wholeDiff);
    expect(unifiedFromHunks({ path: 'a b', hunks, maxBytes: 20 })).toEqual({
      ...wholeDiff,
      text: wholeDiff.text.slice(0, 20),
      truncated: true,
    });
    expect(unifiedFromHunks({ path: 'x', hunks: [] })).toEqual(
      unifiedDiff({ path: 'x', before, after: before }),
    );
  });

  test('a new file comes from /dev/null', () => {
    const hunks = hunksFromSpans('', [{ start: 0, end: 0, replacement: 'a\n' }]);
    expect(unifiedFromHunks({ path: 'x', hunks, wasThere: false })).toEqual(
      unifiedDiff({ path: 'x', before: null, after: 'a\n' }),
    );
  });
});

describe('cost', () => {
  test('a one-line edit in a megabyte takes a fraction of a millisecond', () => {
    const text = Buffer.from(
      Array.from({ length: 21_000 }, (_, i) => `  const value${i} = compute(${i}); // row ${i}\n`).join(''),
    ).toString();
    const span = spanOf(text, 'value10500', 'other');
    for (let i = 0; i < 20; i++) hunksFromSpans(text, [span]);
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) hunksFromSpans(text, [span]);
    // Measured at 0.2 ms; the limit is ten times that, for a busy machine.
    expect(millisecondsSince(before) / 100).toBeLessThan(2);
  });

  test('E-22 many spans in one long line, and in many lines', () => {
    const line = 'ab'.repeat(450_000);
    const inLine = Array.from({ length: 200_000 }, (_, i) => ({
      start: 4 * i,
      end: 4 * i + 1,
      replacement: 'x',
    }));
    const text = 'ab\n'.repeat(300_000);
    const inLines = Array.from({ length: 100_000 }, (_, i) => ({
      start: 9 * i,
      end: 9 * i + 1,
      replacement: 'x',
    }));
    const before = process.cpuUsage();
    expect(hunksFromSpans(line, inLine)).toHaveLength(1);
    expect(hunksFromSpans(text, inLines, 0)).toHaveLength(100_000);
    expect(hunksFromSpans(text, inLines)).toHaveLength(1);
    expect(millisecondsSince(before)).toBeLessThan(5_000);
  });
});

/** Processor time rather than elapsed time, because other processes may use the machine. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function spansFor(text: string, seed: [number, number, string][]): ReplacedSpan[] {
  const spans: ReplacedSpan[] = [];
  let at = 0;
  for (const [gap, length, replacement] of seed) {
    const start = at + gap;
    if (start > text.length) break;
    at = Math.min(start + length, text.length);
    spans.push({ start, end: at, replacement });
  }
  return spans;
}

/** Strict on purpose: no offset, no fuzz, and every old line must be the line the hunk names. */
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
