import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { besideSecrets, everything, refusals } from '../support/beside-secrets.ts';
import { codeOf } from '../support/code-of.ts';

describe('protected places', () => {
  const changers = (entryPoint: string): boolean => /write|delete|move/.test(entryPoint);
  const makers = (entryPoint: string): boolean => /write|create|move_file to/.test(entryPoint);

  test.each(['.git', '.GIT', '.Git', '.g\u200cit', 'git~1', 'vendor/lib/.git'])(
    'P-20: nothing is made below %j',
    async (folder) => {
      await using bench = await besideSecrets();
      expect(await refusals(bench, `${folder}/hooks/pre-commit`, makers)).toEqual(['PERMISSION_DENIED']);
      mkdirSync(join(bench.root, folder), { recursive: true });
      writeFileSync(join(bench.root, folder, 'config'), '[core]\n');
      expect(await refusals(bench, `${folder}/config`, changers)).toEqual(['PERMISSION_DENIED']);
      const parent = folder.split('/')[0] ?? folder;
      const removers = (entryPoint: string): boolean => /deep|from/.test(entryPoint) && changers(entryPoint);
      expect(await refusals(bench, parent, removers)).toEqual(['PERMISSION_DENIED']);
    },
  );

  test.each([
    ['a file that names it', 'gitdir: store/repo.git\n'],
    ['a file that names it absolutely', 'gitdir: ROOT/store/repo.git\n'],
    ['a file without a final newline', 'gitdir: ./store/repo.git'],
    ['a file that climbs and comes back', 'gitdir: store/../store/repo.git/\n'],
    ['a link', undefined],
  ])(
    'P-21: a git directory elsewhere in the workspace is protected when .git is %s',
    async (_what, pointer) => {
      await using bench = await besideSecrets({
        'store/repo.git/config': '[core]\n',
        'store/notes.txt': 'x\n',
      });
      const git = join(bench.root, '.git');
      if (pointer === undefined) symlinkSync('store/repo.git', git);
      else writeFileSync(git, pointer.replace('ROOT', bench.root));
      expect(await refusals(bench, 'store/repo.git/config', changers)).toEqual(['PERMISSION_DENIED']);
      expect(await refusals(bench, 'store/repo.git/hooks/post-checkout', makers)).toEqual([
        'PERMISSION_DENIED',
      ]);
      const removers = (entryPoint: string): boolean => /deep|from/.test(entryPoint) && changers(entryPoint);
      expect(await refusals(bench, 'store/repo.git', removers)).toEqual(['PERMISSION_DENIED']);
      expect(await refusals(bench, 'store', removers)).toEqual(['PERMISSION_DENIED']);
      symlinkSync('store/repo.git', join(bench.root, 'alias'));
      expect(await refusals(bench, 'alias/config', changers)).toEqual(['PERMISSION_DENIED']);
      expect(codeOf(await bench.call('write_file', { path: 'store/notes.txt', content: 'y\n' }))).toBe(
        'completed',
      );
      expect(codeOf(await bench.call('read_file', { path: 'store/repo.git/config' }))).toBe('completed');
    },
  );

  test('P-21: what a worktree shares with its repository is protected too', async () => {
    await using bench = await besideSecrets({
      '.git': 'gitdir: .bare/worktrees/main\n',
      '.bare/config': '[core]\n',
    });
    mkdirSync(join(bench.root, '.bare/worktrees/main'), { recursive: true });
    writeFileSync(join(bench.root, '.bare/worktrees/main/commondir'), '../..\n');
    expect(await refusals(bench, '.bare/config', changers)).toEqual(['PERMISSION_DENIED']);
    expect(await refusals(bench, '.bare/hooks/pre-push', makers)).toEqual(['PERMISSION_DENIED']);
  });

  test.each([
    'gitdir: ../outside\n',
    'gitdir: .\n',
    'gitdir: loop/x\n',
    'gitdir: \0\n',
    'nonsense',
    '',
    'gitdir: gone\n',
  ])('P-21: a pointer that leads nowhere useful (%j) stops no other work', async (pointer) => {
    await using bench = await besideSecrets({ '.git': pointer });
    symlinkSync('loop', join(bench.root, 'loop'));
    const outcome = await bench.call('write_file', { path: 'a.txt', content: 'new\n' });
    expect(codeOf(outcome)).toBe('completed');
    const answers = await refusals(bench, '.git', changers);
    expect(answers.filter((code) => code !== 'ENCODING_ERROR')).toEqual(['PERMISSION_DENIED']);
  });

  test.each(['.codelab/settings.json', '.CodeLab/rules.json', '.codelab'])(
    'P-22: our own settings (%s) are not made by a tool, also when there are none',
    async (path) => {
      await using bench = await besideSecrets();
      expect(await refusals(bench, path, makers)).toEqual(['PERMISSION_DENIED']);
    },
  );

  test('P-25: a move replaces nothing unless that was asked for', async () => {
    await using bench = await besideSecrets();
    const before = everything(bench);
    for (const to of ['a.txt', 'src', 'src/a.js'])
      expect(codeOf(await bench.call('move_file', { from: 'spare.txt', to }))).toBe('ALREADY_EXISTS');
    expect(codeOf(await bench.call('move_file', { from: 'a.txt', to: 'src', overwrite: true }))).toBe(
      'ALREADY_EXISTS',
    );
    expect(codeOf(await bench.call('move_file', { from: 'src', to: 'src/deep' }))).toBe('INVALID_ARGUMENTS');
    expect(everything(bench)).toEqual(before);
  });

  test('P-26: a directory is deleted only when that was asked for', async () => {
    await using bench = await besideSecrets();
    const before = everything(bench);
    expect(codeOf(await bench.call('delete_file', { path: 'src' }))).toBe('NOT_REGULAR_FILE');
    expect(everything(bench)).toEqual(before);
    expect(await bench.call('delete_file', { path: 'src', recursive: true })).toMatchObject({
      data: { files: 2 },
    });
  });
});
