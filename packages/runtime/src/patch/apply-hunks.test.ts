import { describe, expect, test } from 'vitest';
import { parsePatch } from './parse/parse-patch.ts';
import { applyPatchHunks } from './place-hunks.ts';
import { type Hunk, unifiedDiff } from './unified-diff.ts';

const apply = (before: string, ...hunks: Hunk[]) => applyPatchHunks(before, hunks, { path: 'x.txt' });
const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const letters = (from: string, to: string) =>
  text(
    ...Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
      String.fromCharCode(from.charCodeAt(0) + i),
    ),
  );
const hunk = (oldStart: number, ...lines: string[]): Hunk => {
  const count = (sign: string) => lines.filter((line) => line[0] === ' ' || line[0] === sign).length;
  const oldLines = count('-');
  const newStart = oldLines === 0 ? oldStart + 1 : oldStart;
  return { oldStart, oldLines, newStart, newLines: count('+'), lines };
};
const failure = (...parts: string[]) =>
  expect.objectContaining({
    code: 'PATCH_APPLY_FAILED',
    message: expect.toSatisfy((message: string) => parts.every((part) => message.includes(part))),
  });
const NO_NEWLINE = '\\ No newline at end of file';

describe('where a hunk goes', () => {
  test('to its stated line', () => {
    expect(apply(letters('a', 'i'), hunk(4, ' d', '-e', '+E', ' f'))).toEqual({
      text: letters('a', 'i').replace('e', 'E'),
      offsets: [0],
      tolerant: [],
    });
  });

  test('else to the nearest place that matches exactly, and later hunks are expected as far off', () => {
    const before = text('new', 'new') + letters('a', 'z');
    const applied = apply(before, hunk(4, ' d', '-e', '+E', ' f'), hunk(20, ' t', '-u', ' v'));
    expect(applied.offsets).toEqual([2, 2]);
    expect(applied.text).toBe(
      before.replace('e\n', 'E\n').replace('nEw\nnew', 'new\nnew').replace('u\n', ''),
    );
  });

  test('of two places equally near it takes the later one, as git does', () => {
    const before = text('a', 'x', 'b', 'c', 'a', 'x', 'b', 'z');
    expect(apply(before, hunk(3, ' a', '-x', ' b'))).toEqual({
      text: text('a', 'x', 'b', 'c', 'a', 'b', 'z'),
      offsets: [2],
      tolerant: [],
    });
  });

  test('never before the end of the hunk above it', () => {
    const before = text('0', 'a', 'x', 'b', '1', '2', '3');
    const twice = [hunk(2, ' a', '-x', ' b'), hunk(5, ' a', '-x', ' b')];
    expect(() => apply(before, ...twice)).toThrow(failure('x.txt, hunk 2: ', 'hunk 2 of 2, line 5'));
  });

  test('a hunk from line 1 must start the file', () => {
    const first = hunk(1, ' a', '-b', '+B', ' c');
    expect(apply(letters('a', 'e'), first).offsets).toEqual([0]);
    expect(() => apply(text('new') + letters('a', 'e'), first)).toThrow(failure('starts at line 1'));
  });

  test('a hunk without context after its last change must end the file', () => {
    const last = hunk(3, ' c', '+new');
    expect(apply(letters('a', 'c'), last).text).toBe(text('a', 'b', 'c', 'new'));
    expect(apply(letters('a', 'c'), hunk(2, ' c', '+new')).offsets).toEqual([1]);
    expect(() => apply(letters('a', 'd'), last)).toThrow(
      failure('must end the file', 'expected: the end of the file', 'found: "d"'),
    );
  });

  test('a blank, a tab or a letter more is no match', () => {
    for (const line of ['b ', '\tb', 'B', 'b\r'])
      expect(() => apply(text('a', line, 'c'), hunk(1, ' a', '-b', ' c'))).toThrow(failure('expected: "b"'));
  });
});

describe('D-21: a hunk without context', () => {
  test('goes to its stated line only, where its old lines must stand', () => {
    expect(apply(letters('a', 'c'), hunk(2, '-b', '+B')).text).toBe(text('a', 'B', 'c'));
    expect(() => apply(letters('a', 'c'), hunk(1, '-b', '+B'))).toThrow(failure('not in the file'));
  });

  test('that only adds lines needs a line number within the file', () => {
    expect(apply(letters('a', 'b'), hunk(0, '+x')).text).toBe(text('x', 'a', 'b'));
    expect(apply(letters('a', 'b'), hunk(2, '+x')).text).toBe(text('a', 'b', 'x'));
    expect(apply('', hunk(0, '+x')).text).toBe(text('x'));
    expect(() => apply(letters('a', 'b'), hunk(3, '+x'))).toThrow(failure('expected: such a line'));
    expect(() => apply('a\nb', hunk(2, '+x'))).toThrow(failure('x.txt, hunk 1'));
  });

  test('that only adds lines is refused when its numbers name two places', () => {
    expect(() => apply(letters('a', 'c'), { ...hunk(1, '+x'), newStart: 3 })).toThrow(
      failure('different places'),
    );
  });

  test('beside hunks with context, in this file or another, must end the file', () => {
    const whole = hunk(1, '-a', '+A');
    expect(applyPatchHunks('a\n', [whole], { path: 'x', hasContext: true }).text).toBe('A\n');
    expect(applyPatchHunks('a\nb\n', [whole], { path: 'x' }).text).toBe('A\nb\n');
    expect(() => applyPatchHunks('a\nb\n', [whole], { path: 'x', hasContext: true })).toThrow(
      failure('found: "b"'),
    );
    expect(() =>
      apply(letters('a', 'i'), hunk(2, ' b', '-c', ' d'), { ...hunk(6, '+x'), newStart: 6 }),
    ).toThrow(failure('hunk 2', 'must end the file'));
  });
});

describe('line ends', () => {
  const ends = [text('a', 'b'), text('a', 'b').trimEnd(), text('a', 'c'), text('a', 'c').trimEnd()];
  for (const before of ends)
    for (const after of ends.filter((end) => end !== before))
      test(`D-16: from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
        for (const context of [0, 3]) {
          const diff = unifiedDiff({ path: 'x', before, after, context }).text;
          const hunks = parsePatch(diff)[0]?.hunks ?? [];
          expect(apply(before, ...hunks).text).toBe(after);
          const other = before.endsWith('\n') ? before.trimEnd() : `${before}\n`;
          expect(() => apply(other, ...hunks)).toThrow(failure('x.txt, hunk 1'));
        }
      });

  test('a hunk that ends without newline fits only the end of the file', () => {
    expect(() => apply('a\nb\nc\n', hunk(1, ' a', '-b', '+x', NO_NEWLINE))).toThrow(failure('x.txt'));
    expect(() => apply('a\nb\n', hunk(1, '-a', '+x', ' b', NO_NEWLINE))).toThrow(failure('"b" (no newline)'));
  });

  test('CR is part of a line, so CRLF hunks fit CRLF files', () => {
    expect(apply('a\r\nb\r\n', hunk(1, ' a\r', '-b\r', '+c'))).toEqual({
      text: 'a\r\nc\n',
      offsets: [0],
      tolerant: [],
    });
  });

  test('D-20: LF hunks meet a CRLF file with its line ends, and say so', () => {
    expect(apply('0\r\na\r\nb\r\nc', hunk(2, ' a', '-b', '+B', '+x', ' c', NO_NEWLINE))).toEqual({
      text: '0\r\na\r\nB\r\nx\r\nc',
      offsets: [0],
      tolerant: ['line endings'],
    });
    expect(apply('a\r\nb\r\nc\r\n', hunk(1, ' a', '-b', '+B', '+x', ' c'))).toEqual({
      text: 'a\r\nB\r\nx\r\nc\r\n',
      offsets: [0],
      tolerant: ['line endings'],
    });
  });

  test('D-20: only where every line that is touched ends so, and never the other way round', () => {
    expect(() => apply('a\r\nb\nc\r\n', hunk(1, ' a', '-b', ' c'))).toThrow(failure('found: "a\\r"'));
    expect(() => apply('a\nb\nc\n', hunk(1, ' a\r', '-b\r', ' c\r'))).toThrow(failure('found: "a"'));
    expect(() => apply('a\r\nb\r\nc\r\n', hunk(1, ' a\r', '-b', ' c\r'))).toThrow(failure('x.txt'));
  });
});

test('D-32: the error names file, hunk, line, what was expected and what was found, and stays short', () => {
  const long = 'y'.repeat(10_000);
  const before = letters('a', 'e') + text(long, long, long, long);
  const wrong = ['c', 'd', ...Array.from({ length: 50 }, () => 'z'.repeat(10_000))].map((line) => `-${line}`);
  let thrown: unknown;
  try {
    apply(before, hunk(1, '-a', ' b'), hunk(3, ...wrong, ' end'));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    code: 'PATCH_APPLY_FAILED',
    message: expect.stringMatching(
      /^x\.txt, hunk 2: .*\(hunk 2 of 2, line 5 of the file\)\nexpected: "z+…".*\nfound: "e" "y+…"/,
    ),
    details: { path: 'x.txt', hunk: 2, line: 5 },
  });
  expect((thrown as Error).message.length).toBeLessThan(2_000);
});

test('100,000 hunks, in place and moved, take no more than linear time', () => {
  const before = Array.from({ length: 400_000 }, (_, index) => `l${index}\n`).join('');
  const hunks = Array.from({ length: 100_000 }, (_, index) =>
    hunk(index * 4 + 2, ` l${index * 4 + 1}`, `-l${index * 4 + 2}`, ` l${index * 4 + 3}`),
  );
  const start = performance.now();
  expect(applyPatchHunks(before, hunks, { path: 'x' }).offsets.at(-1)).toBe(0);
  expect(applyPatchHunks(`new\n${before}`, hunks, { path: 'x' }).offsets.at(-1)).toBe(1);
  expect(performance.now() - start).toBeLessThan(5_000);
});
