// `codelab review` for scripts: what a session changed as JSON and as a diff, discarding by hunk and by file, committing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changed, lines, textOf } from '../support/forty-lines.ts';
import { newRepository } from '../support/real-git.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
const folder = mkdtempSync(join(tmpdir(), 'codelab-review-turn-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = join(folder, 'work');
mkdirSync(root);

test('a script lists, discards and commits what a session changed', () => {
  const git = newRepository(root);
  writeFileSync(join(root, 'a.txt'), textOf(lines));
  git('add', '.');
  git('commit', '-qm', 'Start');
  expect(codelab('review')).toMatchObject({
    code: 1,
    stderr: 'No session of this workspace has changed files.\n',
  });
  const gone = JSON.stringify({ path: 'gone.txt', content: 'x' });
  codelab('tool', 'write_file', gone, '--approve', 'all', '--session', 's0');
  rmSync(join(root, 'gone.txt'));
  expect(codelab('review')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing is left to review: .* renamed or replaced since\.\n$/),
  });
  const write = (path: string, content: string): void => {
    const call = JSON.stringify({ path, content });
    expect(codelab('tool', 'write_file', call, '--approve', 'all', '--session', 's1').code).toBe(0);
  };
  write('a.txt', textOf(changed));
  write('debug.txt', 'x\n');

  const found = JSON.parse(codelab('review', '--json').stdout) as {
    files: { path: string; hunks: { id: string }[]; viewed: boolean }[];
    commit: { paths: string[] };
  };
  expect(found.files.map(({ path, hunks }) => [path, hunks.length])).toEqual([
    ['a.txt', 3],
    ['debug.txt', 1],
  ]);
  expect(codelab('review', '--diff').stdout).toContain('+++ b/debug.txt\n@@ -0,0 +1 @@\n+x\n');

  expect(codelab('review', '--discard', 'nowhere.txt')).toMatchObject({ code: 1, stdout: '' });
  const second = found.files[0]?.hunks[1]?.id ?? '';
  const output = codelab(
    'review',
    '--discard',
    second,
    '--discard',
    'debug.txt',
    '--commit',
    'Say it in words',
  );
  expect(output.stdout).toMatch(
    /^✔ a\.txt: discarded 1 hunk\n✔ debug\.txt: discarded 1 hunk\nTo undo the discard: codelab undo --session s1 --call \S+\nCommitted 1 file as [0-9a-f]{40}\n$/,
  );
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(textOf(changed.with(19, 'line 20')));
  expect([git('log', '-1', '--format=%s'), git('status', '--short')]).toEqual(['Say it in words\n', '']);
  expect(codelab('review', '--send')).toMatchObject({ code: 1, stdout: '' });
  expect(codelab('review', '--turn', 'x').code).toBe(2);
});

test('--diff shows moves, modes, links and binary files as git does', () => {
  const git = newRepository(root);
  for (const name of ['old.txt', 'edited.txt', 'run.sh', 'gone.txt'])
    writeFileSync(join(root, name), `${name}\n1\n2\n`);
  git('add', '.');
  git('commit', '-qm', 'Start');
  const call = (tool: string, args: Record<string, unknown>): void => {
    const output = codelab('tool', tool, JSON.stringify(args), '--approve', 'all', '--session', 'moves');
    expect(output).toMatchObject({ code: 0 });
  };
  call('move_file', { from: 'old.txt', to: 'new.txt' });
  call('move_file', { from: 'edited.txt', to: 'other name.txt' });
  call('edit_file', { path: 'other name.txt', old_string: '2\n', new_string: 'two\n' });
  call('run_command', {
    command: "chmod 755 run.sh; ln -s new.txt link; printf 'a\\0b' > raw.bin; rm gone.txt",
  });
  const { stdout } = codelab('review', '--session', 'moves', '--diff');
  for (const part of [
    'diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n',
    'rename from edited.txt\nrename to other name.txt\n--- a/edited.txt\n+++ b/other name.txt\t\n@@ -1,3 +1,3 @@\n edited.txt\n 1\n-2\n+two\n',
    'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
    'diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+new.txt\n\\ No newline at end of file\n',
    'new file mode 100644\nindex 0000000..',
    'Binary files /dev/null and b/raw.bin differ\n',
    'diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n',
  ])
    expect(stdout).toContain(part);
  // git finds in the files what the diff says.
  writeFileSync(join(folder, 'all.diff'), stdout);
  git('apply', '--reverse', '--check', '--exclude=raw.bin', join(folder, 'all.diff'));
});

test('what a command removed for good is named above the files, and alone where nothing else is left', () => {
  const git = newRepository(root);
  writeFileSync(join(root, '.gitignore'), 'cache\n');
  git('add', '.gitignore');
  git('commit', '-qm', 'Ignore');
  const run = (command: string): void => {
    mkdirSync(join(root, 'cache'));
    const call = JSON.stringify({ command });
    expect(codelab('tool', 'run_command', call, '--approve', 'all', '--session', 'lost').code).toBe(0);
  };
  const loss = "Removed, and undo can't bring it back: cache.";
  run('rm -r cache; echo x > left.txt');
  const review = ['review', '--session', 'lost'];
  expect(codelab(...review).stdout.split('\n')[1]).toBe(`! ${loss}`);
  expect(JSON.parse(codelab(...review, '--json').stdout)).toMatchObject({ losses: [loss] });
  codelab(...review, '--discard', 'left.txt');
  expect(codelab(...review).stderr).toBe(`This session has no changes in place.\n! ${loss}\n`);
});

test('a commit without a git identity says how to set one, and works after that', () => {
  const git = newRepository(root);
  git('config', 'user.useConfigOnly', 'true');
  git('config', '--unset', 'user.name');
  git('config', '--unset', 'user.email');
  const call = JSON.stringify({ path: 'who.txt', content: 'x\n' });
  expect(codelab('tool', 'write_file', call, '--approve', 'all', '--session', 's2')).toMatchObject({
    code: 0,
    stderr: '',
  });
  const commit = ['review', '--session', 's2', '--commit', 'Add who.txt'];
  const refused = codelab(...commit);
  expect(refused.code).toBe(1);
  const [, setName, setEmail] =
    /Run `(git config user\.name .*?)` and `(git config user\.email .*?)`/.exec(refused.stderr) ?? [];
  for (const line of [setName, setEmail])
    expect(spawnSync('sh', ['-c', line ?? 'false'], { cwd: root }).status).toBe(0);
  expect(codelab(...commit).stdout).toMatch(/^Committed 1 file as/);
});

function codelab(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  // The settings of whoever runs the tests do not count.
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    CODELAB_HOME: join(folder, 'home'),
    NO_COLOR: '1',
  };
  const ran = spawnSync(process.execPath, [launcher, ...args], { cwd: root, env, encoding: 'utf8' });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}
