import { describe, expect, test } from 'vitest';
import { parsePatch } from './parse-patch.ts';

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';
const diffOf = (body: string, name = 'x') => `--- a/${name}\n+++ b/${name}\n${body}`;
const git = (...header: string[]) => `diff --git a/x b/x\n${header.join('\n')}\n`;
const failure = (message: string) => expect.objectContaining({ code: 'PATCH_APPLY_FAILED', message });
const refused = (text: string, part: string) => {
  expect(() => parsePatch(text)).toThrow(failure(expect.stringContaining(part)));
};
const pathsOf = (text: string) => parsePatch(text).flatMap(({ oldPath, newPath }) => [oldPath, newPath]);
/** Takes the best of three runs, because other processes may slow one down. */
const expectWithin = (milliseconds: number, run: () => void) => {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(milliseconds);
};

describe('names are decoded but not judged here', () => {
  test('D-01: a name that climbs comes back as it climbs', () => {
    expect(pathsOf(diffOf(HUNK, '../../x'))).toEqual(['../../x', '../../x']);
    expect(pathsOf(git('rename from x', 'rename to ../../x'))).toEqual(['x', '../../x']);
    expect(pathsOf(git('copy from x', 'copy to ../../x'))).toEqual(['x', '../../x']);
    refused(`--- a/x\n+++ b/../../x\n${HUNK}`, 'disagree');
  });

  test('D-02: an absolute name comes back absolute', () => {
    expect(pathsOf('--- /dev/null\n+++ /etc/cron.d/x\n@@ -0,0 +1 @@\n+x\n')).toEqual([null, '/etc/cron.d/x']);
    expect(pathsOf(diffOf(HUNK, '/etc/x'))).toEqual(['/etc/x', '/etc/x']);
  });

  test('D-04: quoted names are decoded first', () => {
    const name = '\\056\\056/\\056\\056/\\303\\251\\n\\t\\"\\\\';
    expect(pathsOf(`--- "a/${name}"\n+++ "b/${name}"\n${HUNK}`)).toEqual(Array(2).fill('../../é\n\t"\\'));
  });

  test.each([
    ['"a/x', 'cannot be read'],
    ['"a/\\x41"', 'cannot be read'],
    ['"a/\\400"', 'cannot be read'],
    ['"a/\\377"', 'cannot be read'],
    ['"a/x"y', 'cannot be read'],
    ['"a/\\000"', 'NUL'],
    ['a/x\0y', 'NUL'],
    ['""', 'empty'],
    ['a/', 'empty'],
    ['', 'empty'],
    ['a/x\ry', 'carriage return'],
  ])('the name %j is refused', (name, part) => {
    refused(`--- ${name}\n+++ ${name.replace('a/', 'b/')}\n${HUNK}`, part);
  });

  test('D-28: names that disagree are refused unless the header says rename', () => {
    refused(`--- a/x\n+++ b/y\n${HUNK}`, 'disagree');
    refused(`diff --git a/x b/y\n--- a/x\n+++ b/y\n${HUNK}`, 'disagree');
    refused(git('--- a/y', '+++ b/y', '@@ -1 +1 @@', '-a', '+b'), 'disagree');
    refused(git('new file mode 100644', '--- /dev/null', '+++ b/other', '@@ -0,0 +1 @@', '+x'), 'disagree');
    refused(git('new file mode 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b'), 'disagree');
    refused(git('rename from x', 'rename to y', '--- a/x', '+++ b/z', '@@ -1 +1 @@', '-a', '+b'), 'disagree');
    refused(`--- /dev/null\n+++ /dev/null\n${HUNK}`, 'no file is named');
    refused(git('rename from x', 'rename to x'), 'two different names');
    refused(git('rename from x'), 'two different names');
    refused(git('rename from x', 'rename to y', 'deleted file mode 100644'), 'two of');
  });
});

describe('kinds of file that are not supported', () => {
  test.each(['160000', '040000', '104755', '777777', '644', '', '100644 '])('D-09: the mode %j', (mode) => {
    const part = mode === '160000' ? 'The submodule "x"' : 'none of a plain file';
    refused(git(`new file mode ${mode}`, '--- /dev/null', '+++ b/x', '@@ -0,0 +1 @@', '+y'), part);
    refused(git('old mode 100644', `new mode ${mode}`), part);
    refused(git(`deleted file mode ${mode}`), part);
  });

  test('D-08: a file that becomes a symbolic link by its mode, and a submodule', () => {
    refused(git('old mode 100644', 'new mode 120000'), 'makes no symbolic link of a file');
    refused(git('old mode 120000', 'new mode 100755'), 'makes no symbolic link of a file');
    refused(git('new file mode 160000', 'index 0..2'), 'The submodule "x" cannot be changed');
    refused(git('index 1..2 160000', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b'), 'The submodule "x"');
  });

  test('D-22: binary patches without the bytes or the full hashes', () => {
    const literal = 'GIT binary patch\nliteral 3\nKcmZQzWMKdR00961\n\n';
    refused(git('index 1..2 100644', literal), 'Binary patches need the full hashes');
    refused(git('new file mode 100644', 'index 0..2', 'Binary files /dev/null and b/x differ'), '--binary');
    refused(`${diffOf(HUNK)}Binary files a/y and b/y differ\n`, 'the bytes are not in it');
    refused(literal, 'has no file header');
  });

  test('D-26: no diff at all', () => {
    for (const text of ['', ' \n\n', '\r\n', 'Please apply this.\n', '--- \n', 'diff -u x y\n'])
      refused(text, 'no diff');
  });
});

describe('hunks that lie', () => {
  test.each([
    ['too many lines', '@@ -1,1 +1,1 @@\n-a\n+b\n+c\n', 'More lines follow'],
    ['too many lines after an empty one', '@@ -1 +1 @@\n-a\n+b\n\n c\n', 'More lines follow'],
    ['too many old lines', '@@ -1,1 +1,2 @@\n-a\n-b\n+c\n', 'does not hold'],
    ['too few lines', '@@ -1,3 +1,3 @@\n a\n-b\n+c\n', '1 old and 1 new lines of the hunk are missing'],
    ['too few lines before the next hunk', `@@ -1,2 +1,2 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n`, 'does not hold'],
    [
      'too few lines before the next file',
      `@@ -1,2 +1,2 @@\n-a\n+b\n${git('old mode 100644')}`,
      'does not hold',
    ],
    ['no hunk at all', '', 'must follow'],
    ['no change', '@@ -1 +1 @@\n a\n', 'changes nothing'],
    ['no last newline', '@@ -1 +1 @@\n-a\n+b', 'does not end with a line feed'],
    ['a header cut in two', `${HUNK}@@ -5 +5`, 'not a hunk header'],
    ['a header without numbers', '@@\n-a\n+b\n', 'must follow'],
    [
      'a missing newline within',
      '@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n',
      'Only "\\ No newline',
    ],
    ['half a mark', '@@ -1 +1 @@\n-a\n+b\n\\ No', 'Only "\\ No newline'],
    ['a carriage return for a sign', '@@ -1,2 +1,2 @@\n-a\n+b\n\r\n', 'does not hold'],
    ['one hunk twice', '@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n', 'overlaps'],
    ['one insertion twice', '@@ -5,0 +6 @@\n+b\n@@ -5,0 +7 @@\n+b\n', 'overlaps'],
    ['the wrong order', '@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n', 'overlaps'],
  ])('D-17: %s', (_, body, part) => refused(diffOf(body), part));

  test('D-17: a hunk without a file, and a header whose hunks are gone', () => {
    refused(HUNK, 'has no file header');
    refused(git('index 1..2 100644'), 'names no change');
    refused('diff --git a/x b/x\n', 'names no change');
    refused(git('new file mode 100644', 'index 0000000..587be6b'), 'cut off');
    refused(git('similarity index 90%', 'rename from x', 'rename to y'), 'cut off');
    refused(git('old mode 100644'), 'belong together');
    refused(git('--- a/x', '@@ -1 +1 @@', '-a', '+b'), 'belong together');
    refused(
      git('new file mode 100644', '--- /dev/null', '+++ b/x', '@@ -1 +1 @@', '-a', '+b'),
      'depends on old lines',
    );
    refused(
      git('deleted file mode 100644', '--- a/x', '+++ /dev/null', '@@ -1 +1 @@', '-a', '+b'),
      'leaves lines',
    );
  });

  test.each([
    '-99999999999999999999,1 +1',
    '-1,99999999999999999999 +1',
    '--1 +1',
    '-1,-1 +1',
    '-0,1 +1',
    '-0 +1',
    '-1 +0,1',
    '-1,0 +1,0',
    '-1e3 +1',
    '-0x1 +1',
    '-1 1',
    `-${'9'.repeat(1_000_000)} +1`,
  ])('D-18: the header @@ %.40s @@', (ranges) => {
    expectWithin(50, () =>
      expect(() => parsePatch(diffOf(`@@ ${ranges} @@\n-a\n+b\n`))).toThrow(failure(expect.any(String))),
    );
  });
});

describe('input that is meant to be slow', () => {
  test.each(['\r', '\u2028', '\u2029', '\u0085'])('D-24: a header full of %j', (character) => {
    const name = `x${character.repeat(200_000)}y`;
    expectWithin(50, () => {
      const text = `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@ ${name}\n-a\n+b\n`;
      if (character === '\r') refused(text, 'carriage return');
      else expect(pathsOf(text)).toEqual([name, name]);
    });
  });

  test('D-25: 5 MB of one-line hunks, 20,000 files, and 5 MB of almost nothing', () => {
    const hunks = Array.from(
      { length: 180_000 },
      (_, i) => `@@ -${i * 2 + 1} +${i * 2 + 1} @@\n-a\n+b\n`,
    ).join('');
    const files = Array.from({ length: 20_000 }, (_, i) => diffOf(HUNK, `f${i}`)).join('');
    expectWithin(5_000, () => expect(parsePatch(diffOf(hunks))[0]?.hunks).toHaveLength(180_000));
    expectWithin(5_000, () => expect(parsePatch(files)).toHaveLength(20_000));
    for (const unit of ['\n', ' ', '"', '\\', '@@ -', 'diff --git a a ', '--- a\n', '\r\n'])
      expectWithin(5_000, () => expect(() => parsePatch(unit.repeat(5_000_000 / unit.length))).toThrow());
    expectWithin(5_000, () => refused(`diff --git "${'\\303\\251'.repeat(500_000)}" x\n`, 'disagree'));
  });
});
