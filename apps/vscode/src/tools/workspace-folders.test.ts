// One folder is the workspace itself; several are directories of it, by their names.
import { expect, test } from 'vitest';
import { nameFolders, routePath, spelledIn } from './workspace-folders.ts';

const single = [{ name: 'app', root: '/w/app' }];
const two = [...single, { name: 'lib', root: '/w/lib' }];

test('with one folder a path is what it is', () => {
  expect(routePath(single, 'src/a.ts')).toEqual({ folder: single[0], path: 'src/a.ts' });
  expect(routePath(single, '../a.ts')).toEqual({ folder: single[0], path: '../a.ts' });
});

test.each([
  ['lib/a.ts', { folder: two[1], path: 'a.ts' }],
  ['./app/src/../b.ts', { folder: two[0], path: 'b.ts' }],
  ['/w/lib/c.ts', { folder: two[1], path: 'c.ts' }],
  ['lib', { folder: two[1], path: '.' }],
  ['.', 'top'],
  ['app/..', 'top'],
])('with two folders %s leads into one of them, or to the list', (requestedPath, routed) => {
  expect(routePath(two, requestedPath)).toEqual(routed);
});

test('a path out of all folders, into none of them, or without any folder is refused with the way on', () => {
  expect(() => routePath(two, '../x')).toThrow('leads out of the workspace');
  expect(() => routePath(two, 'app/../../x')).toThrow('leads out of the workspace');
  expect(() => routePath(two, 'src/a.ts')).toThrow('begin the path with one of them: app, lib');
  expect(() => routePath([], 'a.ts')).toThrow('Open one');
});

test('folders with one name are told apart, and answers name the folder', () => {
  expect(
    nameFolders([single[0] ?? two[0], { name: 'app', root: '/x/app' }].filter((f) => f !== undefined)),
  ).toEqual([
    { name: 'app', root: '/w/app' },
    { name: 'app (2)', root: '/x/app' },
  ]);
  const lib = { name: 'lib', root: '/w/lib' };
  const listed = { path: '.', entries: [{ name: 'a.ts', path: 'a.ts', type: 'file' }], total_count: 1 };
  expect(spelledIn(lib, two, listed)).toEqual({
    path: 'lib',
    entries: [{ name: 'a.ts', path: 'lib/a.ts', type: 'file' }],
    total_count: 1,
  });
  expect(spelledIn(lib, two, 'text of a file')).toBe('text of a file');
  expect(spelledIn(lib, [lib], listed)).toBe(listed);
});
