import { describe, expect, test } from 'vitest';
import { parsePatch } from './parse-patch.ts';

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';
const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] };
const updated = (path: string) => ({ oldPath: path, newPath: path, operation: 'update', hunks: [hunk] });
const pathsOf = (text: string) => parsePatch(text).map((file) => file.newPath ?? file.oldPath);

describe('a git diff', () => {
  test('gives path, operation, hunks and section text', () => {
    const text =
      'diff --git a/src/x.ts b/src/x.ts\nindex 83db48f..bf269f4 100644\n--- a/src/x.ts\n+++ b/src/x.ts\n' +
      '@@ -10,2 +10,3 @@ export function f() {\n one\n+two\n three\n@@ -20 +21,0 @@\n-four\n';
    expect(parsePatch(text)).toEqual([
      {
        oldPath: 'src/x.ts',
        newPath: 'src/x.ts',
        operation: 'update',
        hunks: [
          {
            oldStart: 10,
            oldLines: 2,
            newStart: 10,
            newLines: 3,
            lines: [' one', '+two', ' three'],
            section: 'export function f() {',
          },
          { oldStart: 20, oldLines: 1, newStart: 21, newLines: 0, lines: ['-four'] },
        ],
      },
    ]);
  });

  test('tells new, deleted, empty, renamed, copied and mode-changed files', () => {
    const text =
      'diff --git a/new b/new\nnew file mode 100755\nindex 0000000..587be6b\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n' +
      'diff --git a/old b/old\ndeleted file mode 100644\nindex 587be6b..0000000\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' +
      'diff --git a/come b/come\nnew file mode 100644\nindex 0000000..e69de29\n' +
      'diff --git a/gone b/gone\ndeleted file mode 100644\nindex e69de29..0000000\n' +
      'diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n' +
      `diff --git a/one b/two\nsimilarity index 80%\ncopy from one\ncopy to two\nindex 1..2 100644\n--- a/one\n+++ b/two\n${HUNK}` +
      'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n';
    const added = { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+x'] };
    const removed = { oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ['-x'] };
    expect(parsePatch(text)).toEqual([
      { oldPath: null, newPath: 'new', operation: 'create', newMode: 0o100755, hunks: [added] },
      { oldPath: 'old', newPath: null, operation: 'delete', oldMode: 0o100644, hunks: [removed] },
      { oldPath: null, newPath: 'come', operation: 'create', newMode: 0o100644, hunks: [] },
      { oldPath: 'gone', newPath: null, operation: 'delete', oldMode: 0o100644, hunks: [] },
      { oldPath: 'from', newPath: 'to', operation: 'rename', hunks: [] },
      { oldPath: 'one', newPath: 'two', operation: 'copy', hunks: [hunk] },
      {
        oldPath: 'run',
        newPath: 'run',
        operation: 'update',
        oldMode: 0o100644,
        newMode: 0o100755,
        hunks: [],
      },
    ]);
  });

  test.each([
    ['a/ and b/', 'a/', 'b/'],
    ['the index and the working tree', 'i/', 'w/'],
    ['a commit and the working tree', 'c/', 'w/'],
    ['an object and the working tree', 'o/', 'w/'],
    ['a diff turned round', 'b/', 'a/'],
  ])('takes the prefixes of %s off', (_, a, b) => {
    const text = `diff --git ${a}dir/x ${b}dir/x\nindex 1..2 100644\n--- ${a}dir/x\n+++ ${b}dir/x\n${HUNK}`;
    expect(parsePatch(text)).toEqual([updated('dir/x')]);
  });

  test.each(['src/x', 'a/x', 'b/x', 'w/x', 'x'])(
    'takes %s whole when it was made with --no-prefix',
    (path) => {
      const text = `diff --git ${path} ${path}\nindex 1..2 100644\n--- ${path}\n+++ ${path}\n${HUNK}`;
      expect(parsePatch(text)).toEqual([updated(path)]);
    },
  );

  test('a rename from a/ to b/ keeps both folders, with and without prefix', () => {
    for (const [a, b] of [
      ['', ''],
      ['a/', 'b/'],
    ]) {
      const names = `rename from a/x\nrename to b/x\n--- ${a}a/x\n+++ ${b}b/x\n`;
      const [file] = parsePatch(`diff --git ${a}a/x ${b}b/x\nsimilarity index 90%\n${names}${HUNK}`);
      expect(file).toEqual({ oldPath: 'a/x', newPath: 'b/x', operation: 'rename', hunks: [hunk] });
    }
  });

  test('/dev/null says that a file comes or goes even where the mode line is left out', () => {
    const text =
      'diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\ndiff --git a/y b/y\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n';
    expect(parsePatch(text).map((file) => file.operation)).toEqual(['create', 'delete']);
  });

  test('several files, and prose before, between and after them', () => {
    const file = (name: string) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${HUNK}`;
    const text =
      `From 0123 Mon Sep 17\nSubject: [PATCH] x\n\n---\n x | 2 +-\n\n${file('x')}-- \n2.39.5\n\n` +
      `commit 4567\n    index of things\n\n${file('y')}\n\`\`\`\n+ done\n`;
    expect(pathsOf(text)).toEqual(['x', 'y']);
    expect(pathsOf(text.replaceAll('\n', '\r\n'))).toEqual(['x', 'y']);
  });
});

describe('a plain diff', () => {
  test('needs no git header, and its time stamps are not part of the name', () => {
    const stamp = '\t2024-01-02 03:04:05.000000000 +0100';
    const text = `--- a/x${stamp}\n+++ b/x${stamp}\n${HUNK}--- y\n+++ y\n${HUNK}Only in b: z\n--- a/w\n+++ a/w\n${HUNK}`;
    const files = parsePatch(text).map(({ names: _, ...file }) => file);
    expect(files).toEqual([updated('x'), updated('y'), updated('w')]);
  });

  test('names without prefix are taken whole', () => {
    expect(pathsOf(`--- src/a.ts\n+++ src/a.ts\n${HUNK}`)).toEqual(['src/a.ts']);
  });

  test.each([
    ['1970-01-01 00:00:00.000000000 +0000', 'create'],
    ['1970-01-01 09:00:00 +0900', 'create'],
    ['1969-12-31 16:00:00.00 -08:00', 'create'],
    ['1970-01-01 00:00:01 +0000', 'update'],
    ['1970-01-01 09:00:00 +0800', 'update'],
    ['1969-12-30 16:00:00 -0800', 'update'],
  ])('D-30: the date %s on the old side means %s', (date, operation) => {
    const now = '2024-01-02 03:04:05 +0000';
    const created = parsePatch(`--- x\t${date}\n+++ x\t${now}\n@@ -0,0 +1 @@\n+x\n`);
    const deleted = parsePatch(`--- x\t${now}\n+++ x\t${date}\n@@ -1 +0,0 @@\n-x\n`);
    expect(created[0]?.operation).toBe(operation);
    expect(deleted[0]?.operation).toBe(operation === 'create' ? 'delete' : 'update');
  });

  test('D-29: only the bare /dev/null is no file', () => {
    expect(pathsOf(`--- a/dev/null\n+++ b/dev/null\n${HUNK}`)).toEqual(['dev/null']);
    expect(pathsOf(`--- null\n+++ null\n${HUNK}`)).toEqual(['null']);
    expect(pathsOf('--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-a\n+b\n')).toEqual(['my file']);
    expect(pathsOf(`--- "a/t\\tb"\n+++ "b/t\\tb"\n${HUNK}`)).toEqual(['t\tb']);
    expect(pathsOf(`--- a/q"q\n+++ b/q"q\n${HUNK}`)).toEqual(['q"q']);
  });
});

describe('lines of a hunk', () => {
  const linesOf = (body: string) => parsePatch(`--- x\n+++ x\n${body}`)[0]?.hunks[0]?.lines;

  test('an empty line stands for an empty line of context, when the counts then fit', () => {
    expect(linesOf('@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n')).toEqual([' a', ' ', '-b', '+c']);
    expect(() => linesOf('@@ -1,2 +1,3 @@\n a\n\n-b\n+c\n')).toThrow('does not hold the lines');
  });

  test('the last line may lack its newline on either side, in any language', () => {
    const body = '@@ -1 +1 @@\n-a\n\\ Kein Zeilenumbruch am Dateiende.\n+b\n\\ No newline at end of file\n';
    const marker = '\\ No newline at end of file';
    expect(linesOf(body)).toEqual(['-a', marker, '+b', marker]);
    expect(linesOf(body.slice(0, -1))).toEqual(['-a', marker, '+b', marker]);
  });

  test('lines that look like headers are lines as long as the header counts them', () => {
    const body = '@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n';
    expect(linesOf(body)).toEqual(['--- a/x', '+++ b/x', ' @@ -1 +1 @@']);
  });

  test('D-20: in a patch with CRLF throughout, headers lose the \\r and lines keep it', () => {
    const text =
      'diff --git a/x b/x\r\nindex 1..2 100644\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@ f()\r\n-a\r\n+b\r\n';
    expect(parsePatch(text)).toEqual([
      { ...updated('x'), hunks: [{ ...hunk, section: 'f()', lines: ['-a\r', '+b\r'] }] },
    ]);
    expect(parsePatch('--- x\r\n+++ x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n')[0]?.hunks[0]).toEqual({
      ...hunk,
      lines: ['-a\r', '+b\r'],
    });
  });
});
