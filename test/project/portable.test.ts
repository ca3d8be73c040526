// The guarantees without /proc, sandbox and file watchers: those that docs/systems.md promises for such systems. `npm run test:portable`
// runs more.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { afterAll, expect, test } from 'vitest';
import { Directory } from '../../packages/runtime/src/workspace/directory.ts';
import { openRegular } from '../../packages/runtime/src/workspace/read-bytes.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const before = process.env.CODELAB_WITHOUT;
process.env.CODELAB_WITHOUT = 'proc,sandbox,watch';
afterAll(() => {
  if (before === undefined) delete process.env.CODELAB_WITHOUT;
  else process.env.CODELAB_WITHOUT = before;
});

test('doctor names the way that is in use for each thing, and what it does not promise', () => {
  using scratch = scratchFolder();
  const env = { ...process.env, CODELAB_HOME: scratch.home };
  const doctor = (extraEnv: NodeJS.ProcessEnv): Record<string, { status: string; found: string }> => {
    const args = [codelabProgram, 'doctor', '--json', '--workspace', scratch.root];
    const { stdout } = spawnSync(process.execPath, args, { env: { ...env, ...extraEnv }, encoding: 'utf8' });
    const { checks } = JSON.parse(stdout);
    return Object.fromEntries(checks.map((check: { name: string }) => [check.name, check]));
  };
  const names = ['paths', 'processes', 'process identity', 'file watching', 'sandbox'];
  const less = doctor({});
  expect(names.map((name) => [less[name]?.status, less[name]?.found.split(':')[0]])).toEqual([
    ['missing', 'opened, then verified'],
    ['missing', 'process groups'],
    ['missing', 'pid and heartbeat'],
    ['missing', 'polling'],
    ['missing', 'commands are not sandboxed'],
  ]);
  expect(doctor({ CODELAB_WITHOUT: 'proc,groups' }).processes?.found).toBe('taskkill');
});

test('files are read, changed, moved, deleted and brought back byte by byte', async () => {
  const files = { 'a.txt': 'one\r\ntwo\r\n', 'd/b.bin': Buffer.from([0, 255, 13, 10]), 'd/e/c.txt': 'c\n' };
  await using bench = await workbench({ files });
  bench.human(approveAll);
  const steps: [string, Record<string, unknown>][] = [
    ['read_file', { path: 'a.txt' }],
    ['edit_file', { path: 'a.txt', old_string: 'two', new_string: 'TWO\nthree' }],
    ['move_file', { from: 'd/b.bin', to: 'n/b.bin' }],
    ['delete_file', { path: 'd', recursive: true }],
  ];
  for (const [tool, args] of steps)
    expect(await bench.call(tool, args)).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\r\nTWO\r\nthree\r\n');
  expect(existsSync(join(bench.root, 'd'))).toBe(false);
  for (const id of ['call_4', 'call_3', 'call_2'])
    expect(await bench.call('undo', { call_id: id })).toMatchObject({ status: 'completed' });
  for (const [path, content] of Object.entries(files))
    expect(readFileSync(join(bench.root, path))).toEqual(Buffer.from(content));
});

test('a change is asked in every mode while a program runs, and its plan says why', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'trusted' });
  const approvals: ApprovalRequest[] = [];
  bench.human((approval) => {
    approvals.push(approval);
    return { kind: 'approve' };
  });
  const write = (content: string) => bench.call('write_file', { path: 'new.txt', content });
  expect(await write('1')).toMatchObject({ status: 'completed' });
  expect(approvals).toEqual([]);
  const started = await bench.call('run_persistent', { process_id: 'p', command: 'sleep 60' });
  expect(started).toMatchObject({ status: 'completed' });
  expect(await write('2')).toMatchObject({ status: 'completed' });
  expect(approvals.map(({ verdict }) => verdict.rule)).toEqual(['paths-not-held']);
  expect(approvals[0]?.plan.notes).toContain(
    'On this system paths are verified after they are opened (docs/systems.md).',
  );
  await bench.call('kill_process', { process_id: 'p' });
  expect(await write('3')).toMatchObject({ status: 'completed' });
  expect(approvals).toHaveLength(1);
});

test('a command ends in time with whatever stays in its group, and nothing that has an effect runs unasked', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'trusted' });
  const askedLines: string[] = [];
  bench.human(({ plan }) => {
    askedLines.push(plan.command?.line ?? '');
    return { kind: 'approve' };
  });
  expect(await bench.call('run_command', { command: 'cat a.txt' })).toMatchObject({
    data: { stdout: 'a\n' },
  });
  expect(askedLines).toEqual([]);
  const line = '(while :; do echo x >> b.txt; sleep 0.05; done) & sleep 60';
  const outcome = await bench.call('run_command', { command: line, timeout_ms: 500 });
  expect([outcome, askedLines]).toMatchObject([{ data: { timed_out: true } }, [line]]);
  const size = readFileSync(join(bench.root, 'b.txt')).length;
  await bench.call('run_command', { command: 'sleep 0.2' });
  expect(readFileSync(join(bench.root, 'b.txt')).length).toBe(size);
});

test('a folder that was swapped after it was found is noticed before anything of it is given out', () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.root, 'd'));
  mkdirSync(join(scratch.folder, 'outside'));
  for (const folder of [join(scratch.root, 'd'), join(scratch.folder, 'outside')])
    writeFileSync(join(folder, 'f'), folder);
  using workspace = Workspace.open(scratch.root);
  expect(workspace.root.isHeld).toBe(false);
  using place = workspace.locate('d/f', { followLast: true, access: 'read', pathChars: 100 });
  renameSync(join(scratch.root, 'd'), join(scratch.root, 'gone'));
  symlinkSync(join(scratch.folder, 'outside'), join(scratch.root, 'd'));
  expect(() => openRegular(place)).toThrow(/changed by someone else|STALE/);
  using root = Directory.openRoot(scratch.root);
  expect(() => root.openBelow('d')).toThrow(/ELOOP|ENOTDIR/);
});

test('questions are seen by another process, though nobody tells it of changes', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a\n' } });
  const env = { ...process.env, CODELAB_HOME: bench.home, NO_COLOR: '1' };
  const args = [codelabProgram, 'approvals', 'watch', '--workspace', bench.root];
  const watching = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const stop = new AbortController();
    const deleted = bench.call('delete_file', { path: 'a.txt' }, { signal: stop.signal });
    const [output] = await once(watching.stdout, 'data');
    expect(String(output)).toContain('a.txt');
    stop.abort();
    await deleted;
  } finally {
    watching.kill('SIGKILL');
  }
  expect(readdirSync(bench.root)).toEqual(['a.txt']);
});

test.skipIf(noSandbox !== undefined)(
  'a sandbox is not enough to run unasked where limits are not held',
  async () => {
    process.env.CODELAB_WITHOUT = 'proc';
    try {
      await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'trusted' });
      const questions: string[] = [];
      bench.human(({ plan, verdict }) => {
        questions.push(`${plan.command?.confinement.sandbox}: ${verdict.reason}`);
        return { kind: 'reject' };
      });
      expect(await bench.call('run_command', { command: 'cat a.txt' })).toMatchObject({
        status: 'completed',
      });
      expect(await bench.call('run_command', { command: 'touch b.txt' })).toMatchObject({
        status: 'rejected',
      });
      expect(questions).toEqual([
        expect.stringMatching(/^(bubblewrap|util-linux): .*nothing limits the memory/),
      ]);
    } finally {
      process.env.CODELAB_WITHOUT = 'proc,sandbox,watch';
    }
  },
);

// With case, two names of one file stand for the one name that it has without.
test('a file is not moved over itself under a name that differs in case alone', async () => {
  await using bench = await workbench({ files: { 'Readme.md': 'text' }, mode: 'trusted' });
  bench.human(approveAll);
  const other = join(bench.root, 'README.md');
  if (!existsSync(other)) linkSync(join(bench.root, 'Readme.md'), other);
  expect(
    await bench.call('move_file', { from: 'Readme.md', to: 'README.md', overwrite: true }),
  ).toMatchObject({
    error: { message: expect.stringContaining('are the same file here') },
  });
  expect(readFileSync(other, 'utf8')).toBe('text');
});
