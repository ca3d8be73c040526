import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './message-limits.ts';

function linesOf(pieces: readonly Buffer[], maxBytes = 1000): { lines: string[]; refused: number } {
  const lines: string[] = [];
  let refused = 0;
  const push = createLineSplitter(
    maxBytes,
    (line) => lines.push(line),
    () => refused++,
  );
  // The same buffer for every piece, as a pipe does it.
  const shared = Buffer.alloc(Math.max(1, ...pieces.map(({ length }) => length)));
  for (const piece of pieces) push(shared.subarray(0, piece.copy(shared)));
  return { lines, refused };
}

test('however the bytes are cut, the lines are the same', () => {
  const text = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, '')));
  fc.assert(
    fc.property(text, fc.array(fc.nat(50)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const places = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = places.map((end, i) => bytes.subarray(places[i - 1] ?? 0, end));
      expect(linesOf(pieces).lines).toEqual(lines.filter((line) => line !== ''));
    }),
  );
});

test('a line that is too long is refused, whether it ends or not', () => {
  expect(linesOf([Buffer.from('12345\n')], 5)).toEqual({ lines: ['12345'], refused: 0 });
  expect(linesOf([Buffer.from('123456\n')], 5).refused).toBe(1);
  expect(linesOf([Buffer.from('123'), Buffer.from('456')], 5).refused).toBe(1);
});
