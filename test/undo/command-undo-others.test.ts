// Undo of a command takes back what the command did, and nothing that somebody else did while it ran.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { type Paces, pacesIn, quiet } from '../support/paced-command.ts';
import { dataOf, type ProcessBench, processBench } from '../support/process-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { worktreeState } from '../support/worktree-state.ts';

const files = { 'a.txt': 'a', 'user.txt': 'old', 'src/b.txt': 'b', 'src/gone.txt': 'g' };
const notByIt = (names: string): string =>
  `Changed while the command ran, but not by it, so undo leaves it: ${names}.`;

type Scene = ProcessBench & {
  paces: Paces;
  text(path: string): string;
  write(path: string, text: string): void;
};

async function openBench(sandbox: 'auto' | 'off' = 'off'): Promise<Scene> {
  const bench = await processBench({ files, sandbox });
  const at = (path: string): string => join(bench.root, path);
  return {
    ...bench,
    paces: pacesIn(bench.root),
    text: (path) => readFileSync(at(path), 'utf8'),
    write: (path, text) => writeFileSync(at(path), text),
  };
}

function pathsOf({ effects }: Outcome): string[] {
  return effects.map(({ path }) => path).sort();
}

const sandboxes = noSandbox === undefined ? (['off', 'auto'] as const) : (['off'] as const);

test.each(sandboxes)('what the user saves while a command waits stays, sandbox %s', async (sandbox) => {
  await using bench = await openBench(sandbox);
  const { paces, write, text } = bench;
  const running = bench.run(`${paces.pause}; echo b > a.txt`);
  await paces.reached();
  write('user.txt', 'mine');
  await paces.goOn();
  const ran = await running;
  expect(pathsOf(ran)).toEqual(['a.txt']);
  expect(dataOf(ran).notes).toContain(notByIt('user.txt'));
  expect(await bench.bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect([text('a.txt'), text('user.txt')]).toEqual(['a', 'mine']);
});

test('what the user saves while a command computes without writing stays', async () => {
  await using bench = await openBench();
  const { paces, write, text } = bench;
  const compute = `${paces.pause}; while [ ! -e node_modules/done ]; do :; done`;
  const running = bench.run(`echo b > a.txt; ${compute}; echo c > src/b.txt`);
  await paces.reached();
  await paces.goOn();
  await quiet();
  write('user.txt', 'mine, and longer');
  renameSync(join(bench.root, 'user.txt'), join(bench.root, 'renamed.txt'));
  write('user.txt', 'mine, saved anew');
  await quiet();
  write('node_modules/done', '');
  await running;
  expect(await bench.bench.call('undo', {})).toMatchObject({ status: 'completed' });
  expect([text('a.txt'), text('src/b.txt'), text('user.txt')]).toEqual(['a', 'b', 'mine, saved anew']);
});

test('what the user creates meanwhile stays, also in a folder that the command made', async () => {
  await using bench = await openBench();
  const { paces, write, text } = bench;
  const running = bench.run(`mkdir made; echo m > made/m.txt; ${paces.pause}; echo n > made/n.txt`);
  await paces.reached();
  write('made/user.txt', 'mine');
  mkdirSync(join(bench.root, 'own'));
  write('own/new.txt', 'mine');
  await paces.goOn();
  const ran = await running;
  expect(pathsOf(ran)).toEqual(['made', 'made/m.txt', 'made/n.txt']);
  expect(dataOf(ran).notes).toContain(notByIt('made/user.txt, own, own/new.txt'));
  await bench.bench.call('undo', {});
  expect(['made/m.txt', 'made/n.txt'].filter((path) => existsSync(join(bench.root, path)))).toEqual([]);
  expect([text('made/user.txt'), text('own/new.txt')]).toEqual(['mine', 'mine']);
});

test('what the user deletes meanwhile stays deleted, unless undo is given its path', async () => {
  await using bench = await openBench();
  const { paces, text } = bench;
  const running = bench.run(`${paces.pause}; echo b > a.txt`);
  await paces.reached();
  rmSync(join(bench.root, 'src/gone.txt'));
  await paces.goOn();
  const ran = await running;
  expect(ran.effects).toMatchObject([{ path: 'a.txt' }, { path: 'src/gone.txt', uncertain: true }]);
  expect(dataOf(ran).notes).toEqual([
    expect.stringMatching(/^Undo leaves out .*node_modules\.$/),
    'Changed while the command ran; it is unknown by whom. Undo skips it unless you name it: src/gone.txt.',
  ]);
  expect(await bench.bench.call('undo', {})).toMatchObject({
    data: { taken_back: [{ paths: ['a.txt'] }], refused: [{ path: 'src/gone.txt' }] },
  });
  expect([text('a.txt'), existsSync(join(bench.root, 'src/gone.txt'))]).toEqual(['a', false]);
  expect(await bench.bench.call('undo', { paths: ['src/gone.txt'] })).toMatchObject({
    data: { refused: [] },
  });
  expect(text('src/gone.txt')).toBe('g');
});

test('a command that writes many files in bursts is undone whole, but for what the user did in a pause', async () => {
  await using bench = await openBench();
  const { paces, write, text } = bench;
  const burst = (n: number): string =>
    `for i in $(seq 60); do echo ${n} > src/f$i; cat src/f$i src/f1 > src/g${n}-$i; done`;
  const running = bench.run(
    `${burst(1)}; ${paces.pause}; ${burst(2)}; ${paces.pause}; rm src/g1-*; ${burst(3)}`,
  );
  await paces.reached();
  write('src/b.txt', 'mine');
  write('src/f1', 'written over by the next burst');
  await paces.goOn();
  await paces.reached();
  write('src/g2-7', 'mine, and last');
  await paces.goOn();
  const ran = await running;
  expect(dataOf(ran).notes).toContain(notByIt('src/b.txt, src/g2-7'));
  expect(await bench.bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  const remaining = readdirSync(join(bench.root, 'src')).sort();
  expect(remaining).toEqual(['b.txt', 'g2-7', 'gone.txt']);
  expect([text('src/b.txt'), text('src/g2-7')]).toEqual(['mine', 'mine, and last']);
});

test.each(['is cancelled', 'runs out of time'])('when the command %s, the same is known', async (variant) => {
  await using bench = await openBench();
  const { paces, write, text } = bench;
  const cancel = new AbortController();
  const options = variant === 'is cancelled' ? {} : { timeout_ms: 3000 };
  const running = bench.run(`echo b > a.txt; ${paces.pause}; echo c > src/b.txt`, options, cancel.signal);
  await paces.reached();
  write('user.txt', 'mine');
  await quiet();
  if (variant === 'is cancelled') cancel.abort();
  expect(pathsOf(await running)).toEqual(['a.txt']);
  await bench.bench.call('undo', {});
  expect([text('a.txt'), text('user.txt')]).toEqual(['a', 'mine']);
});

test('of two commands at once each has its own', async () => {
  await using bench = await openBench();
  const other = pacesIn(bench.root, 'other');
  const first = bench.run(`${bench.paces.pause}; echo b > a.txt; ${bench.paces.pause}`);
  await bench.paces.reached();
  const second = bench.run(`echo c > src/b.txt; ${other.pause}; echo d > user.txt`);
  await other.reached();
  await bench.paces.goOn();
  await bench.paces.reached();
  await other.goOn();
  expect(pathsOf(await second)).toEqual(['src/b.txt', 'user.txt']);
  await bench.paces.goOn();
  expect(pathsOf(await first)).toEqual(['a.txt']);
});

describe('what is not known to be the command’s', () => {
  const blind = (): ReturnType<typeof scratchFolder> => scratchFolder({ files });

  test('is left by undo with a reason, and taken back by its path', async () => {
    using scratch = blind();
    await using bench = commandBench({ ...scratch, isBlind: true });
    await bench.sh('echo b > a.txt; mkdir -p new; echo n > new/n.txt');
    const reason = expect.stringContaining('it is unknown who changed it; to undo it anyway, give its path');
    expect(await bench.call('undo', { call_id: 'call_1' })).toMatchObject({
      status: 'failed',
      error: { details: { refused: ['new/n.txt', 'new', 'a.txt'].map((path) => ({ path, reason })) } },
    });
    expect(await bench.call('undo', { paths: ['a.txt'] })).toMatchObject({ data: { refused: [] } });
    expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('a');
    expect(existsSync(join(scratch.root, 'new/n.txt'))).toBe(true);
    expect(await bench.call('redo')).toMatchObject({ data: { refused: [] } });
    expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('b\n');
  });

  test('is taken back by force, and redone', async () => {
    using scratch = blind();
    await using bench = commandBench({ ...scratch, isBlind: true });
    const before = worktreeState(scratch.root);
    await bench.sh('echo b > a.txt; mkdir -p new; echo n > new/n.txt; chmod 700 src');
    const after = worktreeState(scratch.root);
    expect(await bench.call('undo', { force: true })).toMatchObject({ data: { refused: [] } });
    expect(worktreeState(scratch.root)).toEqual(before);
    expect(await bench.call('redo')).toMatchObject({ data: { refused: [] } });
    expect(worktreeState(scratch.root)).toEqual(after);
  });

  test('does not stand in the way of the call before it', async () => {
    using scratch = blind();
    await using bench = commandBench({ ...scratch, isBlind: true });
    await bench.call('write_file', { path: 'src/b.txt', content: 'edited' });
    await bench.sh('echo b > a.txt');
    expect(await bench.call('undo')).toMatchObject({ data: { taken_back: [{ call_id: 'call_1' }] } });
    expect(readFileSync(join(scratch.root, 'src/b.txt'), 'utf8')).toBe('b');
    expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('b\n');
  });
});
