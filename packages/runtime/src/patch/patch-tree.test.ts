import { describe, expect, test } from 'vitest';
import { formatPatch } from './format-patch.ts';
import { parsePatch } from './parse/parse-patch.ts';
import { patchTree, type TreeFile } from './patch-tree.ts';

const PLAIN = 0o100644;
const file = (text: string, mode = PLAIN): TreeFile => ({ text, mode });
const patch = (diff: string, tree: Record<string, TreeFile>) =>
  patchTree(parsePatch(diff), (path) => (Object.hasOwn(tree, path) ? tree[path] : undefined));
const failure = (message: string) => expect.objectContaining({ code: 'PATCH_APPLY_FAILED', message });
const refused = (diff: string, tree: Record<string, TreeFile>, message: string) => {
  const before = structuredClone(tree);
  expect(() => patch(diff, tree)).toThrow(failure(expect.stringContaining(message)));
  expect(tree).toEqual(before);
};

const update = (path: string, from: string, to: string, line = 1) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -${line} +${line} @@\n-${from}\n+${to}\n`;
const create = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
const remove = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`;
const move = (verb: 'rename' | 'copy', from: string, to: string, hunk = '') =>
  `diff --git a/${from} b/${to}\n${verb} from ${from}\n${verb} to ${to}\n${hunk && `--- a/${from}\n+++ b/${to}\n${hunk}`}`;
const exactMatch = { offsets: [], tolerant: [] };
const placed = { offsets: [0], tolerant: [] };

test('D-36: names every path once, with what it holds before and after', () => {
  const tree = { x: file('a\n'), old: file('b\n'), from: file('c\n'), source: file('d\n') };
  const diff =
    update('x', 'a', 'A') +
    create('new', 'n') +
    remove('old', 'b') +
    move('rename', 'from', 'to') +
    move('copy', 'source', 'copy', '@@ -1 +1 @@\n-d\n+D\n');
  expect(patch(diff, tree)).toEqual([
    { path: 'x', operation: 'update', before: file('a\n'), after: file('A\n'), ...placed },
    { path: 'new', operation: 'create', before: null, after: file('n\n'), ...placed },
    { path: 'old', operation: 'delete', before: file('b\n'), after: null, ...placed },
    { path: 'to', from: 'from', operation: 'rename', before: null, after: file('c\n'), ...exactMatch },
    { path: 'from', to: 'to', operation: 'rename', before: file('c\n'), after: null, ...exactMatch },
    { path: 'copy', from: 'source', operation: 'copy', before: null, after: file('D\n'), ...placed },
  ]);
});

test('D-33: reads, and changes nothing', () => {
  const tree = Object.freeze({ x: Object.freeze(file('a\n')) });
  patch(update('x', 'a', 'b'), tree);
  expect(tree).toEqual({ x: file('a\n') });
});

describe('modes', () => {
  const mode = (from: string, to: string) => `diff --git a/x b/x\nold mode ${from}\nnew mode ${to}\n`;

  test('D-10: a change of mode changes exactly the executable bits', () => {
    const after = (diff: string, before: number) => patch(diff, { x: file('a\n', before) })[0]?.after?.mode;
    expect(after(mode('100644', '100755'), PLAIN)).toBe(0o100755);
    expect(after(mode('100755', '100644'), 0o100755)).toBe(PLAIN);
    expect(after(mode('100644', '100755'), 0o100600)).toBe(0o100700);
    expect(after(mode('100755', '100644'), 0o100750)).toBe(0o100640);
    expect(after(update('x', 'a', 'b'), 0o100711)).toBe(0o100711);
  });

  test('a renamed or copied file keeps its mode', () => {
    const tree = { x: file('a\n', 0o100755) };
    expect(patch(move('rename', 'x', 'y'), tree)[0]?.after).toEqual(file('a\n', 0o100755));
    expect(patch(move('copy', 'x', 'y'), tree)[0]?.after).toEqual(file('a\n', 0o100755));
  });
});

describe('what must not be', () => {
  test('D-12: a file to create exists', () => {
    refused(create('x', 'a'), { x: file('') }, 'x: The file exists already.');
    refused(move('rename', 'x', 'y'), { x: file(''), y: file('') }, 'y: The file exists already.');
    refused(move('copy', 'x', 'y'), { x: file(''), y: file('') }, 'y: The file exists already.');
    refused(create('x', 'a') + create('x', 'b'), {}, 'x: The file exists already.');
    refused(create('x', 'a') + remove('x', 'a'), { x: file('b\n') }, 'x: The file exists already.');
  });

  test('D-13: a file to delete holds something else, or is not there', () => {
    refused(remove('x', 'a'), { x: file('b\n') }, 'x, hunk 1');
    refused(remove('x', 'a'), { x: file('a\nb\n') }, 'x: The file holds more than the patch deletes.');
    refused(remove('x', 'a'), {}, 'x: There is no such file.');
    refused('diff --git a/x b/x\ndeleted file mode 100644\n', { x: file('a\n') }, 'holds more');
  });

  test('D-32: one file that does not fit refuses the whole patch', () => {
    const diff = update('x', 'a', 'b') + update('y', 'a', 'b');
    refused(diff, { x: file('a\n'), y: file('dirty\n') }, 'y, hunk 1');
    refused(diff, { x: file('a\n') }, 'y: There is no such file.');
  });

  test('a file is renamed after it was changed, changed after it was renamed, or renamed twice', () => {
    const tree = { x: file('a\n') };
    refused(update('x', 'a', 'b') + move('rename', 'x', 'y'), tree, 'cannot be renamed');
    refused(move('rename', 'x', 'y') + update('x', 'a', 'b'), tree, 'removes the file');
    refused(move('rename', 'x', 'y') + move('rename', 'x', 'z'), tree, 'cannot be renamed');
    refused(remove('x', 'a') + update('x', 'a', 'b'), tree, 'removes the file');
    refused(create('y', 'a') + move('rename', 'y', 'z'), tree, 'The patch itself creates');
  });
});

describe('one patch that comes back to a file', () => {
  test('D-14: its second part starts from the result of the first', () => {
    const tree = { x: file('a\nb\nc\n') };
    const twice = patch(update('x', 'a', 'A') + update('x', 'c', 'C', 3), tree);
    expect(twice).toEqual([
      {
        path: 'x',
        operation: 'update',
        before: tree.x,
        after: file('A\nb\nC\n'),
        offsets: [0, 0],
        tolerant: [],
      },
    ]);
    expect(patch(update('x', 'a', 'A') + update('x', 'A', 'Z'), tree)[0]?.after).toEqual(file('Z\nb\nc\n'));
    refused(update('x', 'a', 'A') + update('x', 'a', 'Z'), tree, 'found: "A"');
  });

  test('what was created or renamed can be changed, what was deleted can be made anew', () => {
    expect(patch(create('x', 'a') + update('x', 'a', 'b'), {})).toEqual([
      { path: 'x', operation: 'create', before: null, after: file('b\n'), offsets: [0, 0], tolerant: [] },
    ]);
    expect(patch(move('rename', 'x', 'y') + update('y', 'a', 'b'), { x: file('a\n') })[0]).toEqual({
      path: 'y',
      from: 'x',
      operation: 'rename',
      before: null,
      after: file('b\n'),
      ...placed,
    });
    expect(patch(remove('x', 'a') + create('x', 'b'), { x: file('a\n', 0o100755) })).toEqual([
      {
        path: 'x',
        operation: 'update',
        before: file('a\n', 0o100755),
        after: file('b\n'),
        offsets: [0, 0],
        tolerant: [],
      },
    ]);
    expect(patch(create('x', 'a') + remove('x', 'a'), {})).toEqual([]);
  });

  test('two files change places, and a copy starts from the file as it was', () => {
    const tree = { x: file('a\n'), y: file('b\n') };
    expect(patch(move('rename', 'x', 'y') + move('rename', 'y', 'x'), tree)).toEqual([
      {
        path: 'y',
        from: 'x',
        to: 'x',
        operation: 'rename',
        before: tree.y,
        after: file('a\n'),
        ...exactMatch,
      },
      {
        path: 'x',
        from: 'y',
        to: 'y',
        operation: 'rename',
        before: tree.x,
        after: file('b\n'),
        ...exactMatch,
      },
    ]);
    const copied = patch(update('x', 'a', 'A') + move('copy', 'x', 'z', '@@ -1 +1 @@\n-a\n+Z\n'), tree);
    expect(copied.map((change) => change.after)).toEqual([file('A\n'), file('Z\n')]);
  });
});

test('D-20: what was tolerated is told for each file', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n';
  expect(patch(diff, { x: file('a\r\nb\r\n') })[0]).toMatchObject({
    after: file('A\r\nb\r\n'),
    tolerant: ['line endings'],
  });
});

describe('symbolic links', () => {
  const LINK = 0o120000;
  const END = '\n\\ No newline at end of file\n';
  const link = (path: string, target: string) =>
    `diff --git a/${path} b/${path}\nnew file mode 120000\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${target}${END}`;
  const relink = `diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-x${END}+y${END}`;

  test('D-05: hold their target, and what is written again says that they are links', () => {
    for (const diff of [relink, formatPatch(parsePatch(relink))])
      expect(patch(diff, { l: file('x', 0o120777) })).toEqual([
        {
          path: 'l',
          operation: 'update',
          before: file('x', 0o120777),
          after: file('y', 0o120777),
          ...placed,
        },
      ]);
    expect(patch(link('l', 'x'), {})[0]?.after).toEqual(file('x', LINK));
  });

  test('D-06: other files of the patch are not beyond them, whatever the order', () => {
    refused(link('l', '/etc') + create('l/y', 'y'), {}, 'beyond the symbolic link l');
    refused(create('l/y', 'y') + link('l', '/etc'), {}, 'beyond the symbolic link l');
  });

  test('D-08: do not take the place of a file, nor a file theirs', () => {
    refused(remove('x', 'a') + link('x', 'y'), { x: file('a\n') }, 'Delete the old one first');
    refused(relink, { l: file('x') }, 'but here is a file');
    refused(update('l', 'x', 'y'), { l: file('x\n', LINK) }, 'does not go through links');
  });
});
