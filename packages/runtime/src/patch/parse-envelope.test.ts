import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEnvelope } from './envelope/apply-envelope.ts';
import { isEnvelope } from './envelope/read-envelope.ts';
import { formatPatch } from './format-patch.ts';
import { parsePatch } from './parse/parse-patch.ts';
import { patchTree } from './patch-tree.ts';
import { applyPatchHunks } from './place-hunks.ts';
import { unifiedDiff } from './unified-diff.ts';

type Files = Record<string, string>;
const wrap = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const parse = (text: string, files: Files = {}) =>
  parseEnvelope(text, (path) => files[path] ?? expect.unreachable(`reads ${path}`));
const updated = (before: string, ...lines: string[]) => {
  const [file] = parse(wrap('*** Update File: x', ...lines), { x: before });
  return applyPatchHunks(before, file?.hunks ?? [], { path: 'x' }).text;
};
const refused = (run: () => unknown, message: string) =>
  expect(run).toThrow(
    expect.objectContaining({ code: 'PATCH_APPLY_FAILED', message: expect.stringContaining(message) }),
  );
const LETTERS = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';

test('an envelope is told from a diff by its first line', () => {
  expect(isEnvelope(wrap())).toBe(true);
  expect(isEnvelope('\n  *** Begin Patch \r\n')).toBe(true);
  expect(isEnvelope('diff --git a/x b/x\n*** Begin Patch\n')).toBe(false);
  expect(isEnvelope('*** Begin Patches\n')).toBe(false);
});

test('becomes the patch a diff of the same files would be', () => {
  const text = wrap(
    '*** Add File: new dir/n',
    '+one',
    '+',
    '*** Update File: x',
    '*** Move to: y',
    '@@',
    ' d',
    '-e',
    '+E',
    '',
    '*** Delete File: gone',
  );
  expect(formatPatch(parse(text, { x: LETTERS, gone: 'g\n' }))).toBe(
    'diff --git a/new dir/n b/new dir/n\nnew file mode 100644\n--- /dev/null\n+++ b/new dir/n\t\n@@ -0,0 +1,2 @@\n+one\n+\n' +
      'diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n' +
      'diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n',
  );
});

test('empty files come and go, and a file only moves', () => {
  const text = wrap('*** Add File: e', '*** Delete File: g', '*** Update File: x', '*** Move to: y');
  expect(parse(text, { g: '', x: 'a\n' })).toEqual([
    { oldPath: null, newPath: 'e', operation: 'create', newMode: 0o100644, hunks: [] },
    { oldPath: 'g', newPath: null, operation: 'delete', oldMode: 0o100644, hunks: [] },
    { oldPath: 'x', newPath: 'y', operation: 'rename', hunks: [] },
  ]);
});

describe('where a hunk goes', () => {
  test('where its old lines stand, after the hunk before it', () => {
    expect(updated(LETTERS, ' b', '-c', '+C', '@@', '-f', ' g', '+x')).toBe('a\nb\nC\nd\ne\ng\nx\nh\ni\n');
    refused(() => updated(LETTERS, '@@', '-f', '@@', '-c'), 'not in the file');
  });

  test('blanks before a line must be the same, blanks after it need not', () => {
    refused(() => updated(LETTERS, '  b', '-c'), 'expected: " b"');
    expect(updated(LETTERS, ' b ', '-c')).toBe(LETTERS.replace('c\n', ''));
    expect(updated('a  \nb\n', ' a', '-b', '+B')).toBe('a  \nB\n');
    const [file] = parse(wrap('*** Update File: x', ' a', '-b'), { x: 'a  \nb\n' });
    expect(file?.tolerant).toEqual(['trailing whitespace']);
    refused(() => updated(LETTERS, ' b', '-x'), 'expected: "x"\nfound: "c" (line 3)');
  });

  test('only where that is one place', () => {
    refused(() => updated('a\nx\na\nx\n', '-x', '+y'), 'at line 2 and again at line 4');
    expect(updated('a\nx\na\nx\n', '-x', '+y', '*** End of File')).toBe('a\nx\na\ny\n');
    expect(updated('a\nx\na\nx\n', ' a', '-x', ' a')).toBe('a\na\nx\n');
  });

  test('after the line that "@@" names, or the lines, one within the other', () => {
    const code = 'class A\n  run()\n    x\nclass B\n  run()\n    x\nclass C\n  run()\n    x\n';
    expect(updated(code, '@@ class B', '-    x', '+    y')).toBe(code.replace(/x(?=\nclass C)/, 'y'));
    expect(updated(code, '@@ class B', '@@ run()', '-    x')).toBe(code.replace(/ {4}x\n(?=class C)/, ''));
    refused(() => updated(code, '@@   run()', '-    x'), 'occur at line 3 and again at line 6');
    refused(() => updated(code, '@@ class D', '-    x'), 'is not in the file');
  });

  test('at the end, when it adds lines and names none', () => {
    expect(updated('a\n', '@@', '+b')).toBe('a\nb\n');
    expect(updated('', '+b')).toBe('b\n');
    refused(() => updated(LETTERS, '@@ c', '+x'), 'Add the line above or below');
  });

  test('"*** End of File" means the last lines, empty ones included', () => {
    expect(updated('a\n\nb\n\n', ' b', '-', '*** End of File')).toBe('a\n\nb\n');
    expect(updated('a\n\nb\n\n', '-b', '', '*** End of File')).toBe('a\n\n\n');
    refused(() => updated('a\nb\n', '-a', '*** End of File'), 'expected: the end of the file');
  });
});

describe('what models leave out or put around', () => {
  const add = [{ newPath: 'n', operation: 'create', hunks: [{ lines: ['+a'] }] }];
  test.each([
    ['no end', '*** Begin Patch\n*** Add File: n\n+a\n'],
    ['blanks before its marks', '  *** Begin Patch\n  *** Add File: n\n+a\n *** End Patch \n'],
    ['no begin', '*** Add File: n\n+a\n*** End Patch\n'],
    ['a code fence', `\`\`\`diff\n${wrap('*** Add File: n', '+a')}\`\`\`\n`],
    ['a here-document', `apply_patch <<'EOF'\n${wrap('*** Add File: n', '+a')}EOF\n`],
    ['a here-document without its end', `apply_patch <<"PATCH"\n${wrap('*** Add File: n', '+a')}`],
  ])('%s', (_, text) => {
    expect(isEnvelope(text)).toBe(true);
    expect(parse(text)).toMatchObject(add);
  });

  test('a hunk of context alone is a signpost: what follows belongs below it', () => {
    const twice = 'one\n  x\ntwo\n  x\n';
    expect(updated(twice, '@@', ' two', '@@', '-  x', '+  y')).toBe('one\n  x\ntwo\n  y\n');
    expect(updated(twice, '@@ two', '', '@@', '-  x', '+  y')).toBe('one\n  x\ntwo\n  y\n');
  });

  test('a blank line that lost its mark, in a hunk and in a new file', () => {
    expect(updated('a\n\nb\n', ' a', '', '-b', '+c')).toBe('a\n\nc\n');
    expect(parse(wrap('*** Add File: n', '+a', '', '+b'))).toMatchObject([
      { hunks: [{ lines: ['+a', '+', '+b'] }] },
    ]);
  });

  test('a blank line at the end of a hunk that is not in the file', () => {
    expect(updated('a\nb\n', ' a', '-b', '+c', ' ')).toBe('a\nc\n');
  });

  test('line numbers as in a unified diff', () => {
    expect(updated(LETTERS, '@@ -3,1 +3,1 @@ def f():', '-c', '+C')).toBe(LETTERS.replace('c', 'C'));
  });

  test('plain quotes and dashes for typographic ones; the context keeps those of the file', () => {
    const [file] = parse(wrap('*** Update File: x', ' "a" - b', '-c', '+d'), { x: '“a” – b\nc\n' });
    expect(file).toMatchObject({
      hunks: [{ lines: [' “a” – b', '-c', '+d'] }],
      tolerant: ['look-alike punctuation'],
    });
  });

  test('a miss names the line that differs, however far down', () => {
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at}`);
    const old = lines.slice(950, 1000).map((line) => (line === 'line 960' ? '-line  960' : ` ${line}`));
    refused(() => updated(`${lines.join('\n')}\n`, ...old), 'found: "line 960" (line 961)');
  });

  test('a name above that stands twice is enough when only one of them leads to the lines', () => {
    const code = 'run()\n  x\nrun()\n  y\n';
    expect(updated(code, '@@ run()', '-  y', '+  z')).toBe('run()\n  x\nrun()\n  z\n');
  });
});

describe('line ends', () => {
  test('a missing last newline stays missing', () => {
    expect(updated('a\nb', ' a', '-b', '+c')).toBe('a\nc');
    expect(updated('a\nb', ' b', '+c')).toBe('a\nb\nc');
    expect(updated('a\nb', '@@', '+c')).toBe('a\nb\nc');
    expect(updated('a\nb', '-a', ' b')).toBe('b');
    expect(updated('a\nb', '-a')).toBe('b');
  });

  test('a line above keeps its own newline when the last one goes', () => {
    expect(updated('a\nb', ' a', '-b')).toBe('a\n');
    expect(updated('a\nb', '-b')).toBe('a\n');
  });

  test('a CRLF file keeps its line ends, which is told when it is applied', () => {
    const before = 'a\r\nb\r\nc\r\n';
    const files = parse(wrap('*** Update File: x', '-b', '+B', '@@', '+d'), { x: before });
    expect(applyPatchHunks(before, files[0]?.hunks ?? [], { path: 'x' })).toEqual({
      text: 'a\r\nB\r\nc\r\nd\r\n',
      offsets: [0],
      tolerant: ['line endings'],
    });
    expect(updated('a\r\nb\nc\r\n', '-b', '+B')).toBe('a\r\nB\nc\r\n');
    refused(() => updated('a\r\nb\nc\r\n', '-a', '+A'), 'found: "a\\r"');
  });

  test('an envelope written with CRLF gives its \\r to the lines of files only', () => {
    const text = wrap('*** Update File: x', '@@ a', '-b', '+B').replaceAll('\n', '\r\n');
    expect(() => parse(text, { x: 'a\nb\n' })).toThrow('not in the file');
    const [file] = parse(text.replace('@@ a\r\n', '@@\r\n'), { x: 'a\r\nb\r\n' });
    expect(file).toMatchObject({ newPath: 'x', hunks: [{ lines: [' a\r', '-b\r', '+B\r'] }] });
  });
});

test('says what a diff says, only without line numbers', () => {
  const lines = fc.uniqueArray(fc.nat(10_000), { minLength: 5, maxLength: 60 });
  const edits = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(lines, edits, fc.constantFrom(1, 3), (numbers, places, context) => {
      const before = numbers.map((number) => `${number}\n`).join('');
      const changed = numbers.map(String);
      for (const place of places) changed.splice(place % changed.length, place % 2, `new ${place}`);
      const after = changed.map((line) => `${line}\n`).join('');
      const [file] = parsePatch(unifiedDiff({ path: 'x', before, after, context }).text);
      expect(updated(before, ...(file?.hunks ?? []).flatMap((hunk) => ['@@', ...hunk.lines]))).toBe(after);
    }),
  );
});

test('a file that comes twice is read once and then as the first section leaves it', () => {
  const text = wrap(
    ...['*** Update File: x', '-a', '+A', '*** Update File: x', ' A', '-b', '+B'],
    ...['*** Add File: n', '+1', '*** Update File: n', '-1', '+2'],
  );
  const files = parse(text, { x: LETTERS });
  const changes = patchTree(files, (path) => (path === 'x' ? { text: LETTERS, mode: 0o100644 } : undefined));
  expect(changes.map(({ path, after }) => [path, after?.text])).toEqual([
    ['x', LETTERS.replace('a\nb', 'A\nB')],
    ['n', '2\n'],
  ]);
});

test.each([
  ['something after the end', `${wrap('*** Add File: x', '+a')}more\n`, 'Nothing may follow'],
  ['no file', wrap(), 'names no file'],
  ['no name', wrap('*** Add File:  ', '+a'), 'name is empty'],
  ['a NUL', wrap('*** Add File: a\0', '+a'), 'NUL'],
  ['no new name', wrap('*** Update File: x', '*** Move to:  '), 'name is empty'],
  ['a stray line', wrap('*** Add File: x', 'a'), 'is expected here'],
  ['an unknown section', wrap('*** Rename File: x'), 'is expected here'],
  ['no hunk', wrap('*** Update File: x'), 'changes nothing'],
  ['a hunk without change', wrap('*** Update File: x', '@@', ' a'), 'already is'],
  ['a hunk that puts back what it takes', wrap('*** Update File: x', '-a', '+a'), 'already is'],
  [
    'a line without sign',
    wrap('*** Update File: x', '-a', 'b'),
    'starts with " " (context), "-" (remove) or "+" (add)',
  ],
  ['a mark of diffs', wrap('*** Update File: x', '-a', '\\ No newline at end of file'), 'starts with'],
])('an envelope with %s is refused', (_, text, message) => {
  refused(() => parse(text, { x: LETTERS }), message);
});
