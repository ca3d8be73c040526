// The built-in search answers as ripgrep does: over files, ignore rules, texts, patterns and globs made up at random.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileFilter, pathFilter } from '../../packages/runtime/src/search/search-request.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { linesOfBoth, pathsOfBoth } from '../support/searching.ts';

const name = fc.constantFrom('a', 'b', 'ab', 'a.ts', 'b.js', '.h', 'dist', 'x y', 'ä');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const line = fc.constantFrom(
  'foo',
  'Foo bar',
  'foo.bar',
  'äöfoo',
  'bar\r',
  '',
  '  foo',
  'f\u0000oo',
  'foofoo',
  '(foo)',
  '\tFOO\\',
);
const text = fc
  .array(line, { maxLength: 6 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));
const glob = fc.constantFrom(
  'a',
  '*.ts',
  '/a',
  'dist/',
  '**/b',
  'a/**',
  'a/*',
  '!b',
  '!*.ts',
  '?',
  '[ab]',
  '*',
  '!a/',
  '# no',
  'x y',
  'a/b',
  '.h',
  '\\!b',
  'ä',
);
const ignore = fc.array(glob, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);

const tree = fc.record({
  files: fc.dictionary(path, text, { maxKeys: 8, noNullPrototype: true }),
  ignores: fc.dictionary(
    fc
      .tuple(fc.constantFrom('', 'a/', 'b/'), fc.constantFrom('.gitignore', '.ignore'))
      .map((parts) => parts.join('')),
    ignore,
    { maxKeys: 3, noNullPrototype: true },
  ),
  isRepository: fc.boolean(),
});

function write(
  root: string,
  { files, ignores, isRepository }: typeof tree extends fc.Arbitrary<infer T> ? T : never,
): void {
  rmSync(root, { recursive: true });
  mkdirSync(root);
  if (isRepository) mkdirSync(join(root, '.git'));
  for (const [file, content] of [...Object.entries(files), ...Object.entries(ignores)]) {
    try {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content);
    } catch {
      // A file stands where a folder is wanted, or the other way round.
    }
  }
}

test('the same lines', async () => {
  using place = scratchFolder();
  const query = fc.oneof(
    fc.record({
      query: fc.constantFrom('foo', 'FOO', '.', 'ä', '(', 'o b', '\\'),
      isRegex: fc.constant(false),
    }),
    fc.record({
      query: fc.constantFrom(
        'fo+',
        '^foo$',
        'foo|bar',
        '\\bfoo\\b',
        '[a-f]o',
        '(?i)foo',
        'o{2}',
        '^$',
        '\\s+f',
        '[[:alpha:]]+\\.',
        'x*',
        '\\(f',
        '(?P<n>b)ar',
        '^.{3}$',
        '\\w\\-?f',
      ),
      isRegex: fc.constant(true),
    }),
  );
  const files = fc.option(fc.constantFrom('*.ts', 'a*', '{a,b}.*', 'a/**', '**/b'), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      tree,
      query,
      fc.boolean(),
      files,
      async (sampleTree, sampleQuery, isCaseSensitive, pattern) => {
        write(place.root, sampleTree);
        const filter = pattern === undefined ? {} : { files: fileFilter(pattern, 'file_pattern') };
        const { ripgrep, builtIn } = await linesOfBoth(place.root, {
          ...sampleQuery,
          ...filter,
          isCaseSensitive,
        });
        expect(builtIn).toEqual(ripgrep);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test('the same files', async () => {
  using place = scratchFolder();
  const pattern = fc.constantFrom(
    '**',
    '*',
    '**/*.ts',
    'a/*',
    'a/**/b',
    '{a,b}/**',
    '[!a]*',
    '?',
    '**/.h',
    'x y/**',
  );
  await fc.assert(
    fc.asyncProperty(tree, pattern, async (sampleTree, samplePattern) => {
      write(place.root, sampleTree);
      const { ripgrep, builtIn } = await pathsOfBoth(place.root, pathFilter(samplePattern, 'pattern'));
      expect(builtIn).toEqual(ripgrep);
    }),
    { numRuns: 300 },
  );
}, 60_000);

test('and git’s own', async () => {
  using place = scratchFolder();
  await fc.assert(
    fc.asyncProperty(tree, async (sampleTree) => {
      const ignores = Object.fromEntries(
        Object.entries(sampleTree.ignores).filter(([file]) => file.endsWith('.gitignore')),
      );
      write(place.root, { ...sampleTree, ignores, isRepository: false });
      execFileSync('git', ['init', '-q', place.root]);
      const gitOutput = execFileSync('git', [
        '-C',
        place.root,
        'ls-files',
        '-z',
        '--others',
        '--exclude-standard',
      ]);
      const expected = gitOutput
        .toString()
        .split('\0')
        .filter((file) => file !== '');
      expect((await pathsOfBoth(place.root)).ripgrep).toEqual(expected.sort());
    }),
    { numRuns: 30 },
  );
}, 60_000);
