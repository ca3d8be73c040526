import { expect, test } from 'vitest';
import { splitHunk } from './split-hunk.ts';

const NO_NEWLINE = '\\ No newline at end of file';

test('splits at the context between changes; the larger half goes to the hunk above', () => {
  const lines = [' a', '-b', '+B', ' c', ' d', ' e', '+f', ' g', '-h', ' i'];
  expect(splitHunk({ oldStart: 11, oldLines: 8, newStart: 21, newLines: 8, lines, section: 's' })).toEqual([
    { oldStart: 11, oldLines: 4, newStart: 21, newLines: 4, lines: lines.slice(0, 5), section: 's' },
    { oldStart: 15, oldLines: 2, newStart: 25, newLines: 3, lines: lines.slice(5, 8), section: 's' },
    { oldStart: 17, oldLines: 2, newStart: 28, newLines: 1, lines: lines.slice(8), section: 's' },
  ]);
});

test('leaves a hunk with one run of changes as it is', () => {
  const hunk = { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+c', ' d'] };
  expect(splitHunk(hunk)).toEqual([hunk]);
});

test('a missing newline stays with its line', () => {
  const lines = ['+a', ' b', '-c', NO_NEWLINE, '+d', NO_NEWLINE];
  const whole = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines };
  expect(splitHunk(whole).map((piece) => piece.lines)).toEqual([lines.slice(0, 2), lines.slice(2)]);
  const context = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ['+a', ' b', NO_NEWLINE] };
  expect(splitHunk(context)).toEqual([context]);
});

test('a side without lines is numbered by the line before it', () => {
  const lines = ['-a', ' b', '+c'];
  expect(splitHunk({ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines })).toEqual([
    { oldStart: 1, oldLines: 2, newStart: 1, newLines: 1, lines: ['-a', ' b'] },
    { oldStart: 2, oldLines: 0, newStart: 2, newLines: 1, lines: ['+c'] },
  ]);
});
