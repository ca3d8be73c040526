import { ToolError } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { checkArgv } from './argv-list.ts';

function codeOf(line: string): string {
  const [program = '', ...args] = line.split(' ');
  try {
    checkArgv(program, args);
    return 'ok';
  } catch (error) {
    return error instanceof ToolError ? error.code : 'bug';
  }
}

test.each([
  'ls -la',
  'find . -name x',
  'cat a',
  'head a',
  'tail -n 5 a',
  'mkdir a',
  'touch a',
  'rm a',
  'rm -rf build',
  'npm test',
  'yarn build',
  'pnpm install',
  'git status',
  'git log --oneline -5',
  'git diff HEAD',
  'git --no-pager show HEAD',
  'git stash list',
  'git branch -a',
])('%s is on the list', (line) => {
  expect(codeOf(line)).toBe('ok');
});

test.each([
  'sudo ls',
  'su -c id',
  '/usr/bin/sudo ls',
  'curl example.org',
  'wget example.org',
  'eval id',
  'bash -c id',
  'bash -lc id',
  'sh -c id',
  'find . -exec id ;',
  'find . -name x -execdir id +',
  'find . -ok id ;',
  'find . -okdir id ;',
  'find . -delete',
  'find . -fls out',
  'find . -fprint out',
  'find . -fprint0 out',
  'find . -fprintf out %p',
  'rm -rf /',
  'rm -fr ..',
  'rm -r -f ./',
  'rm -rf src/..',
  'rm --recursive //',
  'rm -R ../../x',
])('%s is forbidden', (line) => {
  expect(codeOf(line)).toBe('COMMAND_NOT_ALLOWED');
});

test.each([
  'nc -l 80',
  'python3 x.py',
  'bash x.sh',
  'doas id',
  '/bin/rm x',
  './git status',
  'LS -la',
  'ls\u200b',
  'constructor',
  'git push',
  'git commit -m x',
  'git -c alias.x=!sh x',
  'git -C / status',
  'git diff --output=x',
  'git branch new',
  'git branch -D main',
  'git remote add a b',
  'git config a b',
  'git stash drop',
  'git grep -Ovi x',
  'git',
])('%s is not on the list', (line) => {
  expect(codeOf(line)).toBe('COMMAND_NOT_WHITELISTED');
});
