// Patches with one peculiarity each, and what git and we make of them: the list of where we differ on purpose.

type HandmadePatch = {
  name: string;
  patch: string;
  files: Record<string, string>;
  flags?: string[];
  /** Whether it applies; where both do, the trees are equal. */
  git: boolean;
  ours: boolean;
};

const LETTERS = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';
const head = (path: string, ...lines: string[]) =>
  `diff --git a/${path} b/${path}\n${lines.map((line) => `${line}\n`).join('')}`;
const names = (path: string) => `--- a/${path}\n+++ b/${path}\n`;
const E = '@@ -4,3 +4,3 @@\n d\n-e\n+E\n f\n';
const X = head('x') + names('x');

const both = (
  name: string,
  patch: string,
  files: Record<string, string> = { x: LETTERS },
): HandmadePatch => ({
  name,
  patch,
  files,
  git: true,
  ours: true,
});
const none = (...args: Parameters<typeof both>): HandmadePatch => ({
  ...both(...args),
  git: false,
  ours: false,
});
const onlyGit = (...args: Parameters<typeof both>): HandmadePatch => ({ ...both(...args), ours: false });
const onlyOurs = (...args: Parameters<typeof both>): HandmadePatch => ({ ...both(...args), git: false });

const rename = (from: string, to: string, rest = '') =>
  `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n${rest && `--- a/${from}\n+++ b/${to}\n${rest}`}`;
const copy = (from: string, to: string, rest: string) =>
  rename(from, to, rest).replaceAll('rename ', 'copy ');

export const handmade: HandmadePatch[] = [
  both('a plain patch', names('x') + E),
  both('prose around it', `Hello\n\n${X}${E}-- \n2.39\n`),
  both('D-14: one file twice', `${X}${E}${X}@@ -4,3 +4,3 @@\n d\n-E\n+e\n f\n`),
  none('D-14: one file twice, the second against the first state', X + E + X + E),
  both('two files change places', rename('x', 'y') + rename('y', 'x'), { x: 'x\n', y: 'y\n' }),
  both('a copy of a file that changes too', X + E + copy('x', 'y', E.replace('+E', '+Y'))),
  both(
    'a file made and then changed',
    `${head('n', 'new file mode 100644')}--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n${head('n')}${names('n')}@@ -1 +1 @@\n-1\n+2\n`,
  ),
  both(
    'a file deleted and then made',
    `${head('x', 'deleted file mode 100644')}--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n${head('x', 'new file mode 100755')}--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+2\n`,
    { x: '1\n' },
  ),
  none(
    'D-12: a new file that exists',
    `${head('x', 'new file mode 100644')}--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+1\n`,
  ),
  none('D-12: a rename onto a file', rename('x', 'y'), { x: '', y: '' }),
  none(
    'D-13: a deletion of other content',
    `${head('x', 'deleted file mode 100644')}--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n`,
  ),
  none('D-13: a deletion of a missing file', head('y', 'deleted file mode 100644')),
  none('a change of a missing file', head('y') + names('y') + E),
  none('a change after a rename away', rename('x', 'y') + X + E),
  both('a change after a rename, under the new name', rename('x', 'y') + head('y') + names('y') + E),
  both('a hunk that moved down', X + E, { x: `0\n0\n${LETTERS}` }),
  both('a hunk that moved up', X + E, { x: LETTERS.slice(4) }),
  none('a hunk from line 1 that moved', `${X}@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`, { x: `0\n${LETTERS}` }),
  none('a hunk without context below, not at the end', `${X}@@ -4,2 +4,3 @@\n d\n e\n+E\n`),
  none('D-20: a CRLF patch on an LF file', (X + E).replaceAll('\n', '\r\n')),
  both('D-20: a CRLF patch on a CRLF file', (X + E).replaceAll('\n', '\r\n'), {
    x: LETTERS.replaceAll('\n', '\r\n'),
  }),
  onlyOurs('D-20: an LF patch on a CRLF file', X + E, { x: LETTERS.replaceAll('\n', '\r\n') }),
  onlyOurs('D-21: a hunk without context', `${X}@@ -5 +5 @@\n-e\n+E\n`),
  {
    ...both('D-21: a hunk without context, as --unidiff-zero takes it', `${X}@@ -5 +5 @@\n-e\n+E\n`),
    flags: ['--unidiff-zero'],
  },
  onlyOurs('/dev/null without a mode', `${head('n')}--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n`),
  both('/dev/null without any git header', '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n'),
  both(
    'D-30: the date 0 for a new file',
    '--- n\t1970-01-01 01:00:00.0 +0100\n+++ n\t2024-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+1\n'.replaceAll(
      ' n\t',
      ' a/n\t',
    ),
  ),
  none('D-26: prose alone', 'Please change e to E.\n'),
  none('D-17: a count too large', X + E.replace('-4,3', '-4,4')),
  none('D-17: a count too small', X + E.replace('-4,3', '-4,2')),
  none('no last newline', (X + E).slice(0, -1)),
  none('a hunk without a file', E),
  none(
    'D-28: another name for a new file',
    `${head('n', 'new file mode 100644')}--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+1\n`,
  ),
  onlyGit('D-28: two names', `--- a/x\n+++ b/y\n${E}`, { x: LETTERS, y: LETTERS }),
  both('a copy made for comparing, and the file', `--- a/x.orig\n+++ b/x\n${E}`, {
    x: LETTERS,
    'x.orig': LETTERS,
  }),
  both('two trees that were compared', `--- old/x\n+++ new/x\n${E}`),
  onlyOurs('two trees that were compared, of which one is here', `--- old/x\n+++ new/x\n${E}`, {
    'new/x': LETTERS,
  }),
  onlyGit('two trees that were compared, and two files', `--- old/x\n+++ new/x\n${E}`, {
    x: LETTERS,
    'new/x': LETTERS,
  }),
  both(
    'a tab in the name, and a date',
    '--- a/t\tb\t1970-01-01 00:00:00 +0000\n+++ b/t\tb\t2010-08-18 20:13:31.6 -0500\n@@ -0,0 +1 @@\n+1\n',
  ),
  both(
    'a date after spaces',
    '--- a/n     1970-01-01 00:00:00 +0000\n+++ b/n 2010-08-18 20:13:31 -05:00\n@@ -0,0 +1 @@\n+1\n',
  ),
  onlyGit('D-17: lines that no header counts', `${X}${E}+more\n`),
  both(
    'D-05: a symbolic link',
    `${head('l', 'new file mode 120000')}--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n`,
  ),
  none(
    'D-06: a file beyond a link that the patch makes',
    `${head('l', 'new file mode 120000')}--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+d\n\\ No newline at end of file\n${head('l/n', 'new file mode 100644')}--- /dev/null\n+++ b/l/n\n@@ -0,0 +1 @@\n+1\n`,
    { 'd/x': 'x\n' },
  ),
  both('a new file by its missing old name', `--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+1\n`),
  onlyGit('hunks out of order', `${X}@@ -8,2 +8,2 @@\n h\n-i\n+I\n${E}`),
  onlyGit('a cut rename', `diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n`),
  onlyGit('a cut new file', head('n', 'new file mode 100644', 'index 0000000..587be6b')),
];
