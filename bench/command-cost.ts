// The cost that plan, rule, log, process group and bounded output add to a command, against a bare spawn from Node. The least for it is the
// program that the call starts, with the same arguments, and its record.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { findSandbox, forceSandbox } from '../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { openBareRecord } from './least/bare-record.ts';
import { programNamed, runBare, type Traces, tracesOf } from './least/traces.ts';
import { costRow, costs } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const outputBytes = 50_000_000;
const mostGrowthMb = 30;

export async function commandCost(): Promise<Row[]> {
  using place = scratch();
  writeFileSync(join(place.root, 'big.txt'), `${'x'.repeat(99)}\n`.repeat(outputBytes / 100));
  return [
    ...(await pipelineRows('run_command true, whole pipeline', place, 'off', 1.8)),
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
      rows.push(...(await pipelineRows(`the same, held by ${backend}`, place, 'auto', 4)));
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

async function pipelineRows(
  name: string,
  place: Scratch,
  sandbox: 'off' | 'auto',
  goal: number,
): Promise<Row[]> {
  await using runner = await openRunner(place, sandbox);
  const traces = await runner.traces('true');
  const program = programNamed(traces, 'sh', 'bwrap', 'setpriv', 'unshare');
  const record = openBareRecord(place.folder, traces.bodies);
  const least = async (): Promise<void> => {
    await runBare(program, place.root);
    record.end();
  };
  const [ours, lowest, bare] = await costs(
    [() => runner.run('true'), least, () => spawnOnly(place, 'true')],
    200,
  );
  return [
    costRow(name, bareName, [ours, bare], goal),
    costRow('  least: the same program and arguments, the record', bareName, [lowest, bare]),
  ];
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
  const traces = await runner.traces('cat big.txt');
  const record = openBareRecord(place.folder, traces.bodies);
  const least = async (): Promise<void> => {
    printed = join(place.folder, 'printed.txt');
    await printInto(place, traces, printed);
    record.end();
  };
  const [ours, lowest, bare] = await costs([print, least, () => spawnOnly(place, 'cat big.txt')], 20, clear);
  const against = 'Node counting the bytes';
  const grownMb = growth / 1e6;
  return [
    costRow('a command that prints 50 MB', against, [ours, bare], 1.1),
    costRow('  least: counted, written to a file, the record', against, [lowest, bare]),
    {
      name: 'memory growth while it prints',
      ours: `${grownMb.toFixed(0)} MB`,
      baseline: `limit ${mostGrowthMb} MB`,
      ratio: grownMb / mostGrowthMb,
      goal: 1,
    },
  ];
}

async function printInto({ root }: Scratch, traces: Traces, file: string): Promise<void> {
  const fd = openSync(file, 'wx');
  try {
    await runBare(programNamed(traces, 'sh'), root, (chunk) => writeSync(fd, chunk) >= 0);
  } finally {
    closeSync(fd);
  }
}

type Runner = AsyncDisposable & {
  traces(command: string): Promise<Traces>;
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
  const run = async (command: string): Promise<string | undefined> => {
    const call = { id: `c${calls++}`, session, tool: 'run_command', args: { command } };
    const outcome = await runCall(composed.host, { ...call, dialect: 'codelab' });
    if (outcome.status !== 'completed') throw new Error(outcome.error.message);
    return outcome.data.output_file as string | undefined;
  };
  return {
    run,
    async traces(command) {
      await run(command);
      return await tracesOf(composed.host.log, session, () => run(command));
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
