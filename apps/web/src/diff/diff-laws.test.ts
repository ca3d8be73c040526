// Laws of the diff engine: nothing is lost between the text of a diff, its values, its rows and the changed files.
import {
  applyHunks,
  canSplit,
  type DiffFile,
  type DiffHunk,
  hunkSides,
  readDiff,
  splitHunk,
  writeDiff,
} from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedWords } from './changed-words.ts';
import { hunkRows } from './hunk-rows.ts';
import { spellLine } from './spell-line.ts';

// Lines that look like parts of a diff, end with CR, or are empty.
const text = fc.constantFrom(
  '',
  'a',
  'b',
  '\tx ',
  '-- old',
  '++ new',
  '@@ -1,2 +3,4 @@',
  'diff --git a/x b/x',
  'c\r',
  '\\ no',
  '🙂',
);
const line = fc.tuple(fc.constantFrom(' ', ' ', ' ', '-', '+'), text).map(([sign, rest]) => sign + rest);
const lines = fc
  .array(line, { minLength: 1, maxLength: 14 })
  .filter((all) => all.some((each) => each[0] !== ' '));

/** Files whose hunks stand apart, each with the text they apply to. */
const file = fc
  .array(fc.tuple(lines, fc.array(text, { minLength: 1, maxLength: 4 })), { minLength: 1, maxLength: 4 })
  .map(build);

function build(parts: [string[], string[]][]): { file: DiffFile; before: string } {
  const before: string[] = [];
  const hunks: DiffHunk[] = [];
  for (const [hunkLines, gap] of parts) {
    const old = hunkSides(hunkLines).before;
    const oldStart = old.length === 0 ? before.length : before.length + 1;
    hunks.push({
      oldStart,
      oldLines: old.length,
      newStart: 0,
      newLines: 0,
      section: ' f()',
      lines: hunkLines,
    });
    before.push(...old, ...gap.map((between) => `${between}\n`));
  }
  const header = ['diff --git a/x.txt b/x.txt', '--- a/x.txt', '+++ b/x.txt'];
  const [recounted] = readDiff(writeDiff([{ header, hunks }]));
  if (recounted === undefined) throw new Error('nothing was read');
  return { file: recounted, before: before.join('') };
}

describe('a diff', () => {
  test('read and written again is the same text', () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), (files) => {
        const written = writeDiff(files.map((changed) => changed.file));
        expect(writeDiff(readDiff(written))).toBe(written);
        expect(readDiff(written)).toEqual(files.map((changed) => changed.file));
      }),
    );
  });

  test('its rows hold every line once, numbered as in the files', () => {
    fc.assert(
      fc.property(file, ({ file: { hunks } }) => {
        for (const hunk of hunks) {
          const { unified, pairs } = hunkRows(hunk);
          const sides = hunkSides(hunk.lines);
          const old = unified.filter((row) => row.line.sign !== '+').map((row) => `${row.line.text}\n`);
          const now = unified.filter((row) => row.line.sign !== '-').map((row) => `${row.line.text}\n`);
          expect([old, now]).toEqual([sides.before, sides.after]);
          expect(pairs.flatMap(({ left }) => (left ? [`${left.text}\n`] : []))).toEqual(sides.before);
          expect(pairs.flatMap(({ right }) => (right ? [`${right.text}\n`] : []))).toEqual(sides.after);
          const numbers = unified.flatMap(({ line: { old: number } }) =>
            number === undefined ? [] : [number],
          );
          const start = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
          expect(numbers).toEqual(sides.before.map((_, i) => start + i));
        }
      }),
    );
  });

  test('applied piece by piece is the same as applied whole, and any choice of pieces applies', () => {
    fc.assert(
      fc.property(file, fc.infiniteStream(fc.boolean()), ({ file: { header, hunks }, before }, coin) => {
        const pieces = hunks.flatMap(splitHunk);
        expect(applyHunks(before, pieces)).toBe(applyHunks(before, hunks));
        const chosen = pieces.filter(() => coin.next().value === true);
        const result = applyHunks(before, chosen);
        expect(result).toBeDefined();
        // Written as a diff of its own, it says the same.
        const again = readDiff(writeDiff([{ header, hunks: chosen }]))[0]?.hunks ?? [];
        expect(applyHunks(before, again)).toBe(result);
        for (const hunk of hunks) expect(canSplit(hunk)).toBe(splitHunk(hunk).length > 1);
      }),
    );
  });

  test('a text that is not what the diff says is refused', () => {
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, section: '', lines: ['-a', '+b'] };
    expect(applyHunks('x\n', [hunk])).toBeUndefined();
    expect(applyHunks('a', [hunk])).toBeUndefined();
    expect(applyHunks('', [{ ...hunk, oldStart: 0, oldLines: 0, lines: ['+b'] }])).toBe('b\n');
  });

  test('20,000 lines are read and laid out at once', () => {
    const body = Array.from({ length: 10_000 }, (_, i) => [`-old ${i}`, `+new ${i}`]).flat();
    const diff = `--- a/x\n+++ b/x\n@@ -1,10000 +1,10000 @@\n${body.join('\n')}\n`;
    const start = performance.now();
    const [hunk] = readDiff(diff)[0]?.hunks ?? [];
    expect(hunk && hunkRows(hunk).unified.length).toBe(20_000);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('a line', () => {
  const any = fc.string({
    unit: fc.constantFrom('a', 'B', '_', ' ', '\t', '.', 'é', '\u202e', '\u200b', 'а', '🙂'),
  });
  const strokes = fc.array(
    fc
      .tuple(fc.nat(12), fc.nat(12))
      .map(([from, length]) => ({ from, to: from + length, className: 'text-syntax-keyword' })),
    { maxLength: 4 },
  );

  test('its changed words, taken out of both versions, leave the same', () => {
    fc.assert(
      fc.property(any, any, (before, after) => {
        const found = changedWords(before, after);
        if (found === undefined) return;
        expect(without(before, found.before)).toBe(without(after, found.after));
      }),
    );
  });

  test('as spans it is whole whatever its colours, and nothing hidden stays hidden', () => {
    fc.assert(
      fc.property(any, strokes, (sample, painted) => {
        const options = {
          changed: [],
          warnings: [],
          strokes: painted,
          whitespace: 'none',
          isChange: true,
          hasOddEnd: false,
        } as const;
        const shown = spellLine(sample, options)
          .map((span) => span.text)
          .join('');
        expect(shown).not.toMatch(/[\u202e\u200b]/);
        expect(shown.replaceAll('⟨U+202E⟩', '\u202e').replaceAll('⟨U+200B⟩', '\u200b')).toBe(sample);
      }),
    );
  });

  test('whitespace is marked where it changes, at the end, and a CR where its neighbours have none', () => {
    const look = (
      whitespace: 'none' | 'changed' | 'all',
      sample: string,
      hasOddEnd = true,
      changed: [number, number] = [1, 2],
    ): string =>
      spellLine(sample, {
        changed: [changed],
        warnings: [],
        strokes: [],
        whitespace,
        isChange: true,
        hasOddEnd,
      })
        .map((span) => span.text)
        .join('');
    expect(look('changed', 'a b c \r')).toBe('a·b c·␍');
    expect(look('changed', 'a b c \r', false)).toBe('a·b c·');
    expect(look('all', 'a b c\r', false)).toBe('a·b·c␍');
    expect(look('none', 'a b c \r')).toBe('a b c ');
    // Between words that changed, a space is no difference of its own.
    expect(look('changed', 'a b c', false, [0, 5])).toBe('a b c');
  });
});

function without(whole: string, ranges: readonly (readonly [number, number])[]): string {
  return ranges.toReversed().reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), whole);
}
