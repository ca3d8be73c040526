import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const NO_NEWLINE = '\\ No newline at end of file';
const diff = (before: string | null, after: string | null, path = 'x.txt') =>
  unifiedDiff({ path, before, after }).text;

describe('unifiedDiff', () => {
  test('is empty when nothing differs', () => {
    expect(diff('a\n', 'a\n')).toBe('');
    expect(diff(null, null)).toBe('');
    expect(diff(null, '')).toBe('');
  });

  test('leaves out a count of one', () => {
    expect(diff('a\n', 'b\nc\n')).toBe('--- a/x.txt\n+++ b/x.txt\n@@ -1 +1,2 @@\n-a\n+b\n+c\n');
  });

  test('names /dev/null for a file that is not there', () => {
    expect(diff(null, 'a\n')).toBe('--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+a\n');
    expect(diff('a', null)).toBe(`--- a/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n${NO_NEWLINE}\n`);
  });

  test('a lone carriage return does not end a line', () => {
    expect(diff('a\rb\r\n', 'a\rc\r\n')).toBe('--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\rb\r\n+a\rc\r\n');
  });

  test('takes the context it is given', () => {
    expect(unifiedDiff({ path: 'x', before: 'a\nb\nc\n', after: 'a\nB\nc\n', context: 0 }).text).toBe(
      '--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+B\n',
    );
  });
});

describe('against the real git', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'codelab-diff-'));
    git('init', '--quiet');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const git = (...args: string[]) => runGit(root, args);
  const apply = (patch: string, ...flags: string[]) =>
    runGit(root, ['apply', '--whitespace=nowarn', ...flags, '-'], patch);
  const setFile = (path: string, content: string | null) => {
    rmSync(join(root, path), { force: true });
    if (content === null) return;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const contentOf = (path: string) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;

  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\n', '\n', '\r\n', '\r'), maxLength: 120 });
  // An empty file that is created or deleted has no lines in a diff, so a missing side is tested only against a text.
  const versions = fc
    .tuple(fc.option(text, { freq: 6 }), fc.option(text, { freq: 6 }))
    .filter(([before, after]) => before !== after && (before ?? '') !== (after ?? ''));

  test('git apply turns before into after', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(versions, fc.constantFrom(0, 1, 3), ([before, after], context) => {
        // Without context git removes the wrong line where the last one has no line feed, also with its own diff.
        fc.pre(context > 0 || !before || before.endsWith('\n'));
        setFile('dir/x.txt', before);
        const patch = unifiedDiff({ path: 'dir/x.txt', before, after, context }).text;
        apply(patch, ...(context === 0 ? ['--unidiff-zero'] : []));
        expect(contentOf('dir/x.txt')).toBe(after);
      }),
      { numRuns: 60 },
    );
  });

  test('git apply undoes it again', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        setFile('x.txt', after);
        apply(unifiedDiff({ path: 'x.txt', before, after }).text, '--reverse');
        expect(contentOf('x.txt')).toBe(before);
      }),
      { numRuns: 25 },
    );
  });

  const names = [
    'plain.txt',
    'two words.txt',
    'q"uote.txt',
    'back\\slash',
    'tab\there',
    'new\nline é.txt',
    'ü',
    '\x7f',
  ];
  for (const name of names) {
    test(`writes the name ${JSON.stringify(name)} as git does`, () => {
      setFile(`names/${name}`, 'one\ntwo\n');
      git('add', '--all', 'names');
      setFile(`names/${name}`, 'one\n2\n');
      const ourDiff = unifiedDiff({ path: `names/${name}`, before: 'one\ntwo\n', after: 'one\n2\n' }).text;
      const gitDiff = git('diff', '--', `names/${name}`);
      expect(ourDiff).toBe(gitDiff.slice(gitDiff.indexOf('--- ')));
      setFile(`names/${name}`, 'one\ntwo\n');
      apply(ourDiff);
      expect(contentOf(`names/${name}`)).toBe('one\n2\n');
    });
  }
});

function runGit(cwd: string, args: string[], input = ''): string {
  // The developer's git settings must not change the result of the test.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const fixed = ['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false'];
  return execFileSync('git', [...fixed, ...args], { cwd, input, env, encoding: 'utf8' });
}
