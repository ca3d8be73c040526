// Undo and redo as in an editor: as many steps back and forward as there are, wherever they are asked for.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { runConsented } from '@codelab/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { create, update } from '../support/small-patch.ts';
import { treeState } from '../support/tree-state.ts';
import { webBench } from '../support/web-bench.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
const steps = ['undo', 'undo', 'redo', 'redo', 'undo', 'undo', 'redo', 'redo'];
const expected = ['1\n', '0\n', '1\n', '2\n', '1\n', '0\n', '1\n', '2\n'];

test('any row of writes, undos and redos leaves the file as an editor would', async () => {
  const action = fc.constantFrom('write', 'undo', 'undo', 'redo', 'redo');
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (actions) => {
      await using bench = await workbench({ files: { 'a.txt': '0\n' }, mode: 'trusted' });
      const versions = ['0\n'];
      let at = 0;
      for (const [n, action] of ['write', 'write', ...actions].entries()) {
        if (action === 'write') {
          versions.splice(++at, versions.length, `${n + 1}\n`);
          await bench.call('write_file', { path: 'a.txt', content: `${n + 1}\n` });
        } else {
          const next = action === 'undo' ? at - 1 : at + 1;
          const isThere = versions[next] !== undefined;
          expect((await bench.call(action, {})).status).toBe(isThere ? 'completed' : 'failed');
          if (isThere) at = next;
        }
        expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(versions[at]);
      }
    }),
    { numRuns: 25, examples: [[['undo', 'undo', 'redo', 'redo', 'redo', 'undo', 'undo', 'redo']]] },
  );
}, 60_000);

test('redo makes no folder that was gone before the undo', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a1\n' }, mode: 'trusted' });
  await bench.call('apply_patch', { diff: update('a.txt', 'a1', 'a2') + create('n/m/new.txt', 'new') });
  rmSync(join(bench.root, 'n'), { recursive: true });
  const undoOutcome = await bench.call('undo', {});
  expect(undoOutcome).toMatchObject({ status: 'completed', effects: [{ op: 'update', path: 'a.txt' }] });
  expect(await bench.call('redo', {})).toMatchObject({ status: 'completed' });
  expect(existsSync(join(bench.root, 'n'))).toBe(false);
});

test('a turn or call that was undone and redone is undone again by its number or id', async () => {
  await using bench = await workbench({ files: { 'a.txt': '0\n' }, mode: 'trusted' });
  const text = (): string => readFileSync(join(bench.root, 'a.txt'), 'utf8');
  await bench.call('write_file', { path: 'a.txt', content: '1\n' }, { turn: 1 });
  // Twice the same text: each of its versions is kept by itself.
  for (const content of ['2\n', '1\n', '2\n'])
    await bench.call('write_file', { path: 'a.txt', content }, { turn: 2 });
  for (const args of [{ turn: 2 }, { turn: 2 }]) {
    await bench.call('undo', {});
    await bench.call('redo', {});
    expect(text()).toBe('2\n');
    expect(await bench.call('undo', args)).toMatchObject({ data: { refused: [] } });
    expect(text()).toBe('1\n');
    await bench.call('redo', {});
  }
  await bench.call('undo', {});
  await bench.call('undo', {});
  expect(text()).toBe('0\n');
  await bench.call('redo', {});
  expect(await bench.call('undo', { turn: 1 })).toMatchObject({ data: { refused: [] } });
  expect(text()).toBe('0\n');
  await bench.call('write_file', { path: 'a.txt', content: '3\n' }, { id: 'third' });
  for (const tool of ['undo', 'redo']) await bench.call(tool, { session: 's1' }, { session: 's2' });
  expect(await bench.call('undo', { call_id: 'third' })).toMatchObject({ data: { refused: [] } });
  expect(text()).toBe('0\n');
});

test('what a forced undo overwrote and redo brought back is refused by a plain undo', async () => {
  await using bench = await workbench({
    files: { 'a.txt': 'old\n', 'm.txt': 'm\n', 'd/x': 'x\n' },
    mode: 'trusted',
  });
  bench.human(approveAll);
  await bench.call('write_file', { path: 'a.txt', content: 'agent\n' }, { turn: 1 });
  await bench.call('move_file', { from: 'm.txt', to: 'moved.txt' }, { turn: 1 });
  await bench.call('delete_file', { path: 'd', recursive: true }, { turn: 1 });
  writeFileSync(join(bench.root, 'a.txt'), 'user\n');
  writeFileSync(join(bench.root, 'moved.txt'), 'user\n');
  mkdirSync(join(bench.root, 'd'));
  writeFileSync(join(bench.root, 'd/mine'), 'user\n');
  const users = treeState(bench.root);
  for (const _ of [1, 2]) {
    expect(await bench.call('undo', { force: true })).toMatchObject({ data: { refused: [] } });
    expect(await bench.call('redo', {})).toMatchObject({ data: { refused: [] } });
    expect(treeState(bench.root)).toEqual(users);
    expect(refusedPaths(await bench.call('undo', {}))).toEqual(new Set(['d', 'moved.txt', 'a.txt']));
    expect(treeState(bench.root)).toEqual(users);
  }
});

/** Of an undo that changed nothing. */
function refusedPaths(outcome: Outcome): Set<string> {
  const { refused = [] } = outcome.status === 'completed' ? {} : (outcome.error.details ?? {});
  return new Set((refused as { path: string }[]).map(({ path }) => path));
}

test('over HTTP both of two undos are brought again', async () => {
  await using web = await webBench({ files: { 'a.txt': '0\n' } });
  const session = await web.newSession();
  for (const n of [1, 2])
    await web.call(session, 'write_file', { path: 'a.txt', content: `${n}\n` }, { id: `w${n}`, turn: n });
  const contents: string[] = [];
  for (const verb of steps) {
    expect((await web.ask('POST', `/sessions/${session}/${verb}`, { dry_run: true })).body).toMatchObject({
      files: [{ path: 'a.txt', state: 'ready' }],
    });
    expect((await web.ask('POST', `/sessions/${session}/${verb}`, {})).body.done).toBe(true);
    contents.push(readFileSync(join(web.root, 'a.txt'), 'utf8'));
  }
  expect(contents).toEqual(expected);
});

describe('in the terminal', { timeout: 60_000 }, () => {
  test('the chat brings both of two undos again', () => {
    using scratch = scratchFolder({ files: { 'a.txt': '0\n' } });
    const lines = ['replace 0 by 1 in a.txt', 'replace 1 by 2 in a.txt'];
    const commands = steps.flatMap((verb) => [`/${verb}`, '!cat a.txt']);
    const input = [...lines, ...commands, '/redo', ''].join('\n');
    const { stdout } = codelab(scratch, ['--model', 'demo', '--approve', 'all'], input);
    expect([...stdout.matchAll(/^(\d\n)\nExit code 0/gm)].map(([, text]) => text)).toEqual(expected);
    expect(stdout).toContain('There is nothing to redo in this session.');
  });

  test.each([
    [
      ['--session', 's1'],
      ['--session', 's1'],
    ],
    [[], []],
    [[], ['--session', 's1']],
    [['--session', 's1'], []],
  ])('`codelab undo %j`, twice, is brought again by `codelab redo %j`, twice', (back, forward) => {
    using scratch = scratchFolder({ files: {} });
    const write = (path: string, session: string): unknown =>
      codelab(scratch, [
        ...['tool', 'write_file', JSON.stringify({ path, content: '1' })],
        ...['--session', session, '--approve', 'all'],
      ]);
    for (const name of ['a', 'b']) write(name, 's1');
    const existing = (): boolean[] => ['a', 'b'].map((name) => existsSync(join(scratch.root, name)));
    for (const n of [1, 2]) expect([n, codelab(scratch, ['undo', ...back]).code]).toEqual([n, 0]);
    expect(existing()).toEqual([false, false]);
    expect(codelab(scratch, ['redo', '--session', 'other'])).toMatchObject({ code: 1 });
    for (const n of [1, 2]) expect([n, codelab(scratch, ['redo', ...forward]).code]).toEqual([n, 0]);
    expect(existing()).toEqual([true, true]);
    expect(codelab(scratch, ['redo', ...forward])).toMatchObject({ code: 1 });
    for (const n of [1, 2]) expect([n, codelab(scratch, ['undo', ...back]).code]).toEqual([n, 0]);
    expect(existing()).toEqual([false, false]);
  });
});

function codelab(
  { folder, root }: { folder: string; root: string },
  args: string[],
  input = '',
): { code: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, CODELAB_HOME: join(folder, 'home'), NO_COLOR: '1' };
  const options = { cwd: root, env, input, encoding: 'utf8' as const };
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], options);
  return { code, stdout, stderr };
}

test('an undo whose newest change is refused can be redone: what it took back stays its own', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  await bench.call('write_file', { path: 'a.txt', content: 'agent a\n' }, { turn: 1 });
  await bench.call('write_file', { path: 'b.txt', content: 'agent b\n' }, { turn: 1 });
  writeFileSync(join(bench.root, 'b.txt'), 'agent b\nmine\n');
  const undoOutcome = await bench.call('undo', {});
  expect(undoOutcome).toMatchObject({ status: 'completed', data: { refused: [{ path: 'b.txt' }] } });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('a\n');
  for (const { trashId = '' } of undoOutcome.effects) expect(trashId).toMatch(/^[^/]+\/\d+$/);
  expect(await bench.call('redo', {})).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('agent a\n');
  expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('agent b\nmine\n');
});

test('a deletion that was discarded, named by an undo and came again with the undo of the discard can be undone', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'gone.txt': 'g\n', 'n.txt': '1\n' } });
  bench.human(approveAll);
  const isThere = (): boolean => existsSync(join(bench.root, 'gone.txt'));
  await bench.call('delete_file', { path: 'gone.txt' }, { turn: 1 });
  await bench.call('write_file', { path: 'n.txt', content: '2\n' }, { turn: 1 });
  const args = { turn: 1, hunks: [], files: ['gone.txt'] };
  const call = { id: 'd', session: 's1', tool: 'discard_changes', args, dialect: 'codelab' as const };
  expect(await runConsented(bench.host, call, { who: 'ann', via: 'test' })).toMatchObject({
    data: { refused: [] },
  });
  expect(isThere()).toBe(true);
  expect(await bench.call('undo', { turn: 1 })).toMatchObject({ status: 'completed' });
  expect(isThere()).toBe(true);
  expect(await bench.call('undo', {})).toMatchObject({ effects: [{ op: 'delete', path: 'gone.txt' }] });
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(readFileSync(join(bench.root, 'gone.txt'), 'utf8')).toBe('g\n');
  expect(await bench.call('undo', {})).toMatchObject({
    error: { message: 'There is nothing to undo here.' },
  });
  expect(await bench.call('redo', {})).toMatchObject({ status: 'completed' });
  expect(isThere()).toBe(false);
});
