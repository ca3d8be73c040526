import { expect, test } from 'vitest';
import { quotePath } from '../unified-diff.ts';

test('a plain name stays as it is, spaces included', () => {
  expect(quotePath("a/src/my file-1_[x]{y}~'!#.ts")).toBe("a/src/my file-1_[x]{y}~'!#.ts");
});

test('quotes, backslashes, control characters and bytes beyond ASCII are escaped as in C', () => {
  expect(quotePath('a/q"b\\c')).toBe('"a/q\\"b\\\\c"');
  expect(quotePath('a/\x01\x07\b\t\n\v\f\r\x7f')).toBe('"a/\\001\\a\\b\\t\\n\\v\\f\\r\\177"');
  expect(quotePath('a/é €')).toBe('"a/\\303\\251 \\342\\202\\254"');
});
