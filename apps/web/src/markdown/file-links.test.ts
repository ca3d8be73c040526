// Recognition of workspace paths in a text, with their lines and columns.
import { expect, test } from 'vitest';
import { filePlace, picturePath, splitAtPaths } from './file-links.ts';

test('paths with folders or known names are found, with their lines and columns', () => {
  const cases: [string, ReturnType<typeof filePlace>][] = [
    ['lib/a.ts:42', { path: 'lib/a.ts', line: 42 }],
    ['./src/cart.js', { path: 'src/cart.js', line: undefined }],
    ['package.json', { path: 'package.json', line: undefined }],
    ['test/x.test.ts:10:5', { path: 'test/x.test.ts', line: 10, column: 5 }],
    ['../../etc/passwd.txt', undefined],
    ['https://example.org/a.ts', undefined],
    ['example.org', undefined],
    ['Node.js', undefined],
    ['App.tsx', { path: 'App.tsx', line: undefined }],
    ['a.b', undefined],
    ['reply.send()', undefined],
  ];
  for (const [text, place] of cases) expect([text, filePlace(text)]).toEqual([text, place]);
});

test('a line of output is cut at its paths and stays the same text', () => {
  const line = '    at run (lib/core/reply.js:120:13) in node:internal';
  const parts = splitAtPaths(line);
  expect(parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(line);
  expect(parts.filter((part) => typeof part !== 'string')).toEqual([
    { text: 'lib/core/reply.js:120:13', place: { path: 'lib/core/reply.js', line: 120, column: 13 } },
  ]);
});

test('an absolute path of the workspace is one, of another folder none', () => {
  const line = 'at x (/home/me/shop/lib/a.js:6:37) (/usr/lib/b.js:1)';
  expect(splitAtPaths(line, '/home/me/shop')).toEqual([
    'at x (',
    { text: '/home/me/shop/lib/a.js:6:37', place: { path: 'lib/a.js', line: 6, column: 37 } },
    ') (/usr/lib/b.js:1)',
  ]);
});

test('the address of a file of the workspace, as in the stack of an ES module, is its path', () => {
  const line = 'at x (file:///home/me/shop/lib/a.js:6:37) (file:///usr/lib/b.js:1)';
  expect(splitAtPaths(line, '/home/me/shop')).toEqual([
    'at x (',
    { text: 'file:///home/me/shop/lib/a.js:6:37', place: { path: 'lib/a.js', line: 6, column: 37 } },
    ') (file:///usr/lib/b.js:1)',
  ]);
});

test.each([
  ['docs/a.png', '', 'docs/a.png'],
  ['./a.png', 'docs', 'docs/a.png'],
  ['../img/a%20b.webp?raw=true', 'docs/guide', 'docs/img/a b.webp'],
  ['/img/a.gif', 'docs', 'img/a.gif'],
  ['/home/me/shop/img/a.svg', '', 'img/a.svg'],
  ['../a.png', '', undefined],
  ['docs/../../a.png', '', undefined],
  ['//evil.org/a.png', '', undefined],
  ['file:///a.png', '', undefined],
  ['C:\\a.png', '', undefined],
  ['.env', '', undefined],
])('the picture %s in the folder "%s" is the file %s', (source, folder, path) => {
  expect(picturePath(source, { folder, root: '/home/me/shop' })).toBe(path);
});
