import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { filesWith, find, search } from '../support/searching.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

describe('what is left out', () => {
  async function repository(files: Record<string, string>): Promise<Workbench> {
    const bench = await workbench({ files });
    execFileSync('git', ['init', '-q', bench.root]);
    return bench;
  }

  test('S-06: the same files as git ignores', async () => {
    const files = Object.fromEntries(
      [
        'a.txt',
        'a.log',
        'keep.log',
        'build/x.txt',
        'src/build/y.txt',
        'src/a.tmp',
        'src/keep.tmp',
        'docs/z.txt',
        'x/y/z.o',
        '.hidden/h.txt',
      ].map((name) => [name, 'needle\n']),
    );
    await using bench = await repository({
      ...files,
      '.gitignore': '*.log\n!keep.log\n/build/\nx/**/*.o\n',
      'src/.gitignore': '*.tmp\n!keep.tmp\n',
    });
    writeFileSync(join(bench.root, '.git/info/exclude'), 'docs\n');
    const notIgnored = Object.keys(files).filter((name) => !isIgnored(bench.root, name));
    expect(await filesWith(bench, 'needle')).toEqual(notIgnored.toSorted());
    expect(notIgnored).toHaveLength(5);
    expect(await filesWith(bench, 'needle', { file_pattern: '*.log' })).toEqual(['keep.log']);
    expect(await filesWith(bench, 'needle', { path: 'src' })).toEqual(['src/build/y.txt', 'src/keep.tmp']);
    expect(await filesWith(bench, 'needle', { path: 'a.log' })).toEqual(['a.log']);
    expect(await filesWith(bench, 'needle', { path: 'build' })).toEqual(['build/x.txt']);
    expect((await find(bench, '**')).filter((path) => path in files)).toEqual(notIgnored.toSorted());
  });

  test('outside a repository a .gitignore counts too, one above the workspace does not', async () => {
    await using bench = await workbench({
      files: { '.gitignore': 'dist\n', 'dist/a.txt': 'x\n', 'src/b.txt': 'x\n', 'src/dist/c.txt': 'x\n' },
    });
    writeFileSync(join(bench.folder, '.gitignore'), '*\n');
    expect(await filesWith(bench, 'x')).toEqual(['src/b.txt']);
  });

  test('binary files', async () => {
    const lateBinary = `${'needle\n'.repeat(50)}${'.\n'.repeat(100_000)}\0`;
    await using bench = await workbench({
      files: { 'a.bin': 'needle\0', 'late.bin': lateBinary, 'a.txt': 'needle\n' },
    });
    expect(await filesWith(bench, 'needle')).toEqual(['a.txt']);
    expect((await search(bench, 'needle', { path: 'a.bin' })).total).toBe(0);
  });

  test('files that may hold secrets, under any name a file system takes for theirs', async () => {
    const secret = [
      '.env',
      '.ENV',
      'a/.env.local',
      'certs/server.key',
      'x.pem',
      'id_rsa',
      '.git/config',
      '.en\u200bv',
      '.env.',
    ];
    await using bench = await workbench({
      files: Object.fromEntries([...secret, 'a.txt'].map((name) => [name, 'needle\n'])),
    });
    expect(await search(bench, 'needle')).toMatchObject({ matches: [{ file: 'a.txt' }], total: 1 });
    const { files } = await search(bench, 'needle', { files_only: true });
    expect(files?.map(({ path }) => path)).toEqual(['a.txt']);
    expect((await search(bench, 'needle', { file_pattern: '.env*' })).total).toBe(0);
    expect((await search(bench, 'needle', { path: 'certs' })).total).toBe(0);
  });

  test('a secret that is named is asked about', async () => {
    await using bench = await workbench({ files: { '.env': 'needle\n', link: '' } });
    symlinkSync('.env', join(bench.root, 'alias'));
    for (const path of ['.env', 'alias']) {
      let askCount = 0;
      bench.human(({ verdict }) => {
        expect(verdict.rule).toBe('secrets');
        askCount++;
        return { kind: 'reject' };
      }, path);
      const outcome = await bench.call('search_in_project', { query: 'needle', path }, { session: path });
      expect(codeOf(outcome)).toBe('REJECTED');
      expect(askCount).toBe(1);
    }
  });

  test('what links lead to', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'needle\n', 'd/b.txt': 'needle\n' } });
    mkdirSync(join(bench.folder, 'outside'));
    writeFileSync(join(bench.folder, 'outside/c.txt'), 'needle\n');
    symlinkSync(join(bench.folder, 'outside'), join(bench.root, 'out'));
    symlinkSync('../outside/c.txt', join(bench.root, 'out.txt'));
    symlinkSync('.', join(bench.root, 'loop'));
    symlinkSync('d', join(bench.root, 'in'));
    expect(await filesWith(bench, 'needle')).toEqual(['a.txt', 'd/b.txt']);
    expect(await filesWith(bench, 'needle', { path: 'in' })).toEqual(['d/b.txt']);
    expect(codeOf(await bench.call('search_in_project', { query: 'x', path: 'out' }))).toBe(
      'PATH_OUTSIDE_WORKSPACE',
    );
    expect(codeOf(await bench.call('find_files', { pattern: '*', path: 'out' }))).toBe(
      'PATH_OUTSIDE_WORKSPACE',
    );
    expect(await find(bench, '**')).toEqual(['a.txt', 'd/b.txt']);
  });
});

function isIgnored(root: string, name: string): boolean {
  try {
    execFileSync('git', ['-C', root, 'check-ignore', '-q', name]);
    return true;
  } catch {
    return false;
  }
}

test('what a rule of the user keeps from being read is not found from above either', async () => {
  const files = { 'private/plan.txt': 'needle one\n', 'public.txt': 'needle two\n' };
  await using bench = await workbench({ files });
  const rule = { id: 'private', effect: 'deny', reason: 'Not for you.', path: 'private/**' } as const;
  await bench.host.rules.remember('user', rule);
  const outcome = await bench.call('search_in_project', { query: 'needle' });
  expect(outcome).toMatchObject({ data: { matches: [{ file: 'public.txt' }], total: 1 } });
});
