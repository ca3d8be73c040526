import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldPath, parsePath } from './paths.ts';
import { fromWindows, windowsNameFault, windowsStart } from './windows-paths.ts';

const limits = { pathChars: 4096 };
const root = 'C:\\Users\\Ann\\project';

function read(asked: string): string[] | string {
  try {
    return parsePath(fromWindows(root, asked), limits, 'windows');
  } catch (error) {
    const { code, details } = error as { code: string; details?: { reason?: string } };
    return `${code} ${details?.reason}`;
  }
}

test.each([
  ['src\\main.ts', ['src', 'main.ts']],
  ['src/main.ts', ['src', 'main.ts']],
  ['.\\src\\\\main.ts', ['src', 'main.ts']],
  ['C:\\Users\\Ann\\project\\src\\main.ts', ['src', 'main.ts']],
  ['c:/users/ann/PROJECT/src/main.ts', ['src', 'main.ts']],
  ['C:\\Users\\Ann\\project', []],
  ['.gitignore', ['.gitignore']],
  ['console.ts', ['console.ts']],
  ['nullable.ts', ['nullable.ts']],
  ['com10', ['com10']],
  ['naïve ☃.txt', ['naïve ☃.txt']],
])('%s is a path below the root', (asked, names) => {
  expect(read(asked)).toEqual(names);
});

test.each([
  'C:\\Windows\\System32\\config\\SAM',
  'D:\\Users\\Ann\\project\\a.txt',
  'C:\\Users\\Ann\\project2\\a.txt',
  'C:\\Users\\Ann\\project\\..\\secret.txt',
  '\\\\server\\share\\a.txt',
  '//server/share/a.txt',
  '\\\\?\\C:\\Users\\Ann\\project\\a.txt',
  '\\\\.\\PhysicalDrive0',
  '\\\\.\\pipe\\docker_engine',
  '\\??\\C:\\a.txt',
  '\\\\localhost\\C$\\Users\\Ann\\project\\a.txt',
  '\\Users\\Ann\\project\\a.txt',
  '/etc/passwd',
  '..\\secret.txt',
  'src\\..\\..\\secret.txt',
  'src/..\\../secret.txt',
])('%s leads out of the workspace', (asked) => {
  expect(read(asked)).toMatch(/^PATH_OUTSIDE_WORKSPACE|^INVALID_PATH/);
});

test.each([
  ...['C:a.txt', 'a.txt:stream', 'a.txt::$DATA', 'src\\.git::$INDEX_ALLOCATION\\config', 'a:b\\c'],
  ...[
    'CON',
    'con.txt',
    'NUL',
    'nul.tar.gz',
    'NUL .txt',
    'aux',
    'PRN',
    'COM1',
    'com¹',
    'LPT9.log',
    'CONIN$',
    'CLOCK$',
    'src\\aux.ts',
  ],
  ...['a.txt.', 'a.txt ', '.git.', '.git ', 'src.\\a.ts', '...'],
  ...['PROGRA~1', 'GIT~1\\config', 'ENV~1', 'PACKAG~1.JSO'],
  ...['a?', 'a*b', 'a|b', 'a<b', 'a"b', 'a\u0001b', 'a\nb'],
])('%j is no name there', (asked) => {
  expect(read(asked)).toBe('INVALID_PATH characters');
});

test('what every system takes for git’s own folder is either refused or known by its plain name', () => {
  for (const name of [
    '.git',
    '.GIT',
    '.Git',
    '.g\u200cit',
    'git~1',
    '.git.',
    '.git ',
    '.git::$INDEX_ALLOCATION',
  ])
    expect(windowsNameFault(name) === undefined ? foldPath(name) : '.git').toBe('.git');
});

test('the law: whatever is written, names come out that stand for themselves below the root, or nothing', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '\\',
      '/',
      'C:',
      '\\\\',
      '\\\\?\\',
      'CON',
      'NUL',
      '~1',
      ' ',
      '.',
      ':',
      'a',
      'Users',
      'Ann',
      'project',
      root,
    ),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const names = read(pieces.join(''));
      if (typeof names === 'string') return;
      for (const name of names) {
        expect(windowsNameFault(name)).toBeUndefined();
        expect(name).not.toMatch(/[\\/]|^\.{1,2}$/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('each way to begin a path is told from the others', () => {
  const starts = [
    'a',
    'C:\\a',
    'C:a',
    '\\a',
    '\\\\s\\a',
    '\\\\?\\C:\\a',
    '\\\\.\\NUL',
    '//?/C:/a',
    'a:b',
  ].map(windowsStart);
  expect(starts).toEqual([
    ...['relative', 'drive', 'drive-relative', 'rooted', 'unc'],
    ...['device', 'device', 'device', 'drive-relative'],
  ]);
});
