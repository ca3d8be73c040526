import { expect, test } from 'vitest';
import { plainPaths, respell, rootedPaths } from './spelling.ts';

test.each([
  ['File not found: src/a.js', { path: '/src/a.js' }, 'File not found: /src/a.js'],
  ['The path "a\\nb" holds a line feed.', { path: '/a\nb' }, 'The path "/a\\nb" holds a line feed.'],
  ['. is a directory.', { path: '/' }, '/ is a directory.'],
  ['a and b: b exists.', { from: '/a', to: '/b' }, '/a and /b: /b exists.'],
  ['a/b is above a', { from: '/a', to: '//a/b' }, '//a/b is above /a'],
  ['File not found: src/b.js', { files: ['/a', '/src/b.js'] }, 'File not found: /src/b.js'],
  ['a banana is at a.', { path: '/a' }, '/a banana is at /a.'],
  ['A glob without `..`.', { path: '/' }, 'A glob without `..`.'],
  ['Directory not found: .', { path: '/' }, 'Directory not found: /'],
  ['File not found: a', { path: 'a' }, 'File not found: a'],
  ['File not found: b', { files: ['/a', '/b'] }, 'File not found: /b'],
  ['The question is unclear.', { message: '/a' }, 'The question is unclear.'],
])('%j gets the spelling of %j', (message, requested, spelled) => {
  expect(respell(message, requested, rootedPaths)).toBe(spelled);
  expect(respell(message, requested, plainPaths)).toBe(message);
});

test('a path of megabytes is let be', () => {
  const path = `/${'a'.repeat(20_000_000)}`;
  expect(respell('The path is too long.', { path }, rootedPaths)).toBe('The path is too long.');
});
