import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveAll, type Workbench, workbench } from './support/workbench.ts';

// Where the process is killed: on entering the n-th system call of a kind, by strace, so every point is exact.
// `pwrite64` and `fsync` of the main thread are the log's: requested, decided, started, finished.
type Point = { call: string; nth: number };

const logWrites: Point[] = Array.from({ length: 13 }, (_, i) => ({ call: 'pwrite64', nth: 1 + 3 * i }));
const logSyncs: Point[] = [1, 2, 3, 4, 5, 6].map((nth) => ({ call: 'fsync', nth }));

type Case = {
  name: string;
  files: Record<string, string>;
  tool: string;
  args: Record<string, unknown>;
  points: Point[];
  prepare?(root: string): void;
  /** What the workspace may look like afterwards. */
  old: Record<string, string>;
  new: Record<string, string>;
};

const at = (...calls: string[]): Point[] => calls.map((call) => ({ call, nth: 1 }));

const cases: Case[] = [
  {
    name: 'overwriting a file',
    files: { 'a.txt': 'old\n' },
    tool: 'write_file',
    args: { path: 'a.txt', content: 'new\n' },
    points: [...logWrites, ...logSyncs, ...at('fchmod', 'rename')],
    old: { 'a.txt': 'old\n' },
    new: { 'a.txt': 'new\n' },
  },
  {
    name: 'creating a file in new folders',
    files: { 'b.txt': 'b' },
    tool: 'write_file',
    args: { path: 'x/y/a.txt', content: 'new\n' },
    points: [
      ...at('link', 'unlink'),
      { call: 'mkdir', nth: 3 },
      { call: 'mkdir', nth: 4 },
      { call: 'mkdir', nth: 5 },
      { call: 'fsync', nth: 5 },
    ],
    old: { 'b.txt': 'b' },
    new: { 'b.txt': 'b', 'x/y/a.txt': 'new\n' },
  },
  {
    name: 'rewriting a file with two names',
    files: { 'a.txt': 'old\n' },
    prepare: (root) => linkSync(join(root, 'a.txt'), join(root, 'b.txt')),
    tool: 'write_file',
    args: { path: 'a.txt', content: 'n\n' },
    points: [
      ...at('rename', 'ftruncate'),
      { call: 'ftruncate', nth: 2 },
      ...at('unlink'),
      { call: 'fsync', nth: 5 },
    ],
    old: { 'a.txt': 'old\n', 'b.txt': 'old\n' },
    new: { 'a.txt': 'n\n', 'b.txt': 'n\n' },
  },
  {
    name: 'deleting a folder',
    files: { 'd/a.txt': 'a', 'd/e/b.txt': 'b', 'c.txt': 'c' },
    tool: 'delete_file',
    args: { path: 'd', recursive: true },
    points: [...at('rename'), { call: 'fsync', nth: 4 }, { call: 'fsync', nth: 5 }],
    old: { 'c.txt': 'c', 'd/a.txt': 'a', 'd/e/b.txt': 'b' },
    new: { 'c.txt': 'c' },
  },
  {
    name: 'moving a file',
    files: { 'a.txt': 'a' },
    tool: 'move_file',
    args: { from: 'a.txt', to: 'n/b.txt' },
    points: [...at('link', 'unlink'), { call: 'fsync', nth: 5 }],
    old: { 'a.txt': 'a' },
    new: { 'n/b.txt': 'a' },
  },
];

let script: string;
let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-crash-'));
  script = join(scratch, 'one-call.mjs');
  const entry = join(import.meta.dirname, 'support', 'one-call.ts');
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outfile: script,
    logLevel: 'error',
  });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const hasStrace = spawnable('strace');

describe.skipIf(!hasStrace)('killed with SIGKILL', () => {
  for (const one of cases) {
    test.concurrent(`${one.name}, at ${one.points.length} points: old or new, one outcome, a log that verifies`, async () => {
      let killed = 0;
      for (const point of one.points) if (await killedAt(one, point)) killed++;
      // A point that is never reached would prove nothing.
      expect(killed).toBe(one.points.length);
    }, 120_000);
  }
});

async function killedAt(one: Case, point: Point): Promise<boolean> {
  const folder = mkdtempSync(join(scratch, 'run-'));
  {
    // The session exists before, so that the log writes that follow are those of the call.
    await using bench = await workbench({ folder, files: one.files });
    one.prepare?.(bench.root);
    await bench.call('list_files', {}, { id: 'before' });
  }
  const where = `${one.name} at ${point.call} ${point.nth}`;
  const wasKilled = await runAndKill(folder, one, point);
  await using bench = await workbench({ folder });
  const found = tree(bench.root);
  const isOld = JSON.stringify(found) === JSON.stringify(one.old);
  expect(found, where).toEqual(isOld ? one.old : one.new);
  await checkOutcome(bench, one, where, isOld);
  expect(bench.log.verify(), where).toBeUndefined();
  return wasKilled;
}

/** The same call again: it runs now if it had not started, and never a second time. */
async function checkOutcome(bench: Workbench, one: Case, where: string, wasOld: boolean): Promise<void> {
  const before = await bench.log.read('s1');
  const hadStarted = before.some(({ body }) => body.type === 'call.started' && body.callId === 'it');
  bench.human(approveAll);
  const outcome = await bench.call(one.tool, one.args, { id: 'it' });
  if (hadStarted) {
    expect(outcome.status === 'completed' || outcome.error.code === 'OUTCOME_UNKNOWN', where).toBe(true);
    expect(tree(bench.root), where).toEqual(wasOld ? one.old : one.new);
  } else {
    expect(outcome, where).toMatchObject({ status: 'completed' });
    expect(tree(bench.root), where).toEqual(one.new);
  }
  const types = (await bench.log.read('s1'))
    .filter(({ body }) => 'callId' in body && body.callId === 'it')
    .map(({ body }) => body.type);
  expect(
    types.filter((type) => type === 'call.finished'),
    where,
  ).toHaveLength(1);
  expect(
    types.filter((type) => type === 'call.started'),
    where,
  ).toHaveLength(1);
  expect(await bench.call(one.tool, one.args, { id: 'it' }), where).toEqual(outcome);
}

async function runAndKill(folder: string, one: Case, point: Point): Promise<boolean> {
  const order = JSON.stringify({ folder, call: { id: 'it', tool: one.tool, args: one.args } });
  const inject = `inject=${point.call}:signal=KILL:when=${point.nth}`;
  const traced = [
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${point.call}`,
    '-e',
    inject,
    process.execPath,
    script,
    order,
  ];
  const child = spawn('strace', traced, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [code, signal] = await once(child, 'exit');
  return code === 137 || signal === 'SIGKILL';
}

/** Every file below, with its content; nothing of ours may be among them. */
function tree(root: string): Record<string, string> {
  const names = (readdirSync(root, { recursive: true }) as string[]).sort();
  const files = names.filter((name) => statSync(join(root, name)).isFile());
  const folders = names.filter(
    (name) => statSync(join(root, name)).isDirectory() && readdirSync(join(root, name)).length === 0,
  );
  return Object.fromEntries([
    ...files.map((name) => [name, readFileSync(join(root, name), 'utf8')]),
    ...folders.map((name) => [`${name}/`, '']),
  ]);
}

function spawnable(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return existsSync('/proc/self');
  } catch {
    return false;
  }
}
