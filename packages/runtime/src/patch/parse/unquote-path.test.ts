import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotePath } from '../unified-diff.ts';
import { unquotePath } from './patch-paths.ts';

test('gives back what was quoted, and what follows it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, rest) => {
      const quoted = quotePath(name);
      fc.pre(quoted.startsWith('"'));
      expect(unquotePath(quoted + rest)).toEqual({ name, rest });
    }),
  );
});

test('characters beyond ASCII may also stand unescaped, as with core.quotePath off', () => {
  expect(unquotePath('"é\\t\\303\\251"')).toEqual({ name: 'é\té', rest: '' });
});

test('broken quoting and bytes that are not UTF-8 are refused', () => {
  for (const text of ['"', '"x', '"\\"', '"\\q"', '"\\12"', '"\\400"', '"\\377"', '"\\303"'])
    expect(unquotePath(text)).toBeNull();
});
