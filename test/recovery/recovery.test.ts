// Failures half-way, owners that are gone, and what is promised to be kept.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { declareDead } from '@codelab/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { type CrashBench, crashBench, hasStrace } from '../support/crash-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { contents, create, update } from '../support/small-patch.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

describe.skipIf(!isRoot)('an undo that fails half-way', () => {
  test('loses nothing, says what it could not do, and can be tried again', () => {
    using scratch = scratchFolder({ files: { 'p/keep.txt': 'p\n', 'q/keep.txt': 'q\n' }, owner: 65534 });
    const asUser = (calls: { tool: string; args: Record<string, unknown> }[]) =>
      callsInChild({ folder: scratch.folder, calls, wrapper: asNobody }).outcomes;
    const patch = create('p/d1/f1.txt', 'one') + create('q/d2/f2.txt', 'two');
    const before = treeState(scratch.root);
    expect(asUser([{ tool: 'apply_patch', args: { diff: patch } }])).toMatchObject([{ status: 'completed' }]);
    chmodSync(join(scratch.root, 'p'), 0o555);
    const [undoOutcome] = asUser([{ tool: 'undo', args: {} }]);
    expect(undoOutcome).toMatchObject({
      status: 'completed',
      data: { refused: [{ path: 'p/d1', reason: 'the folder could not be removed (EACCES)' }] },
    });
    chmodSync(join(scratch.root, 'p'), 0o755);
    rmSync(join(scratch.root, 'p', 'd1'), { recursive: true });
    expect(treeState(scratch.root)).toEqual(before);
    expect(asUser([{ tool: 'redo', args: {} }])).toMatchObject([
      { status: 'completed', data: { refused: [] } },
    ]);
    expect(contents(scratch.root)).toMatchObject({ 'p/d1/f1.txt': 'one\n', 'q/d2/f2.txt': 'two\n' });
  });
});

test('two names of one file in one patch are refused, and nothing is changed', async () => {
  await using bench = await workbench({ files: { 'h1.txt': 'x1\n' }, mode: 'trusted' });
  linkSync(join(bench.root, 'h1.txt'), join(bench.root, 'h2.txt'));
  const twins = update('h1.txt', 'x1', 'y1') + update('h2.txt', 'x1', 'z1');
  expect(await bench.call('apply_patch', { diff: twins })).toMatchObject({
    status: 'failed',
    error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('two names of one file') },
  });
  expect(contents(bench.root)).toEqual({ 'h1.txt': 'x1\n', 'h2.txt': 'x1\n' });
  expect(existsSync(join(bench.home, 'trash'))).toBe(false);
});

test('a deleted file comes back as it was, although it was changed since under another name', async () => {
  await using bench = await workbench({ files: { 'h1.txt': 'shared\n' }, mode: 'trusted' });
  bench.human(approveAll);
  linkSync(join(bench.root, 'h1.txt'), join(bench.root, 'h2.txt'));
  await bench.call('delete_file', { path: 'h2.txt' }, { id: 'delete' });
  await bench.call('write_file', { path: 'h1.txt', content: 'changed\n' });
  expect(await bench.call('undo', { call_id: 'delete' })).toMatchObject({ status: 'completed' });
  expect(contents(bench.root)).toEqual({ 'h1.txt': 'changed\n', 'h2.txt': 'shared\n' });
});

describe.skipIf(!isRoot || !hasStrace)('a call whose process ran in a container that is gone', () => {
  let crash: CrashBench;
  beforeAll(() => {
    crash = crashBench();
  });
  afterAll(() => crash[Symbol.dispose]());

  /** Killed right before the rename, under another host name and with pids of its own. */
  async function killedElsewhere(folder: string): Promise<void> {
    await using _ = await workbench({ folder, files: { 'a.txt': 'old\n' } });
    const order = JSON.stringify({
      folder,
      call: { id: 'it', tool: 'write_file', args: { path: 'a.txt', content: 'new\n' } },
    });
    const traced = `strace -f -o /dev/null -e trace=fchmod -e inject=fchmod:signal=KILL:when=1 "$@"`;
    const script = `hostname container-a && ${traced}`;
    const inside = ['--uts', '--pid', '--fork', '--mount-proc', 'sh', '-c', script, 'sh'];
    spawnSync('unshare', [...inside, process.execPath, crash.script, order], { stdio: 'ignore' });
  }

  const isRunning = async ({ host }: Workbench): Promise<boolean> =>
    (await host.log.unfinished(host.workspace.root.real)).length > 0;

  test('is settled once its heartbeat has stopped, and its session can be deleted', async () => {
    using scratch = scratchFolder();
    await killedElsewhere(scratch.folder);
    await using bench = await workbench({ folder: scratch.folder });
    expect(await isRunning(bench)).toBe(true);
    const beats = join(scratch.home, 'owners');
    for (const name of readdirSync(beats)) utimesSync(join(beats, name), 1, 1);
    await bench.restart();
    expect(await isRunning(bench)).toBe(false);
    expect(contents(scratch.root)).toEqual({ 'a.txt': 'old\n' });
    await bench.log.delete('s1');
  });

  test('is settled at once when a person says that it is gone', async () => {
    using scratch = scratchFolder();
    await killedElsewhere(scratch.folder);
    await using bench = await workbench({ folder: scratch.folder });
    expect(await declareDead(bench.host, 's1')).toEqual(['it']);
    expect(await isRunning(bench)).toBe(false);
  });
});

test('a call that runs here cannot be declared dead', async () => {
  await using bench = await workbench({ mode: 'trusted' });
  bench.human(approveAll);
  const stop = new AbortController();
  const call = bench.call('run_command', { command: 'sleep 60; touch x' }, { id: 'it', signal: stop.signal });
  for await (const { body } of bench.log.subscribe('s1', { since: 0, signal: AbortSignal.timeout(20_000) }))
    if (body.type === 'call.started') break;
  await expect(declareDead(bench.host, 's1')).rejects.toMatchObject({ code: 'STALE' });
  stop.abort();
  await call;
});

test('deleting something large does not cost what was kept before, nor itself', async () => {
  await using bench = await workbench({
    files: { 'a.txt': 'one\n', 'big/notes.txt': 'notes\n' },
    mode: 'trusted',
  });
  bench.human(approveAll);
  spawnSync('truncate', ['-s', '1100M', join(bench.root, 'big', 'disk.img')]);
  await bench.call('write_file', { path: 'a.txt', content: 'two\n' });
  // The next change looks through the quarantine.
  rmSync(join(bench.home, 'commit.lock'), { force: true });
  rmSync(join(bench.home, 'trash.pruned'), { force: true });
  await bench.restart();
  bench.human(approveAll);
  expect(await bench.call('delete_file', { path: 'big', recursive: true }, { id: 'delete' })).toMatchObject({
    data: { recoverable: true },
  });
  await bench.restart();
  bench.human(approveAll);
  expect(await bench.call('undo', { call_id: 'delete' })).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'big', 'notes.txt'), 'utf8')).toBe('notes\n');
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\n');
  if (existsSync(join(bench.root, 'big', 'disk.img'))) unlinkSync(join(bench.root, 'big', 'disk.img'));
});
