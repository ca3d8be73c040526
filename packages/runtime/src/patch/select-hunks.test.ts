import { expect, test } from 'vitest';
import type { FilePatch } from './file-patch.ts';
import { formatPatch } from './format-patch.ts';
import { parsePatch } from './parse/parse-patch.ts';
import { selectHunks } from './select-hunks.ts';

const diff =
  'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n@@ -10,2 +11 @@ f()\n d\n-e\n@@ -20,0 +21 @@\n+f\n' +
  'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n' +
  'diff --git a/y b/z\nrename from y\nrename to z\n--- a/y\n+++ b/z\n@@ -5 +5 @@\n-g\n+h\n@@ -9 +9,2 @@\n+i\n j\n';
const files = parsePatch(diff);
const select = (...take: number[]) => formatPatch(selectHunks(files, take));

test('all hunks give the same patch, none gives none', () => {
  expect(selectHunks(files, [1, 2, 3, 4, 5, 6])).toEqual(files);
  expect(select(1, 2, 3, 4, 5, 6)).toBe(diff);
  expect(select()).toBe('');
});

test('D-34: hunks are numbered across files, and the new line numbers are counted anew', () => {
  expect(select(2, 3, 6)).toBe(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -10,2 +10 @@ f()\n d\n-e\n@@ -20,0 +20 @@\n+f\n' +
      'diff --git a/y b/z\nrename from y\nrename to z\n--- a/y\n+++ b/z\n@@ -9 +9,2 @@\n+i\n j\n',
  );
});

test('D-34: a file without hunks counts as one', () => {
  expect(select(4)).toBe('diff --git a/run b/run\nold mode 100644\nnew mode 100755\n');
  expect(select(1, 3)).toBe(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n@@ -20,0 +22 @@\n+f\n',
  );
});

test('a hunk that is left out does not change those that are kept', () => {
  const copy: FilePatch[] = structuredClone(files);
  selectHunks(files, [3]);
  expect(files).toEqual(copy);
});

test.each([[[0]], [[7]], [[1.5]], [[-1]], [[Number.NaN]], [[2, 2]], [[1, 2, 3, 4, 5, 6, 7]]])(
  'D-34: %j are no hunks',
  (take) => {
    expect(() => selectHunks(files, take)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS' }));
  },
);
