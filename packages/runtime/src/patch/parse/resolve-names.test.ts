import { describe, expect, test } from 'vitest';
import { patchTree } from '../patch-tree.ts';
import { parsePatch } from './parse-patch.ts';
import { resolveNames } from './resolve-names.ts';

const CHANGE = '@@ -1 +1 @@\n-a\n+b\n';
const ADD = '@@ -0,0 +1 @@\n+new\n';
const DATE = '2024-01-02 03:04:05.000000000 +0100';
const EPOCH = '1970-01-01 01:00:00.000000000 +0100';
const diffOf = (from: string, to: string, hunk = CHANGE) => `--- ${from}\n+++ ${to}\n${hunk}`;

/** The operation at each path, in a tree of these files; a file without text has the line `a`. */
const resolvedAs = (text: string, ...paths: (string | [string, string])[]) => {
  const tree = new Map(
    paths.map((path): [string, string] => (typeof path === 'string' ? [path, 'a\n'] : path)),
  );
  const read = (path: string) => {
    const found = tree.get(path);
    return found === undefined ? undefined : { text: found, mode: 0o100644 };
  };
  const isFolder = (path: string) => [...tree.keys()].some((name) => name.startsWith(`${path}/`));
  const files = resolveNames(parsePatch(text), {
    kindOf: (path) => (tree.has(path) ? 'file' : isFolder(path) ? 'folder' : 'none'),
    doesApply: (patches) => {
      try {
        return patchTree(patches, read).length > 0;
      } catch {
        return false;
      }
    },
  });
  return files.map(({ operation, oldPath, newPath }) => `${operation} ${newPath ?? oldPath}`);
};
const refused = (part: string, ...args: Parameters<typeof resolvedAs>) =>
  expect(() => resolvedAs(...args)).toThrow(
    expect.objectContaining({ code: 'PATCH_APPLY_FAILED', message: expect.stringContaining(part) }),
  );

describe('a file and a copy that was made of it', () => {
  test.each(['x.orig', 'x~', 'x+', 'x.old', 'x.bak'])('%s and x mean x, in either order', (copy) => {
    for (const [from, to] of [
      [copy, 'x'],
      ['x', copy],
    ] as const) {
      expect(resolvedAs(diffOf(from, to), 'x')).toEqual(['update x']);
      expect(resolvedAs(diffOf(from, to), 'x', copy)).toEqual(['update x']);
      expect(resolvedAs(diffOf(`a/${from}`, `b/${to}`), 'x')).toEqual(['update x']);
      expect(resolvedAs(diffOf(`src/${from}`, `src/${to}`), 'src/x')).toEqual(['update src/x']);
    }
  });

  test('the copy alone is not changed in its place', () => {
    refused('no file is at any of: x.orig, x', diffOf('x.orig', 'x'), 'x.orig');
  });

  test('other names would be a rename, which nothing says', () => {
    refused('disagree', diffOf('x', 'y'), 'x');
    refused('disagree', diffOf('x1', 'x10'), 'x1');
    refused('disagree', diffOf('a/src/x', 'b/lib/x'), 'src/x');
  });
});

describe('two trees that were compared', () => {
  const both = diffOf(`dir-old/x\t${DATE}`, `dir/x\t${DATE}`);

  test('the file that exists is meant, whichever it is', () => {
    expect(resolvedAs(both, 'x')).toEqual(['update x']);
    expect(resolvedAs(both, 'dir/x')).toEqual(['update dir/x']);
    expect(resolvedAs(both, 'dir-old/x')).toEqual(['update dir-old/x']);
  });

  test('two that exist are refused by their names, unless only one fits', () => {
    refused('"dir/x" and "dir-old/x" disagree, and both files exist', both, 'dir/x', 'dir-old/x');
    refused('applies to both "dir/x" and "x"', both, 'dir/x', 'x');
    expect(resolvedAs(both, 'dir/x', ['x', 'other\n'])).toEqual(['update dir/x']);
    expect(resolvedAs(both, ['dir/x', 'other\n'], 'x')).toEqual(['update x']);
  });

  test('none that exists is refused with the names that were tried', () => {
    refused('no file is at any of: dir-old/x, dir/x, x', both, 'y');
  });

  test('new and deleted files follow the others of the patch', () => {
    const threeFiles =
      both +
      diffOf(`dir-old/n\t${EPOCH}`, `dir/n\t${DATE}`, ADD) +
      diffOf(`dir-old/d\t${DATE}`, `dir/d\t${EPOCH}`, '@@ -1 +0,0 @@\n-a\n');
    expect(resolvedAs(threeFiles, 'x', 'd')).toEqual(['update x', 'create n', 'delete d']);
    expect(resolvedAs(threeFiles, 'dir/x', 'dir/d')).toEqual([
      'update dir/x',
      'create dir/n',
      'delete dir/d',
    ]);
    refused('no file is at any of', threeFiles, 'dir/x', 'd');
  });

  test('a new file alone is one of the tree, unless its folder exists', () => {
    const created = diffOf(`dir-old/n\t${EPOCH}`, `dir/n\t${DATE}`, ADD);
    expect(resolvedAs(created, 'x')).toEqual(['create n']);
    refused('applies to both "dir/n" and "n"', created, 'dir/x');
  });
});

describe('equal names', () => {
  test('are whole where that file exists, and else without their first folder', () => {
    expect(resolvedAs(diffOf('src/x', 'src/x'), 'src/x')).toEqual(['update src/x']);
    expect(resolvedAs(diffOf('proj/src/x', 'proj/src/x'), 'src/x')).toEqual(['update src/x']);
    refused('There is no such file', diffOf('src/x', 'src/x'), 'y');
  });

  test('that fit two files are refused; a prefix says which', () => {
    refused('Choose one with a prefix: --- a/src/x', diffOf('src/x', 'src/x'), 'src/x', 'x');
    expect(resolvedAs(diffOf('a/src/x', 'b/src/x'), 'src/x', 'x')).toEqual(['update src/x']);
    expect(resolvedAs(diffOf('src/x', 'src/x') + diffOf('y', 'y'), 'src/x', 'x', 'y')).toEqual([
      'update src/x',
      'update y',
    ]);
  });

  test('of a new file are whole', () => {
    expect(resolvedAs(diffOf('/dev/null', 'src/n', ADD), 'x')).toEqual(['create src/n']);
    expect(resolvedAs(diffOf(`src/n\t${EPOCH}`, `src/n\t${DATE}`, ADD), 'x')).toEqual(['create src/n']);
  });

  test('of a missing file to which lines are only added make it', () => {
    expect(resolvedAs(diffOf('a/n', 'b/n', ADD), 'x')).toEqual(['create n']);
    expect(resolvedAs(diffOf('n.orig', 'n', ADD), 'x')).toEqual(['create n']);
    expect(resolvedAs(diffOf('n', 'n', ADD), ['n', ''])).toEqual(['update n']);
  });
});

describe('what ends a name', () => {
  test('a date does, so that a tab can be part of the name', () => {
    const tab = diffOf(`a/post\timage.txt\t${DATE}`, `b/post\timage.txt\t${DATE}`);
    expect(resolvedAs(tab, 'post\timage.txt', 'post')).toEqual(['update post\timage.txt']);
    expect(resolvedAs(diffOf(`a/n\tm\t${EPOCH}`, `b/n\tm\t${DATE}`, ADD), 'x')).toEqual(['create n\tm']);
    expect(resolvedAs(diffOf(`a/q"\\\tm\t${EPOCH}`, `b/q"\\\tm\t${DATE}`, ADD), 'x')).toEqual([
      'create q"\\\tm',
    ]);
  });

  test.each([
    `\t${DATE}`,
    '\t2024-01-02 03:04:05 -07:00',
    '     2024-01-02 03:04:05.5 +0100',
    ' 2005-04-12 02:14:06 -07:00',
    '\tThu Jan  1 00:00:00 2024 +0000',
    '\t(revision 3)',
    '\t',
  ])('%j after the name is not part of it', (end) => {
    expect(resolvedAs(diffOf(`a/my x${end}`, `b/my x${end}`), 'my x')).toEqual(['update my x']);
  });

  test('two tabs without a date are refused', () => {
    refused('Quote the name', diffOf('a/post\timage.txt\t', 'b/post\timage.txt\t'), 'post');
  });
});
