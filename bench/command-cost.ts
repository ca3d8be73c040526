// The cost that plan, rule, log, process group and bounded output add to a command, against a bare spawn from Node.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { findSandbox, forceSandbox } from '../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { type Cost, costRow, costs } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const outputBytes = 50_000_000;
const mostGrowthMb = 30;

export async function commandCost(): Promise<Row[]> {
  using place = scratch();
  writeFileSync(join(place.root, 'big.txt'), `${'x'.repeat(99)}\n`.repeat(outputBytes / 100));
  return [
    costRow('run_command true, whole pipeline', bareName, await pipelineCosts(place, 'off'), 1.8),
    ...(await sandboxRows(place)),
    ...(await tracedRows(place)),
    ...(await outputRows(place)),
  ];
}

async function sandboxRows(place: Scratch): Promise<Row[]> {
  const rows: Row[] = [];
  for (const backend of ['bubblewrap', 'util-linux'] as const) {
    forceSandbox(backend);
    if (findSandbox().sandbox === backend)
      rows.push(costRow(`the same, held by ${backend}`, bareName, await pipelineCosts(place, 'auto'), 4));
  }
  forceSandbox(undefined);
  return rows;
}

/** The cost of tracing each file that a sandboxed command opens for writing; in a folder that undo skips. */
async function tracedRows(place: Scratch): Promise<Row[]> {
  mkdirSync(join(place.root, 'node_modules'), { recursive: true });
  const script = 'for (let i = 0; i < 10000; i++) fs.writeFileSync("node_modules/f" + i, "x")';
  const commands = [
    { name: 'a command that writes one file', command: 'echo > node_modules/f', rounds: 100, goal: 1.3 },
    { name: 'one that writes 10,000 files', command: `node -e '${script}'`, rounds: 5, goal: 3 },
  ];
  const rows: Row[] = [];
  await using runner = await openRunner(place, 'auto', 'trusted');
  for (const { name, command, rounds, goal } of commands) {
    const untraced = async (): Promise<void> => {
      process.env.CODELAB_WITHOUT = 'trace';
      await runner.run(command);
      delete process.env.CODELAB_WITHOUT;
    };
    const both = await costs([() => runner.run(command), untraced], rounds);
    rows.push(costRow(`${name}, traced`, 'not traced', both, goal));
  }
  return rows;
}

const bareName = 'spawn sh -c true';

async function pipelineCosts(place: Scratch, sandbox: 'off' | 'auto'): Promise<Cost[]> {
  await using runner = await openRunner(place, sandbox);
  return await costs([() => runner.run('true'), () => spawnOnly(place, 'true')], 200);
}

async function outputRows(place: Scratch): Promise<Row[]> {
  await using runner = await openRunner(place, 'off');
  await runner.run('true');
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  let printed = await runner.run('cat big.txt');
  clearInterval(sampling);
  const growth = Math.max(peak, process.memoryUsage.rss()) - before;
  // Removed between the rounds, so that the disk is not busy with the previous one.
  const clear = (): void => rmSync(printed ?? '', { force: true });
  const print = async (): Promise<void> => {
    printed = await runner.run('cat big.txt');
  };
  const printing = await costs([print, () => spawnOnly(place, 'cat big.txt')], 20, clear);
  const grownMb = growth / 1e6;
  return [
    costRow('a command that prints 50 MB', 'Node counting the bytes', printing, 1.1),
    {
      name: 'memory growth while it prints',
      ours: `${grownMb.toFixed(0)} MB`,
      baseline: `limit ${mostGrowthMb} MB`,
      ratio: grownMb / mostGrowthMb,
      goal: 1,
    },
  ];
}

type Runner = AsyncDisposable & {
  /** Returns the file with the output that did not fit. */
  run(command: string): Promise<string | undefined>;
};

async function openRunner(
  { root, folder }: Scratch,
  sandbox: 'off' | 'auto',
  mode: 'balanced' | 'trusted' = 'balanced',
): Promise<Runner> {
  const home = join(folder, `home-${sandbox}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ sandbox }));
  const composed = await compose({ workspace: root, home, env: {}, mode });
  const session = `bench-${process.hrtime.bigint()}`;
  let calls = 0;
  return {
    async run(command) {
      const call = { id: `c${calls++}`, session, tool: 'run_command', args: { command } };
      const outcome = await runCall(composed.host, { ...call, dialect: 'codelab' });
      if (outcome.status !== 'completed') throw new Error(outcome.error.message);
      return outcome.data.output_file as string | undefined;
    },
    [Symbol.asyncDispose]: () => composed[Symbol.asyncDispose](),
  };
}

/** Returns how many bytes it printed. */
function spawnOnly({ root }: Scratch, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', () => resolve(bytes));
  });
}
