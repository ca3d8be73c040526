import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { besideSecrets, everything, outsideOf, refusals } from '../support/beside-secrets.ts';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { doorsTo } from '../support/doors.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { traversalSpellings } from '../support/traversal-spellings.ts';
import { treeState } from '../support/tree-state.ts';

describe('refused at every door (P-24), nothing read, nothing changed', () => {
  test.each([
    ['P-01', '../secret'],
    ['P-01', 'a/b/../../../etc/passwd'],
    ['P-01', 'src/../../outside/secret.txt'],
    ['P-01', '..'],
    ['P-01', '../work/a.txt'],
    ['P-02', '/etc/passwd'],
    ['P-02', '//etc/passwd'],
    ['P-02', '///etc//passwd'],
    ['P-05', '/'],
    ['P-13', '/proc/self/root/etc/passwd'],
    ['P-13', '/proc/self/cwd/../x'],
    ['P-13', '/dev/fd/3'],
    ['P-13', '/proc/self/environ'],
  ])('%s: %j leads out', async (_id, path) => {
    await using bench = await besideSecrets();
    expect(await refusals(bench, path)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
  });

  test.each([
    ['P-04', 'src/../src/a.js'],
    ['P-04', 'src/..'],
    ['P-04', 'a.txt/../a.txt'],
    ['P-05', ''],
    ['P-06', 'a.txt\u0000.js'],
    ['P-06', '\u0000'],
    ['P-12', 'file:///etc/passwd'],
    ['P-12', 'vscode-file://vscode-app/etc/passwd'],
    ['P-12', 'test://x'],
  ])('%s: %j is no path', async (_id, path) => {
    await using bench = await besideSecrets();
    expect(await refusals(bench, path)).toEqual(['INVALID_PATH']);
  });

  test.each([
    ['a name of 90 characters and 270 bytes', 'あ'.repeat(90)],
    ['such a name in the middle', `src/${'あ'.repeat(90)}/x.txt`],
    ['256 characters', `${'d/'.repeat(127)}xy`],
  ])('P-08: too long: %s', async (_name, path) => {
    await using bench = await besideSecrets();
    expect(await refusals(bench, path)).toEqual(['INVALID_PATH']);
  });

  test('P-08: five million characters are refused without being looked at one by one', async () => {
    await using bench = await besideSecrets();
    const only = (entryPoint: string): boolean => entryPoint === 'read_file' || entryPoint === 'write_file';
    expect(await refusals(bench, '\u{1f600}/'.repeat(1_700_000), only)).toEqual(['INVALID_PATH']);
  });

  test('P-02: what only looks like the workspace spelled absolutely leads out', async () => {
    await using bench = await besideSecrets();
    symlinkSync('work/src', join(bench.folder, 'link-to-src'));
    symlinkSync('outside', join(bench.folder, 'link-to-outside'));
    const leadingOut = ['/link-to-src/a.js', '/link-to-outside/secret.txt', '/link-to-src/../a.txt'];
    for (const path of leadingOut)
      expect(await refusals(bench, `${bench.folder}${path}`)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
    symlinkSync('../outside', join(bench.root, 'out'));
    const follows = (entryPoint: string): boolean => !/delete|move/.test(entryPoint);
    expect(await refusals(bench, `${bench.root}/out/secret.txt`)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
    expect(await refusals(bench, `${bench.root}/out`, follows)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
    expect(await refusals(bench, `${bench.root}/../outside/secret.txt`)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
    expect(await refusals(bench, `${bench.root}x/secret.txt`)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
  });

  test.each(['.', './', './/.'])('P-05, P-26: %j is the workspace itself, not a file', async (path) => {
    await using bench = await besideSecrets();
    const files = ['read_file', 'read_file paged', 'write_file'];
    expect(await refusals(bench, path, (entryPoint) => files.includes(entryPoint))).toEqual([
      'NOT_REGULAR_FILE',
    ]);
    const removers = ['delete_file', 'delete_file deep', 'move_file from', 'move_file to'];
    expect(await refusals(bench, path, (entryPoint) => removers.includes(entryPoint))).toEqual([
      'INVALID_PATH',
    ]);
  });

  test.each(['loop', 'loop/x.txt', 'long/x.txt'])('P-30: %s cannot be resolved', async (path) => {
    await using bench = await besideSecrets();
    symlinkSync('loop', join(bench.root, 'loop'));
    symlinkSync(`./${'n'.repeat(300)}/../src`, join(bench.root, 'long'));
    const follows = (entryPoint: string): boolean => path.includes('/') || !/delete|move/.test(entryPoint);
    expect(await refusals(bench, path, follows)).toEqual(['INVALID_PATH']);
  });

  test('P-30: a missing parent is not made unless that was asked for', async () => {
    await using bench = await besideSecrets();
    const before = everything(bench);
    const write = { path: 'no/such/x.txt', content: '', create_parents: false };
    expect(codeOf(await bench.call('write_file', write))).toBe('PARENT_NOT_FOUND');
    const make = { path: 'no/such', recursive: false };
    expect(codeOf(await bench.call('create_directory', make))).toBe('PARENT_NOT_FOUND');
    expect(everything(bench)).toEqual(before);
  });

  test('P-30, E-21: a file in the place of a directory', async () => {
    await using bench = await besideSecrets();
    expect(await refusals(bench, 'a.txt/x')).toEqual(['NOT_A_DIRECTORY']);
    expect(await refusals(bench, 'a.txt/x/y')).toEqual(['NOT_A_DIRECTORY']);
  });

  test.runIf(isRoot)('P-30: a directory that may not be entered', async () => {
    using scratch = scratchFolder({ files: { 'closed/a.txt': 'x\n', 'spare.txt': 'x\n' }, owner: 65534 });
    chmodSync(join(scratch.root, 'closed'), 0o000);
    const before = treeState(scratch.root);
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls: doorsTo('closed/a.txt', 'spare.txt'),
      wrapper: asNobody,
    });
    expect(outcomes.map(codeOf)).toEqual(Array(10).fill('PERMISSION_DENIED'));
    expect(treeState(scratch.root)).toEqual(before);
  });
});

describe('taken literally', () => {
  test.each([
    ['P-09', '%2e%2e/secret'],
    ['P-09', '..%2fsecret'],
    ['P-09', '..%c0%af'],
    ['P-10', '..\\..\\etc\\passwd'],
    ['P-10', 'src\\..\\..\\x'],
    ['P-16', 'a.txt '],
    ['P-16', ' a.txt'],
    ['P-16', 'a.txt\n'],
    ['P-18', '‥／‥／etc／passwd'],
    ['P-18', '．．／x'],
    ['P-14', 'aux.txt'],
    ['P-14', 'a.txt:stream'],
    ['P-14', 'PROGRA~1'],
    ['P-14', 'a.txt.'],
  ])('%s: %j is a name like any other', async (_id, path) => {
    await using bench = await besideSecrets();
    const [before, outside] = [everything(bench), outsideOf(bench)];
    for (const { door, tool, args } of doorsTo(path, 'spare.txt')) {
      if (/read|list|delete|from/.test(door))
        expect(codeOf(await bench.call(tool, args)), door).toBe('FILE_NOT_FOUND');
    }
    expect(everything(bench)).toEqual(before);
    expect(await bench.call('write_file', { path, content: 'mine\n' })).toMatchObject({ data: { path } });
    expect(await bench.call('read_file', { path })).toMatchObject({ data: { path, content: 'mine\n' } });
    expect(readFileSync(join(bench.root, path), 'utf8')).toBe('mine\n');
    expect(await bench.call('delete_file', { path })).toMatchObject({ data: { path, deleted: true } });
    expect(outsideOf(bench)).toEqual(outside);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('inside\n');
  });

  test('P-17: the composed and the decomposed name are two files', async () => {
    const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
    await using bench = await besideSecrets({ [composed]: 'one\n', [decomposed]: 'two\n' });
    expect(await bench.call('read_file', { path: composed })).toMatchObject({ data: { content: 'one\n' } });
    expect(await bench.call('read_file', { path: decomposed })).toMatchObject({ data: { content: 'two\n' } });
    await bench.call('write_file', { path: decomposed, content: 'three\n' });
    expect(readFileSync(join(bench.root, composed), 'utf8')).toBe('one\n');
    expect(readFileSync(join(bench.root, decomposed), 'utf8')).toBe('three\n');
  });

  test.each([
    ['ASCII', (n: number) => `${'d'.repeat(200)}/${'f'.repeat(n - 201)}`],
    [
      'outside the first plane',
      (n: number) =>
        `${'😀'.repeat(60)}/${'😀'.repeat(60)}/${'😀'.repeat(60)}/${'😀'.repeat(60)}/${'x'.repeat(n - 244)}`,
    ],
  ])('P-08: 255 characters are a path, 256 are not (%s)', async (_name, spell) => {
    await using bench = await besideSecrets();
    for (const { tool, args } of [
      { tool: 'write_file', args: { path: spell(255), content: 'deep\n' } },
      { tool: 'read_file', args: { path: spell(255) } },
      { tool: 'move_file', args: { from: spell(255), to: 'b.txt' } },
    ]) {
      expect(codeOf(await bench.call(tool, args))).toBe('completed');
    }
    expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('deep\n');
    expect(await refusals(bench, spell(256))).toEqual(['INVALID_PATH']);
  });
});

test('P-32: hundreds of generated spellings return nothing from outside, change nothing there and crash nothing', async () => {
  await using bench = await besideSecrets();
  symlinkSync('../../outside', join(bench.root, 'src/link'));
  const outside = outsideOf(bench);
  const spellings = traversalSpellings(['outside/secret.txt', 'etc/passwd', 'secret'], 300);
  const codes = new Set<string>();
  for (const path of spellings) {
    for (const { tool, args } of doorsTo(path, 'a.txt').filter(({ door }) =>
      /^(read_file|list_files|write_file|delete_file)$/.test(door),
    )) {
      const outcome = await bench.call(tool, args);
      expect(JSON.stringify(outcome), path).not.toMatch(/THE SECRET|root:x:/);
      codes.add(codeOf(outcome));
    }
  }
  expect(outsideOf(bench)).toEqual(outside);
  expect(codes).not.toContain('INTERNAL');
  expect(codes).toContain('PATH_OUTSIDE_WORKSPACE');
});
