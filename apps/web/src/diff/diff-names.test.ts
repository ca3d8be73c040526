import { misleading } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { fileChange } from './file-name.ts';
import { diffLineEndings } from './line-ending.ts';

describe('the name of a file in a diff', () => {
  test.each([
    [['diff --git a/x y.txt b/x y.txt', '--- a/x y.txt\t', '+++ b/x y.txt\t'], 'x y.txt', 'update'],
    [['diff --git a/n b/n', 'new file mode 100644', '--- /dev/null', '+++ b/n'], 'n', 'create'],
    [['--- a/gone', '+++ /dev/null'], 'gone', 'delete'],
    [['diff --git a/a b/b', 'rename from a', 'rename to b'], 'b', 'rename'],
    [['diff --git a/dir/m b/dir/m', 'old mode 100644', 'new mode 100755'], 'dir/m', 'update'],
    [['--- "a/\\321\\204\\t\\"x\\".txt"', '+++ "b/\\321\\204\\t\\"x\\".txt"'], 'ф\t"x".txt', 'update'],
    [['diff --git "a/\\303\\251" "b/\\303\\251"', 'old mode 100644', 'new mode 100755'], 'é', 'update'],
  ])('%j', (header, path, op) => {
    expect(fileChange({ header, hunks: [] })).toMatchObject({ path, op });
  });
});

describe('what could mislead the eye', () => {
  test.each([
    ['const a = 1;\r', []],
    ['// Привет, мир: данные', []],
    ['const café = "naïve";', []],
    ['👩‍💻 ❤️ done', []],
    ['if (admin) {\u202e return; }', ['bidi']],
    ['adm\u200bin', ['hidden']],
    ['\u2066x\u2069', ['bidi', 'bidi']],
    ['const pаypal = 1', ['lookalike']],
    ['ｅval(x)', ['lookalike']],
    ['a\rb', ['hidden']],
    ['\u001b[2J', ['hidden']],
  ])('%j', (line, kinds) => {
    expect(misleading(line).map(({ kind }) => kind)).toEqual(kinds);
  });
});

test('line ends of a file are told before and after', () => {
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, section: '' };
  const ends = (...lines: string[]) => diffLineEndings({ header: [], hunks: [{ ...hunk, lines }] });
  expect(ends(' a\r', '-b\r', '+c\r')).toEqual({ before: 'crlf', after: 'crlf' });
  expect(ends('-a\r', '+a')).toEqual({ before: 'crlf', after: 'lf' });
  expect(ends(' a\r', '+b')).toEqual({ before: 'crlf', after: 'mixed' });
  expect(ends('-a', '\\ No newline at end of file', '+a\r')).toEqual({ before: 'none', after: 'crlf' });
});
