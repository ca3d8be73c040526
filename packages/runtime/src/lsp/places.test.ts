import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromServer, pathIn, positionEncodings, toServer, uriOf } from './places.ts';
import { applyServerEdits } from './rename.ts';

test('characters come back as they went, in every encoding', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...positionEncodings),
      fc.nat(),
      (line, encoding, at) => {
        const before = [...line].slice(0, at % ([...line].length + 1)).join('').length;
        expect(fromServer(line, toServer(line, before, encoding), encoding)).toBe(before);
      },
    ),
  );
  expect([...positionEncodings].map((encoding) => toServer('😀é x', 4, encoding))).toEqual([4, 7, 3]);
  expect(fromServer('ab', 99, 'utf-8')).toBe(2);
});

test('paths come back from their addresses, whatever is in them', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !/[/\0\\]|^\.{1,2}$/.test(text));
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = names.join('/');
      expect(pathIn('/work space/ü', uriOf('/work space/ü', path))).toBe(path);
    }),
  );
  for (const path of ['..odd.ts', '..a/b', '...', 'a b%20c', '#1?', 'a:b'])
    expect(pathIn('/work', uriOf('/work', path))).toBe(path);
});

test.each([
  'file:///etc/passwd',
  'file:///w/../etc/passwd',
  'file:///w/%2e%2e/etc/passwd',
  'file:///wide/a',
  'file:///w',
  'file://host/w/a',
  'file:///w/a%2fb',
  'file:///w/a%00',
  'file:///w/a?x#y',
  'http://x/w/a',
  'untitled:a',
  'w/a',
])('%s is no file of the workspace', (uri) => {
  expect(pathIn('/w', uri)).toBeUndefined();
});

test('edits mean the text before all of them, and none may overlap', () => {
  const at = (line: number, from: number, to: number, newText: string) => ({
    range: { start: { line, character: from }, end: { line, character: to } },
    newText,
  });
  const text = 'a b\r\n😀 b\r\n';
  expect(applyServerEdits(text, [at(1, 3, 4, 'cc'), at(0, 2, 3, '')], 'utf-16', 'x')).toBe('a \r\n😀 cc\r\n');
  expect(applyServerEdits(text, [at(1, 5, 6, 'cc')], 'utf-8', 'x')).toBe('a b\r\n😀 cc\r\n');
  expect(() => applyServerEdits(text, [at(0, 0, 2, 'x'), at(0, 1, 3, 'y')], 'utf-16', 'x')).toThrow(
    'overlap',
  );
  expect(() => applyServerEdits(text, [at(9, 0, 0, 'x')], 'utf-16', 'x')).toThrow('does not have');
});
