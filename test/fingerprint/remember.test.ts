// A remembered command holds for the body it had: with another one it is asked about again, and the difference is shown.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest, Decision } from '@codelab/protocol';
import { proposeRule } from '@codelab/runtime';
import { keepRule } from '@codelab/server';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { type ProcessBench, processBench } from '../support/process-bench.ts';

type Remembering = AsyncDisposable & { bench: ProcessBench; asked: ApprovalRequest[] };

/** Everything is approved, and remembered where that is possible. */
async function remembering(
  files: Record<string, string>,
  scope: 'session' | 'workspace' = 'workspace',
): Promise<Remembering> {
  const approvals: ApprovalRequest[] = [];
  const human = (approval: ApprovalRequest): Decision => {
    approvals.push(approval);
    const canRemember = proposeRule('allow', approval) !== undefined;
    return canRemember ? { kind: 'approve', remember: { scope } } : { kind: 'approve' };
  };
  const bench = await processBench({ files, human });
  return { bench, asked: approvals, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

const manifest = (scripts: Record<string, string>, extra: object = {}): string =>
  JSON.stringify({ name: 'x', scripts, ...extra });

test.each(['session', 'workspace'] as const)('`npm test`, for the %s', async (scope) => {
  await using all = await remembering({ 'package.json': manifest({ test: 'echo good' }) }, scope);
  const { bench, asked } = all;
  await bench.run('npm test');
  await bench.run('npm test');
  expect(asked).toHaveLength(1);
  // A changed version or an unrelated script does not change the body.
  writeFileSync(
    join(bench.root, 'package.json'),
    manifest({ test: 'echo good', lint: 'x' }, { version: '2.0.0' }),
  );
  await bench.run('npm test');
  expect(asked).toHaveLength(1);
  writeFileSync(join(bench.root, 'package.json'), manifest({ test: 'echo evil' }));
  await bench.run('npm test');
  expect(asked).toHaveLength(2);
  expect(asked[1]?.verdict.reason).toContain(
    'You allowed this before, but what it runs has changed. npm test runs: was "echo good", is now "echo evil".',
  );
  await bench.run('npm test');
  expect(asked).toHaveLength(2);
  writeFileSync(join(bench.root, '.npmrc'), 'script-shell=./evil\n');
  await bench.run('npm test');
  expect(asked).toHaveLength(3);
  expect(asked[2]?.verdict.reason).toContain('.npmrc sets script-shell: was nothing, is now "./evil".');
});

test('`sh x.sh` survives a touch, a checkout and a restart, and no change', async () => {
  await using all = await remembering({ 'x.sh': '. ./lib.sh\n', 'lib.sh': 'echo good\n' });
  const { bench, asked } = all;
  await bench.run('sh x.sh');
  utimesSync(join(bench.root, 'x.sh'), 1, 1);
  writeFileSync(join(bench.root, 'lib.sh'), 'echo good\n');
  await bench.bench.restart();
  const later: ApprovalRequest[] = [];
  bench.bench.human((approval) => {
    if (approval.id !== asked[0]?.id) later.push(approval);
    return { kind: 'reject' };
  });
  expect(codeOf(await bench.run('sh x.sh'))).toBe('completed');
  expect(later).toEqual([]);
  writeFileSync(join(bench.root, 'lib.sh'), 'echo evil\n');
  expect(codeOf(await bench.run('sh x.sh'))).toBe('REJECTED');
  expect(later[0]?.verdict.reason).toContain('lib.sh: was "echo good", is now "echo evil".');
});

test('one body does not lend its rule to the same words in a longer line', async () => {
  await using all = await remembering({ 'a.sh': 'echo a\n', 'b.sh': 'echo b\n' });
  const { bench, asked } = all;
  await bench.run('sh a.sh && sh b.sh');
  await bench.run('sh b.sh');
  expect(asked).toHaveLength(1);
  writeFileSync(join(bench.root, 'b.sh'), 'echo c\n');
  await bench.run('sh b.sh');
  await bench.run('sh a.sh');
  expect(asked.map(({ plan }) => plan.command?.line)).toEqual(['sh a.sh && sh b.sh', 'sh b.sh']);
});

test.each([
  ['sources what a variable names', 'sh x.sh', { 'x.sh': '. "$LIB"\n' }],
  ['is too large', 'sh x.sh', { 'x.sh': `${'#'.repeat(1024 * 1024)}\n` }],
  ['can’t be parsed', 'sh x.sh', { 'x.sh': 'if then (\n' }],
  ['includes what a variable names', 'make', { Makefile: 'include $(RULES)\nall:\n\ttrue\n' }],
  ['runs scripts of other packages', 'npm test --workspaces', { 'package.json': manifest({ test: 'true' }) }],
  ['names no script that is there', 'npm test', { 'package.json': '{' }],
])('a command that %s can’t be remembered', async (_name, command, files) => {
  await using all = await remembering(files as Record<string, string>);
  await all.bench.run(command);
  await all.bench.run(command);
  expect(all.asked).toHaveLength(2);
  expect(all.asked.flatMap((approval) => proposeRule('allow', approval) ?? [])).toEqual([]);
});

test('rules that people wrote themselves go on as they are', async () => {
  await using all = await remembering({ 'package.json': manifest({ test: 'echo good' }) });
  const { bench, asked } = all;
  const target = { scope: 'workspace', root: bench.root } as const;
  const rule = { id: 'tests', effect: 'allow', reason: 'Our tests.', command: 'npm test' } as const;
  await keepRule(bench.home, target, rule);
  await bench.run('npm test');
  writeFileSync(join(bench.root, 'package.json'), manifest({ test: 'echo other' }));
  await bench.run('npm test');
  expect(asked).toEqual([]);
});

test('one that was remembered before bodies were noted asks once more', async () => {
  await using all = await remembering({ 'x.sh': 'echo good\n' });
  const { bench, asked } = all;
  const target = { scope: 'workspace', root: bench.root } as const;
  const rule = { id: 'remembered:0', effect: 'allow', reason: 'Before.', command: 'sh x.sh' } as const;
  await keepRule(bench.home, target, rule);
  await bench.run('sh x.sh');
  await bench.run('sh x.sh');
  expect(asked).toHaveLength(1);
  expect(asked[0]?.verdict.reason).toContain('what it runs was not noted then');
});

test('input to a process is never remembered, and no older rule about it counts', async () => {
  await using all = await remembering({});
  const { bench, asked } = all;
  await bench.bench.call('run_persistent', { command: 'sleep 60', process_id: 'p1' });
  const target = { scope: 'workspace', root: bench.root } as const;
  const rule = {
    id: 'remembered:1',
    effect: 'allow',
    reason: 'Before.',
    command: 'write_process p1',
  } as const;
  await keepRule(bench.home, target, rule);
  const before = asked.length;
  for (const input of ['a\n', 'b\n'])
    expect(codeOf(await bench.bench.call('write_process', { process_id: 'p1', input }))).toBe('completed');
  expect(asked).toHaveLength(before + 2);
  for (const approval of asked.slice(before)) expect(proposeRule('allow', approval)).toBeUndefined();
});

test('a folder that takes the name of a script is no script', async () => {
  await using all = await remembering({});
  mkdirSync(join(all.bench.root, 'x.sh'));
  await all.bench.run('sh x.sh');
  expect(all.asked[0]?.plan.command?.parts[0]?.execution?.unknown).toBe('There is no file x.sh.');
});
