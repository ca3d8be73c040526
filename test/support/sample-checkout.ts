// A realistic checkout: hundreds of files, both kinds of line endings, modes, links, odd names; some files dirty, untracked or ignored.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function sampleCheckout(root: string): void {
  const write = (path: string, content: string, mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), mode);
    // Older than the index, as in a checkout that was not made this very moment.
    utimesSync(join(root, path), 1e9, 1e9);
  };
  for (let i = 0; i < 150; i++) write(`src/m${i % 7}/f${i}.txt`, `line ${i}\n`.repeat((i % 5) + 1));
  write('crlf.txt', 'a\r\nb\r\n');
  write('bin/run.sh', '#!/bin/sh\necho hi\n', 0o755);
  write('private.txt', 'mine\n', 0o600);
  write('with space/a b.txt', 'space\n');
  write('odd/new\nline.txt', 'newline\n');
  write('odd/“quotes” é 漢.txt', 'unicode\n');
  write('odd/-dash', 'dash\n');
  write('bytes.bin', '\0\x01\xff\n');
  write('empty', '');
  write('.gitignore', 'ignored/\n*.log\n');
  mkdirSync(join(root, 'links'));
  symlinkSync('../crlf.txt', join(root, 'links/in'));
  symlinkSync('/etc/passwd', join(root, 'links/out'));
  symlinkSync('nowhere', join(root, 'links/dangling'));
  git(root, 'init', '-q');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'one');
  write('src/m0/f0.txt', 'dirty\n');
  write('untracked/u.txt', 'untracked\n');
  mkdirSync(join(root, 'hollow/inner'), { recursive: true });
  write('ignored/i.txt', 'ignored\n');
  write('a.log', 'log\n');
}

export function git(root: string, ...args: string[]): string {
  const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'core.hooksPath=/dev/null'];
  const { status, stdout, stderr } = spawnSync('git', [...userSettings, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
