/** A hostile repository runs nothing through any git tool: every trap × every tool; and each trap is shown to be one. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { gitBench } from '../support/git-bench.ts';
import { gitTraps, layTrap, type Trap, trapProgram } from '../support/git-traps.ts';
import { newRepository } from '../support/real-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const calls: readonly (readonly [string, Record<string, unknown>])[] = [
  ['git.status', {}],
  ['git.diff', {}],
  ['git.diff', { staged: true }],
  ['git.log', {}],
  ['git.branch', {}],
  ['git.branch', { action: 'create', name: 'new' }],
  ['git.commit', { message: 'the named', files: ['a.txt', 'd.md'] }],
  ['git.commit', { message: 'one of them', files: ['f.md'] }],
  ['git.branch', { action: 'switch', name: 'new' }],
  ['git.branch', { action: 'switch', name: 'other' }],
  ['git.branch', { action: 'switch', name: 'main' }],
  ['git.branch', { action: 'delete', name: 'new' }],
  ['git.diff', { staged: true }],
  ['git.commit', { message: 'the staged' }],
];

function setUpTrap(trap: Trap): Disposable & { folder: string; root: string; hasGoneOff: () => boolean } {
  const { folder, root, [Symbol.dispose]: remove } = scratchFolder();
  const { program, hasGoneOff } = trapProgram(folder);
  layTrap(trap, { root, git: newRepository(root), program });
  return { folder, root, hasGoneOff, [Symbol.dispose]: remove };
}

async function callAll(bench: Workbench): Promise<string[]> {
  const codes: string[] = [];
  for (const [tool, args] of calls) codes.push(codeOf(await bench.call(tool, args)));
  return codes;
}

for (const trap of gitTraps) {
  test(`${trap.name} runs nothing through any tool`, async () => {
    using site = setUpTrap(trap);
    const before = site.hasGoneOff();
    await using bench = await workbench({ folder: site.folder });
    bench.human(approveAll);
    const codes = await callAll(bench);
    expect([before, site.hasGoneOff()]).toEqual([false, false]);
    // Files that a filter would change are refused; everything else works as if there were no filter.
    const isRefused = ([, { files, name }]: (typeof calls)[number]): boolean =>
      trap.isFilter === true && (String(files).includes('a.txt') || name === 'other');
    expect(codes).toEqual(calls.map((call) => (isRefused(call) ? 'GIT_ERROR' : 'completed')));
  });
}

test('settings that are changed after a first look are seen', async () => {
  await using place = await gitBench();
  const { program, hasGoneOff } = trapProgram(place.folder);
  writeFileSync(join(place.root, '.git', 'info', 'attributes'), '* filter=late\n');
  const { ctimeMs } = statSync(join(place.root, '.git', 'config'));
  // Recent changes are not cached; older ones are.
  do await place.call('git.status', {});
  while (Date.now() - ctimeMs < 300);
  place.git('config', 'filter.late.clean', `${program}; cat`);
  place.writeText('a.txt', 'two\n');
  expect(codeOf(await place.call('git.diff', {}))).toBe('completed');
  expect(codeOf(await place.call('git.commit', { message: 'x', files: ['a.txt'] }))).toBe('GIT_ERROR');
  expect(hasGoneOff()).toBe(false);
});

test('a filter whose name is no text is refused, and one among very many is disarmed', async () => {
  await using place = await gitBench();
  const { program, hasGoneOff } = trapProgram(place.folder);
  const config = join(place.root, '.git', 'config');
  writeFileSync(join(place.root, '.git', 'info', 'attributes'), '* filter=f900\n');
  for (let i = 0; i < 950; i++) appendFileSync(config, `[filter "f${i}"]\n\tclean = ${program}; cat\n`);
  place.writeText('a.txt', 'two\n');
  expect(codeOf(await place.call('git.diff', {}))).toBe('completed');
  appendFileSync(config, Buffer.from(`[filter "\xff"]\n\tclean = ${program}; cat\n`, 'latin1'));
  writeFileSync(join(place.root, '.git', 'info', 'attributes'), Buffer.from('* filter=\xff\n', 'latin1'));
  expect(codeOf(await place.call('git.diff', {}))).toBe('GIT_ERROR');
  expect(hasGoneOff()).toBe(false);
});

test('the environment of the program itself reaches nothing', async () => {
  await using place = await gitBench();
  const { program, hasGoneOff } = trapProgram(place.folder);
  const names = [
    'GIT_EXTERNAL_DIFF',
    'GIT_PAGER',
    'GIT_EDITOR',
    'GIT_SSH_COMMAND',
    'GIT_ASKPASS',
    'GIT_PROXY_COMMAND',
  ];
  const more = {
    GIT_DIR: '/nonexistent',
    GIT_WORK_TREE: '/',
    GIT_INDEX_FILE: '/nonexistent',
    GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='x'",
  };
  const set = { ...Object.fromEntries(names.map((name) => [name, program])), ...more };
  place.writeText('a.txt', 'two\n');
  try {
    Object.assign(process.env, set);
    for (const [tool, args] of calls.slice(0, 5))
      expect(codeOf(await place.call(tool, args))).toBe('completed');
    expect(codeOf(await place.call('git.commit', { message: 'x', files: ['a.txt'] }))).toBe('completed');
  } finally {
    for (const name of Object.keys(set)) delete process.env[name];
  }
  expect(hasGoneOff()).toBe(false);
});

test.each(gitTraps.filter(({ victim }) => victim !== undefined))('$name is a trap for plain git', (trap) => {
  using site = setUpTrap(trap);
  spawnSync('git', trap.victim, { cwd: site.root, input: '', timeout: 10_000 });
  expect(site.hasGoneOff()).toBe(true);
});
