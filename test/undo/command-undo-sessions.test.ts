// Two sessions work in one workspace at once: undo of one leaves what the other one did.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { findTracer } from '../../packages/runtime/src/sandbox/backends/trace-writes.ts';
import { type Paces, pacesIn, quiet } from '../support/paced-command.ts';
import { dataOf, type ProcessBench, processBench } from '../support/process-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const isTracing = noSandbox === undefined && 'path' in findTracer();
const files = { 'a.txt': 'a', 'src/b.txt': 'b', 'user.txt': 'u' };
// Writes without a pause, so that by time alone every change is the command's.
const busy = 'while [ ! -e node_modules/done ]; do echo x > node_modules/busy; done';
const unnamed = (path: string): string =>
  `node -e 'fs.writeFileSync(["${path.split('/').join('","')}"].join("/"), "c")'`;
const pathsOf = ({ effects }: Outcome): string[] => effects.map(({ path }) => path).sort();

type Scene = ProcessBench & {
  paces: Paces;
  second: Workbench;
  /** A command of another session. */
  runOther(command: string): Promise<Outcome>;
  finish(): void;
  text(path: string): string;
};

/** `hosts`: the sessions belong to one process, or each to a host of its own over the same state folder. */
async function openBench(
  hosts: 'one host' | 'two hosts' = 'one host',
  sandbox: 'off' | 'auto' = 'off',
): Promise<Scene> {
  const bench = await processBench({ files, sandbox });
  const second = hosts === 'one host' ? bench.bench : await workbench({ folder: bench.folder });
  second.human(approveAll, 's2');
  return {
    ...bench,
    paces: pacesIn(bench.root),
    second,
    runOther: (command) => second.call('run_command', { command }, { session: 's2', id: 'other' }),
    finish: () => writeFileSync(join(bench.root, 'node_modules/done'), ''),
    text: (path) => readFileSync(join(bench.root, path), 'utf8'),
    async [Symbol.asyncDispose]() {
      if (second !== bench.bench) await second[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

describe.each(['one host', 'two hosts'] as const)('two sessions of %s', (hosts) => {
  test('a file that the words of a running command name is that command’s', async () => {
    await using bench = await openBench(hosts);
    const first = bench.run(`echo b > a.txt; ${busy}`);
    await quiet();
    const other = bench.runOther(`echo c > src/b.txt; echo new > new.txt; ${bench.paces.pause}`);
    await bench.paces.reached();
    bench.finish();
    const ran = await first;
    expect(pathsOf(ran)).toEqual(['a.txt']);
    expect(dataOf(ran).notes).toContain(
      'Changed while the command ran, but not by it, so undo leaves it: new.txt, src/b.txt.',
    );
    await bench.paces.goOn();
    expect(pathsOf(await other)).toEqual(['new.txt', 'src/b.txt']);
    expect((await other).effects.some(({ uncertain }) => uncertain)).toBe(false);
    expect(await bench.bench.call('undo', {})).toMatchObject({ data: { refused: [] } });
    expect([bench.text('a.txt'), bench.text('src/b.txt'), bench.text('new.txt')]).toEqual([
      'a',
      'c\n',
      'new\n',
    ]);
    expect(await bench.second.call('undo', {}, { session: 's2' })).toMatchObject({ data: { refused: [] } });
    expect([bench.text('src/b.txt'), existsSync(join(bench.root, 'new.txt'))]).toEqual(['b', false]);
  });

  test('a file that neither names is uncertain for both, and undo leaves it', async () => {
    await using bench = await openBench(hosts);
    const first = bench.run(`echo b > a.txt; ${busy}`);
    await quiet();
    const other = bench.runOther(`${unnamed('src/b.txt')}; ${bench.paces.pause}`);
    await bench.paces.reached();
    bench.finish();
    const expected = [{ path: 'src/b.txt', uncertain: true }];
    expect((await first).effects).toMatchObject([{ path: 'a.txt' }, ...expected]);
    await bench.paces.goOn();
    expect((await other).effects).toMatchObject(expected);
    expect(await bench.bench.call('undo', {})).toMatchObject({
      data: { taken_back: [{ paths: ['a.txt'] }], refused: [{ path: 'src/b.txt' }] },
    });
    expect([bench.text('a.txt'), bench.text('src/b.txt')]).toEqual(['a', 'c']);
    expect(await bench.bench.call('undo', { paths: ['src/b.txt'] })).toMatchObject({ data: { refused: [] } });
    expect(bench.text('src/b.txt')).toBe('b');
  });
});

test.runIf(isTracing).each(['first', 'second'])(
  'a file that two traced commands wrote is uncertain for both, whoever wrote last, where the %s ends first',
  async (ends) => {
    await using bench = await openBench('one host', 'auto');
    const theirs = pacesIn(bench.root, 'other');
    const first = bench.run(`echo A >> a.txt; ${bench.paces.pause}; echo n > nA`);
    await bench.paces.reached();
    const second = bench.runOther(`echo B >> a.txt; ${theirs.pause}; echo n > nB`);
    await theirs.reached();
    const turns = [
      { paces: bench.paces, ran: first },
      { paces: theirs, ran: second },
    ];
    for (const { paces, ran } of ends === 'first' ? turns : turns.toReversed()) {
      await paces.goOn();
      await ran;
    }
    for (const [ran, own] of [
      [await first, 'nA'],
      [await second, 'nB'],
    ] as const) {
      expect(ran.effects.find(({ path }) => path === 'a.txt')).toMatchObject({ uncertain: true });
      expect(ran.effects.find(({ path }) => path === own)?.uncertain).toBeUndefined();
      expect(dataOf(ran).notes).toContain(
        'Changed while the command ran; it is unknown by whom. Undo skips it unless you name it: a.txt.',
      );
    }
    for (const session of ['s1', 's2'])
      expect(await bench.bench.call('undo', {}, { session })).toMatchObject({
        data: { refused: [{ path: 'a.txt' }] },
      });
    expect(bench.text('a.txt')).toBe('aA\nB\n');
    expect([existsSync(join(bench.root, 'nA')), existsSync(join(bench.root, 'nB'))]).toEqual([false, false]);
  },
);

test('what a running edit of another session announces is that edit’s', async () => {
  await using bench = await openBench();
  const running = bench.run(`echo b > a.txt; ${busy}`);
  await quiet();
  const { session, bodies } = startedEdit(bench);
  await bench.bench.log.append(session, bodies, { expected: 0 });
  writeFileSync(join(bench.root, 'user.txt'), 'edited');
  bench.finish();
  const ran = await running;
  expect(pathsOf(ran)).toEqual(['a.txt']);
  expect(dataOf(ran).notes).toContain(
    'Changed by other calls meanwhile, so undo of this one leaves it: user.txt.',
  );
  await bench.bench.call('undo', {});
  expect([bench.text('a.txt'), bench.text('user.txt')]).toEqual(['a', 'edited']);
});

test('a change from before the other command started is certain', async () => {
  await using bench = await openBench();
  const first = bench.run(`${unnamed('user.txt')}; ${bench.paces.pause}`);
  await bench.paces.reached();
  const other = bench.runOther(`echo c > src/b.txt; ${busy}`);
  await quiet();
  await bench.paces.goOn();
  const ran = await first;
  expect(ran.effects.filter(({ path }) => path === 'user.txt')).toMatchObject([{ path: 'user.txt' }]);
  expect(ran.effects.filter(({ uncertain }) => uncertain)).toEqual([]);
  bench.finish();
  expect(pathsOf(await other)).toEqual(['src/b.txt']);
});

test('calls of one session are told apart by time, as those of a sub-agent are', async () => {
  await using bench = await openBench();
  const other = pacesIn(bench.root, 'other');
  const first = bench.run(`${bench.paces.pause}; ${unnamed('a.txt')}`);
  await bench.paces.reached();
  const second = bench.run(`${other.pause}; echo d > user.txt`);
  await other.reached();
  await bench.paces.goOn();
  expect((await first).effects).toMatchObject([{ path: 'a.txt' }]);
  expect((await first).effects[0]?.uncertain).toBeUndefined();
  await other.goOn();
  expect(pathsOf(await second)).toEqual(['user.txt']);
});

/** The entries of an edit that has started and not ended, as another process writes them. */
function startedEdit({ bench, root }: Scene): { session: string; bodies: EventBody[] } {
  const state = { type: 'file', size: 1, mode: 0o644 } as const;
  const callId = 'edit_1';
  const args = { path: 'user.txt', content: 'edited' };
  const call = { id: callId, session: 's3', dialect: 'codelab', tool: 'write_file', args } as const;
  return {
    session: 's3',
    bodies: [
      { type: 'session.opened', workspace: root },
      { type: 'call.received', call },
      {
        type: 'call.started',
        callId,
        owner: bench.host.owner(),
        args,
        intents: [{ op: 'update', path: 'user.txt', before: state, after: { ...state, size: 6 } }],
        slot: `${Date.now()}-000000000000`,
      },
    ],
  };
}
