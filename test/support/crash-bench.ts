// Runs one call in a separate process, kills it at an exact system call, and checks the rest: the old tree or the new one, one outcome per
// call id, and a log that verifies.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect } from 'vitest';
import { approveAll, type Workbench, workbench } from './workbench.ts';

/** Killed on entering the n-th system call of a kind, by strace, so every point is exact. */
export type Point = { call: string; nth: number };

export type CrashCase = {
  name: string;
  files: Record<string, string>;
  tool: string;
  args: Record<string, unknown>;
  points: Point[];
  prepare?(root: string): void;
  /** An outside change between the kill and the next start. */
  meanwhile?(root: string): void;
  /** The allowed states of the workspace afterwards. */
  old: Record<string, string>;
  new: Record<string, string>;
};

export const hasStrace = spawnable('strace');

/** A folder for the runs, with the program to be killed. */
export type CrashBench = Disposable & { scratch: string; script: string; env: NodeJS.ProcessEnv };

export function crashBench(): CrashBench {
  const scratch = mkdtempSync(join(tmpdir(), 'codelab-crash-'));
  const script = join(scratch, 'one-call.mjs');
  const entry = join(import.meta.dirname, 'one-call.ts');
  const options = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  } as const;
  buildSync({ entryPoints: [entry], outfile: script, ...options });
  const env = { ...process.env, NODE_COMPILE_CACHE: join(scratch, 'compiled') };
  // A killed process writes no cache, so one runs to its end first.
  const call = { id: 'it', tool: 'list_files', args: {} };
  const warm = JSON.stringify({ folder: join(scratch, 'warm'), call });
  if (spawnSync(process.execPath, [script, warm], { env }).status !== 0) throw new Error('one-call failed');
  return { scratch, script, env, [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }) };
}

/** Returns whether the point was reached. */
export async function killedAt(program: CrashBench, crashCase: CrashCase, point: Point): Promise<boolean> {
  const { scratch } = program;
  const folder = mkdtempSync(join(scratch, 'run-'));
  {
    // The session exists before, so that the log writes that follow are those of the call.
    await using bench = await workbench({ folder, files: crashCase.files });
    crashCase.prepare?.(bench.root);
    await bench.call('list_files', {}, { id: 'before' });
  }
  const label = `${crashCase.name} at ${point.call} ${point.nth}`;
  const wasKilled = await runAndKill(program, folder, crashCase, point);
  crashCase.meanwhile?.(join(folder, 'work'));
  await using bench = await workbench({ folder });
  const found = tree(bench.root);
  const isOld = JSON.stringify(found) === JSON.stringify(crashCase.old);
  expect(found, label).toEqual(isOld ? crashCase.old : crashCase.new);
  await checkOutcome(bench, crashCase, label, isOld);
  expect(bench.log.verify(), label).toBeUndefined();
  return wasKilled;
}

/** The same call again: it runs now if it had not started, and never a second time. */
async function checkOutcome(
  bench: Workbench,
  crashCase: CrashCase,
  label: string,
  wasOld: boolean,
): Promise<void> {
  const before = await bench.log.read('s1');
  const hadStarted = before.some(({ body }) => body.type === 'call.started' && body.callId === 'it');
  bench.human(approveAll);
  const outcome = await bench.call(crashCase.tool, crashCase.args, { id: 'it' });
  if (hadStarted) {
    expect(outcome.status === 'completed' || outcome.error.code === 'OUTCOME_UNKNOWN', label).toBe(true);
    expect(tree(bench.root), label).toEqual(wasOld ? crashCase.old : crashCase.new);
  } else {
    expect(outcome, label).toMatchObject({ status: 'completed' });
    expect(tree(bench.root), label).toEqual(crashCase.new);
  }
  const types = (await bench.log.read('s1'))
    .filter(({ body }) => 'callId' in body && body.callId === 'it')
    .map(({ body }) => body.type);
  expect(
    types.filter((type) => type === 'call.finished'),
    label,
  ).toHaveLength(1);
  expect(
    types.filter((type) => type === 'call.started'),
    label,
  ).toHaveLength(1);
  expect(await bench.call(crashCase.tool, crashCase.args, { id: 'it' }), label).toEqual(outcome);
}

async function runAndKill(
  { script, env }: CrashBench,
  folder: string,
  crashCase: CrashCase,
  point: Point,
): Promise<boolean> {
  const order = JSON.stringify({ folder, call: { id: 'it', tool: crashCase.tool, args: crashCase.args } });
  // Node makes the folder of its cache before anything of ours runs.
  const nth = point.call === 'mkdir' ? point.nth + 1 : point.nth;
  const inject = `inject=${point.call}:signal=KILL:when=${nth}`;
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
  const child = spawn('strace', traced, { stdio: ['ignore', 'ignore', 'pipe'], env });
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
