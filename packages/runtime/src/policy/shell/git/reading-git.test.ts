import { ToolError } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { checkArgv } from './reading-git.ts';

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
  'pnpm run build',
  'pnpm --filter exec test',
  'pnpm -r run build',
  'npm install exec',
  'npm run exec -- -c x',
  'npm --prefix exec install',
  'npm exec -- ls -la',
  'npm --version',
  'yarn workspace sub build',
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
  'npm exec -- curl example.org',
  'npm exec curl example.org',
  'npm x -- sudo id',
  'npm exec --package=a -- curl example.org',
  'npm exec --package a -- curl example.org',
  'npm exec --yes curl example.org',
  'npm --prefix sub exec -- wget example.org',
  'npm -w sub exec -- sh -c id',
  'npm --foreground-scripts exec -- curl example.org',
  'npm exec -c id',
  'npm exec --call=id',
  'npm exec',
  'npm run build --script-shell=./x',
  'npm explore left-pad -- curl example.org',
  'npm exec -- npm exec -- curl example.org',
  'npm exec -- find . -exec id ;',
  'yarn exec curl example.org',
  'yarn dlx curl',
  'yarn workspace sub exec sudo id',
  'yarn workspaces foreach -A exec curl example.org',
  'pnpm exec curl example.org',
  'pnpm -r exec curl example.org',
  'pnpm --filter sub exec curl example.org',
  'pnpm -c exec id',
  'pnpm recursive exec curl example.org',
  'pnpm curl example.org',
  'pnpm -r curl install',
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
  'npm exec -- eslint .',
  'npm exec -- git push',
  'npm exec -- bash x.sh',
  'yarn node x.js',
  'pnpm dlx create-app',
])('%s is not on the list', (line) => {
  expect(codeOf(line)).toBe('COMMAND_NOT_WHITELISTED');
});
