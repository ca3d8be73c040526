import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { dataOf, processBench } from '../support/process-bench.ts';

const secrets = ['OPENAI_API_KEY', 'CODELAB_TOKEN', 'npm_config_userconfig'] as const;

afterEach(() => {
  for (const name of secrets) delete process.env[name];
});

test('what a command prints, how it ended and how long it took', async () => {
  await using bench = await processBench();
  const outcome = await bench.run('echo out; echo err >&2; exit 3');
  expect(outcome).toMatchObject({
    status: 'completed',
    data: { stdout: 'out\n', stderr: 'err\n', exit_code: 3, timed_out: false, truncated: false },
    effects: [],
  });
  expect(dataOf(outcome).duration_ms).toBeGreaterThanOrEqual(0);
});

test('it can print into /dev/stdout and /dev/stderr', async () => {
  await using bench = await processBench();
  expect(dataOf(await bench.run('echo out >/dev/stdout; echo err >/dev/stderr'))).toMatchObject({
    stdout: 'out\n',
    stderr: 'err\n',
  });
});

test('a program that is not there is the shell’s own 127', async () => {
  await using bench = await processBench();
  expect(dataOf(await bench.run('no-such-program-here'))).toMatchObject({ exit_code: 127 });
});

test('a signal that ended it shows in the code', async () => {
  await using bench = await processBench();
  expect(dataOf(await bench.run('kill -9 $$'))).toMatchObject({ exit_code: 137, timed_out: false });
});

test('nobody answers: no input, no terminal', async () => {
  await using bench = await processBench();
  const { stdout, exit_code } = dataOf(await bench.run('cat; cat /dev/tty || echo no terminal'));
  expect({ stdout, exit_code }).toEqual({ stdout: 'no terminal\n', exit_code: 0 });
});

test('no key and no token of ours is in its environment', async () => {
  for (const name of secrets) process.env[name] = 'sk-secret';
  await using bench = await processBench();
  const { stdout } = dataOf(await bench.run('env', { env: { MINE: 'yes' } }));
  expect(stdout).not.toContain('sk-secret');
  expect(stdout).toContain('MINE=yes');
});

test.each([
  'LD_PRELOAD',
  'NODE_OPTIONS',
  'BASH_ENV',
  'ENV',
  'PATH',
  'GIT_SSH_COMMAND',
  'PAGER',
  'PYTHONPATH',
  'HOME',
  'CODELAB_CALL',
  'npm_config_script_shell',
  'http_proxy',
])('a caller cannot set %s', async (name) => {
  await using bench = await processBench();
  const outcome = await bench.run('true', { env: { [name]: 'x' } });
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'COMMAND_NOT_ALLOWED' } });
});

test('variables make even a reading command a question', async () => {
  await using bench = await processBench();
  const { plan } = await approvalFor(bench, { command: 'ls', env: { COLUMNS: '10' } });
  expect(plan.command?.parts).toMatchObject([{ verdict: 'ask', isDynamic: true }]);
  expect(plan.notes).toContain('sets COLUMNS="10"');
});

describe('a program planted in the workspace', () => {
  test('is not taken for the one of that name, though PATH leads there', async () => {
    await using bench = await processBench();
    const bin = join(bench.root, 'bin');
    mkdirSync(bin);
    for (const name of ['git', 'ls']) {
      writeFileSync(join(bin, name), '#!/bin/sh\necho planted\n');
      chmodSync(join(bin, name), 0o755);
    }
    const link = join(bench.folder, 'link');
    symlinkSync(bin, link);
    const path = process.env.PATH;
    process.env.PATH = `.:${bin}:${link}:${path}`;
    try {
      expect(dataOf(await bench.run('git --version; ls')).stdout).not.toContain('planted');
      const outcome = await bench.bench.call('execute_command', { command: 'ls', args: [] });
      expect(dataOf(outcome).stdout).toBe('bin\n');
    } finally {
      process.env.PATH = path;
    }
  });
});

describe('the folder it starts in', () => {
  test('is the one asked for, also through a link that stays inside', async () => {
    await using bench = await processBench({ files: { 'a/b/c.txt': '' } });
    symlinkSync('a/b', join(bench.root, 'link'));
    expect(dataOf(await bench.run('ls', { cwd: 'a' })).stdout).toBe('b\n');
    expect(dataOf(await bench.run('ls', { cwd: 'link' })).stdout).toBe('c.txt\n');
  });

  test.each([
    ['nope', 'FILE_NOT_FOUND'],
    ['a.txt', 'NOT_A_DIRECTORY'],
    ['..', 'PATH_OUTSIDE_WORKSPACE'],
    ['/etc', 'PATH_OUTSIDE_WORKSPACE'],
    ['out', 'PATH_OUTSIDE_WORKSPACE'],
  ])('%s is refused', async (cwd, code) => {
    await using bench = await processBench({ files: { 'a.txt': '' } });
    symlinkSync('/etc', join(bench.root, 'out'));
    expect(await bench.run('ls', { cwd })).toMatchObject({ status: 'failed', error: { code } });
  });
});

test.each(['ls\0', 'ls\u007f', 'ls \u001b[31m', 'ls\rid', 'ls \ud800'])('%j is not run', async (command) => {
  await using bench = await processBench();
  expect(await bench.run(command)).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
});

test('while it runs, what it prints is told in the shape of the result', async () => {
  await using bench = await processBench();
  const progress: Record<string, unknown>[] = [];
  const stop = bench.bench.host.progress.watch('s1', (_call, data) => progress.push(data));
  const data = dataOf(await bench.run('for i in 1 2 3; do echo line $i; sleep 0.15; done'));
  stop();
  const { output_file: _file, ...fields } = data;
  expect(progress.length).toBeGreaterThan(1);
  for (const report of progress) {
    expect(Object.keys(report).sort()).toEqual(Object.keys(fields).sort());
    expect(report).toMatchObject({ exit_code: null, timed_out: false });
  }
  expect('line 1\nline 2\nline 3\n'.startsWith(progress.map(({ stdout }) => stdout).join(''))).toBe(true);
});

test('what it changed is recorded and taken back, also when it was cut short', async () => {
  await using bench = await processBench({ files: { 'a.txt': 'old\n' } });
  const outcome = await bench.run('echo new > a.txt; echo b > b.txt; sleep 600', { timeout_ms: 300 });
  expect(outcome).toMatchObject({ data: { timed_out: true } });
  expect(outcome.effects.map(({ op, path }) => [op, path])).toEqual([
    ['update', 'a.txt'],
    ['create', 'b.txt'],
  ]);
  await bench.bench.call('undo', {});
  expect(dataOf(await bench.run('cat a.txt; ls')).stdout).toBe('old\na.txt\n');
});

test('a cancelled command keeps its effects for undo', async () => {
  await using bench = await processBench({ files: { 'a.txt': 'old\n' } });
  const stop = new AbortController();
  const watch = bench.bench.host.progress.watch('s1', () => stop.abort());
  const outcome = await bench.run('echo new > a.txt; echo up; sleep 600', {}, stop.signal);
  watch();
  expect(outcome).toMatchObject({ status: 'cancelled', effects: [{ op: 'update', path: 'a.txt' }] });
  await bench.bench.call('undo', {});
  expect(dataOf(await bench.run('cat a.txt')).stdout).toBe('old\n');
});

test('a script that changed after it was approved is asked about again', async () => {
  await using bench = await processBench({ files: { 'build.sh': 'echo good\n' } });
  let questions = 0;
  bench.bench.human(({ again }) => {
    questions++;
    if (again === undefined) writeFileSync(join(bench.root, 'build.sh'), 'echo other\n');
    return { kind: 'approve' };
  }, 's2');
  const args = { command: 'sh build.sh' };
  const outcome = await bench.bench.call('run_command', args, { session: 's2' });
  expect(dataOf(outcome).stdout).toBe('other\n');
  expect(questions).toBe(2);
});

test('an argument list never meets a shell', async () => {
  await using bench = await processBench();
  const outcome = await bench.bench.call('execute_command', {
    command: 'ls',
    args: ['--', '; id', '$(id)', '-rf'],
  });
  const { stdout, stderr } = dataOf(outcome);
  expect(stdout).toBe('');
  for (const name of ['; id', '$(id)', '-rf']) expect(stderr).toContain(name);
});

test('the question shows every part, the folder and what holds it in', async () => {
  await using bench = await processBench({ files: { 'a/x': '' } });
  const { plan } = await approvalFor(bench, { command: 'ls && rm x', cwd: 'a' });
  expect(plan.command).toMatchObject({
    line: 'ls && rm x',
    cwd: 'a',
    parts: [
      { text: 'ls', verdict: 'allow' },
      { text: 'rm x', verdict: 'ask' },
    ],
    confinement: { sandbox: 'none' },
  });
});

async function approvalFor(
  { bench }: Awaited<ReturnType<typeof processBench>>,
  args: Record<string, unknown>,
): Promise<ApprovalRequest> {
  const questions: ApprovalRequest[] = [];
  bench.human((approval) => {
    questions.push(approval);
    return { kind: 'reject' };
  }, 'asking');
  await bench.call('run_command', args, { session: 'asking' });
  const [question] = questions;
  if (question === undefined) throw new Error('nobody was asked');
  return question;
}
