import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';
import { countLineFeeds, findPiece, withLinesBefore, withPiece } from './edit-piece.ts';
import { hunksFromSpans } from './hunks-from-spans.ts';
import type { StringEdit } from './tolerant-match.ts';

const fill = (from: number, lines: number): string =>
  Array.from(
    { length: lines },
    (_, i) => `zeile ${from + i} größer als nötig, damit die Datei groß ist\n`,
  ).join('');
const before = fill(0, 600);
const after = fill(600, 600);
const options = { tolerant: true, eatNewline: true };

/** As the whole text is edited. */
function editWholeText(text: string, edit: StringEdit) {
  const applied = applyEdits(text, [edit], options);
  return { bytes: Buffer.from(applied.text), hunks: hunksFromSpans(text, applied.spans) };
}

/** As the piece is edited; undefined when there is none. */
function byPiece(text: string, edit: StringEdit) {
  const old = { bytes: Buffer.from(text), hasBom: false };
  const piece = findPiece(old, [edit]);
  if (piece === undefined) return undefined;
  const applied = applyEdits(piece.text, [edit], options);
  const hunks = withLinesBefore(hunksFromSpans(piece.text, applied.spans), piece);
  return { bytes: withPiece(old, piece, applied.text), hunks };
}

const words = fc.constantFrom('a', 'ä', '𝒳', 'b\n', '\n', ' ', 'aa', 'x\ny', '\n\n');
const text = fc.array(words, { maxLength: 30 }).map((list) => list.join(''));

test('an edit of the piece is the edit of the whole file, with the same hunks', () => {
  let pieces = 0;
  const law = fc.property(text, text, text, text, fc.boolean(), (above, target, below, next, isLast) => {
    const file = `${before}${above}<${target}>${below}${isLast ? '' : after}`;
    const edit = { old_string: `<${target}>`, new_string: next };
    const found = byPiece(file, edit);
    if (found !== undefined) pieces++;
    expect(found).toEqual(editWholeText(file, edit));
  });
  fc.assert(law, { numRuns: 300 });
  expect(pieces).toBe(300);
});

test('an edit at the first or the last byte of a file', () => {
  for (const [old_string, new_string] of [
    ['zeile 0 ', 'ZEILE 0 '],
    ['zeile 0 ', ''],
    [`${fill(599, 1)}`, ''],
    ['599 größer als nötig, damit die Datei groß ist\n', 'x'],
  ] as const)
    expect(byPiece(before, { old_string, new_string })).toEqual(
      editWholeText(before, { old_string, new_string }),
    );
});

test('what has several places, no place, or needs the whole text is left to it', () => {
  const found = (file: string, old_string: string, new_string = 'x') =>
    byPiece(file, { old_string, new_string });
  expect(found(`${before}aXa`, 'aXa')).toBeDefined();
  expect(found(`${before}aXaXa`, 'aXa')).toBeUndefined();
  expect(found(before, 'not there')).toBeUndefined();
  expect(found(`${before}X\r\n`, 'X')).toBeUndefined();
  expect(found(`${before}\u{1F600}`, '\uD83D')).toBeUndefined();
  expect(found(`${before}X`, 'X', '\uD83D')).toBeUndefined();
  expect(found(`${before}${'q'.repeat(2000)}`, `${'q'.repeat(1000)}r`)).toBeUndefined();
  expect(
    findPiece({ bytes: Buffer.from(`${before}X`), hasBom: true }, [{ old_string: 'X', new_string: 'Y' }]),
  ).toBe(undefined);
  expect(found('a small file with X in it\n', 'X')).toBeUndefined();
});

test('line feeds are counted wherever the bytes begin and end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(7), fc.boolean(), (bytes, skip, dense) => {
      const sample = dense ? bytes.map((byte) => (byte % 3 === 0 ? 10 : byte)) : bytes;
      const part = sample.subarray(skip);
      expect(countLineFeeds(part)).toBe(part.filter((byte) => byte === 10).length);
    }),
  );
});
