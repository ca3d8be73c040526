import { chosenText, splitHunk } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FilePatch, PatchHunk } from './file-patch.ts';
import { formatPatch } from './format-patch.ts';
import { parsePatch } from './parse/parse-patch.ts';
import { applyPatchHunks } from './place-hunks.ts';
import { selectHunks } from './select-hunks.ts';
import { hunkTexts, splitAtLineFeeds, unifiedDiff } from './unified-diff.ts';

const mixed = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '\\', '-', '+', '@', '\n', '\n', '\n', '\r\n', '\r', '\u2028'),
  maxLength: 200,
});
const context = fc.constantFrom(0, 1, 2, 3);
const versions = fc.tuple(mixed, mixed).filter(([before, after]) => before !== after);
/** Many lines of which few differ, so that the diff has several hunks. */
const edited = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 30, maxLength: 60 }),
    fc.array(fc.nat(), { minLength: 3, maxLength: 8 }),
  )
  .map(([lines, edits]): [string, string] => {
    const after: string[] = [...lines];
    for (const edit of edits)
      after.splice(edit % after.length, edit % 3, ...['x', 'y'].slice(0, (edit >> 2) % 3));
    return [lines.join('\n'), after.join('\n')];
  })
  .filter(([before, after]) => before !== after);

const hunksOf = ([before, after]: [string, string], lines: number): PatchHunk[] =>
  parsePatch(unifiedDiff({ path: 'x', before, after, context: lines }).text)[0]?.hunks ?? [];
const numbersIn = (bits: number, count: number) =>
  Array.from({ length: count }, (_, index) => index + 1).filter((number) => (bits >> (number - 1)) & 1);
const count = (hunk: PatchHunk, sign: string) =>
  hunk.lines.filter((line) => line[0] === ' ' || line[0] === sign).length;

test('applying the diff of two texts to the first gives the second, byte for byte', () => {
  fc.assert(
    fc.property(versions, context, (pair, lines) => {
      const hunks = hunksOf(pair, lines);
      const applied = applyPatchHunks(pair[0], hunks, { path: 'x' });
      expect(applied).toEqual({ text: pair[1], offsets: hunks.map(() => 0), tolerant: [] });
    }),
    { numRuns: 1_000 },
  );
});

test('the counts of every hunk are those of its lines', () => {
  fc.assert(
    fc.property(versions, context, (pair, lines) => {
      for (const hunk of hunksOf(pair, lines).flatMap((wholeHunk) => [wholeHunk, ...splitHunk(wholeHunk)]))
        expect([hunk.oldLines, hunk.newLines]).toEqual([count(hunk, '-'), count(hunk, '+')]);
    }),
  );
});

test('any choice of hunks applies, and gives what taking those changes gives', () => {
  fc.assert(
    fc.property(edited, context, fc.nat(2 ** 12), (pair, lines, bits) => {
      const files = parsePatch(
        unifiedDiff({ path: 'x', before: pair[0], after: pair[1], context: lines }).text,
      );
      const take = numbersIn(bits, files[0]?.hunks.length ?? 0);
      fc.pre(take.length > 0);
      const chosenHunks = parsePatch(formatPatch(selectHunks(files, take)))[0]?.hunks ?? [];
      const applied = applyPatchHunks(pair[0], chosenHunks, { path: 'x' });
      expect(applied.text).toBe(chosenText(pair[0], files[0]?.hunks ?? [], { take }));
      expect(applied.offsets.every((offset) => offset === 0)).toBe(true);
      let growth = 0;
      for (const hunk of chosenHunks) {
        const first = (start: number, size: number) => (size === 0 ? start : start - 1);
        expect(first(hunk.newStart, hunk.newLines)).toBe(first(hunk.oldStart, hunk.oldLines) + growth);
        growth += hunk.newLines - hunk.oldLines;
      }
    }),
    { numRuns: 500 },
  );
});

test('choosing all hunks gives the diff itself', () => {
  fc.assert(
    fc.property(edited, context, (pair, lines) => {
      const files = parsePatch(
        unifiedDiff({ path: 'x', before: pair[0], after: pair[1], context: lines }).text,
      );
      const all = numbersIn(-1, files[0]?.hunks.length ?? 0);
      expect(selectHunks(files, all)).toEqual(files);
    }),
  );
});

test('the pieces of a hunk do together what it does, and any of them applies alone', () => {
  fc.assert(
    fc.property(edited, fc.nat(2 ** 12), (pair, bits) => {
      const hunks = hunksOf(pair, 3).flatMap(splitHunk);
      expect(applyPatchHunks(pair[0], hunks, { path: 'x' }).text).toBe(pair[1]);
      const take = numbersIn(bits, hunks.length);
      const files: FilePatch[] = [{ oldPath: 'x', newPath: 'x', operation: 'update', hunks }];
      const chosenHunks = selectHunks(files, take)[0]?.hunks ?? [];
      expect(applyPatchHunks(pair[0], chosenHunks, { path: 'x' }).text).toBe(
        withPieces(pair[0], chosenHunks),
      );
    }),
    { numRuns: 500 },
  );
});

test('lines added above all hunks move them by as many, and nothing else changes', () => {
  const numbered = fc
    .uniqueArray(fc.nat(10_000), { minLength: 20, maxLength: 60 })
    .map((all) => all.map((n) => `${n}\n`));
  fc.assert(
    fc.property(
      numbered,
      fc.integer({ min: 8, max: 15 }),
      fc.integer({ min: 1, max: 50 }),
      (lines, at, added) => {
        const before = lines.join('');
        const after = lines.with(at, 'changed\n').join('');
        const above = 'above\n'.repeat(added);
        const applied = applyPatchHunks(above + before, hunksOf([before, after], 3), { path: 'x' });
        expect(applied).toEqual({ text: above + after, offsets: [added], tolerant: [] });
      },
    ),
  );
});

test('an LF diff turns a CRLF file into the CRLF form of its result', () => {
  fc.assert(
    fc.property(edited, fc.constantFrom(1, 3), (pair, lines) => {
      const crlf = (text: string) => text.replaceAll('\n', '\r\n');
      const applied = applyPatchHunks(crlf(pair[0]), hunksOf(pair, lines), { path: 'x' });
      expect(applied.text).toBe(crlf(pair[1]));
      expect(applied.tolerant).toEqual(['line endings']);
    }),
  );
});

/** Replaces old lines by new ones at the stated line numbers, from the last hunk to the first. */
function withPieces(before: string, pieces: readonly PatchHunk[]): string {
  const lines = splitAtLineFeeds(before);
  for (const piece of pieces.toReversed()) {
    const start = piece.oldLines === 0 ? piece.oldStart : piece.oldStart - 1;
    lines.splice(start, piece.oldLines, hunkTexts(piece).newText);
  }
  return lines.join('');
}
