// The agent as a whole process against a baseline: the same work by a plain Node program (agent/floor-agent.mjs), with the same scripted
// model. Ours is the installed command, whatever Node the machine has.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installProgram, userPath } from './agent/installed.ts';
import { type ModelServer, type Step, startModelServer } from './agent/model-server.ts';
import { median, usageOf } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const floorAgent = join(import.meta.dirname, 'agent', 'floor-agent.mjs');

const mostSteps = 120;

type Subject = 'ours' | 'floor';
/** `recorded`: the floor that keeps a record. */
type StepSubject = Subject | 'recorded';
type Bench = { place: Scratch; server: ModelServer; command: string };

/** A separate state folder, whose configuration runs commands without a sandbox. */
const unconfined = { isUnconfined: true };

type How = { isUnconfined?: boolean; mode?: string };

export async function agentCost(): Promise<Row[]> {
  using place = scratch();
  await using server = await startModelServer();
  const bench = { place, server, command: installProgram(place).command };
  prepareFiles(place);
  const end: Step = { text: 'done' };
  const repeat = (count: number, step: (n: number) => Step): Step[] => [
    ...Array.from({ length: count }, (_, n) => step(n)),
    end,
  ];
  // Every call differs: an agent that repeats itself is stopped.
  const read = (n: number): Step => ({ tool: 'read_file', args: { path: `small${n}.txt` } });
  const edit = (n: number): Step => ({
    tool: 'edit_file',
    args: {
      path: 'large.txt',
      old_string: `line ${n * 1000 + 507} of`,
      new_string: `LINE ${n * 1000 + 507} of`,
    },
  });
  const run = (n: number): Step => ({ tool: 'run_command', args: { command: `true ${n}` } });
  const print = (n: number): Step => ({ tool: 'run_command', args: { command: `cat big.txt; true ${n}` } });
  return [
    await startCost(bench),
    await stepCost(bench, 'W2 read a 1 KB file, per step', repeat(40, read), 1.8),
    await stepCost(bench, 'W3 one-line edit of 1 MB, all over the file, per step', repeat(20, edit), 1.5),
    await stepCost(bench, 'W5 run `true`, unsandboxed, per step', repeat(20, run), 1.8, unconfined),
    await stepCost(bench, 'W5 run `true`, sandboxed, per step', repeat(20, run), 4),
    await stepCost(bench, 'W6 print 50 MB, unsandboxed, per step', repeat(6, print), 1.1, unconfined),
    await stepCost(bench, 'W8 run `true` behind an approval, per step', repeat(20, run), 1.8, {
      ...unconfined,
      mode: 'strict',
    }),
    await memoryCost(bench),
    await growthCost(bench, repeat(mostSteps, read)),
  ];
}

function prepareFiles({ root, folder }: Scratch): void {
  mkdirSync(join(folder, 'unconfined'), { recursive: true });
  writeFileSync(join(folder, 'unconfined', 'config.json'), '{"sandbox":"off"}');
  for (let n = 0; n < mostSteps; n++)
    writeFileSync(join(root, `small${n}.txt`), `${'x'.repeat(63)}\n`.repeat(16));
  writeFileSync(join(root, 'big.txt'), `${'x'.repeat(99)}\n`.repeat(500_000));
  const lines = Array.from(
    { length: 21_000 },
    (_, i) => `line ${i} of a file with a megabyte of lines in it ....\n`,
  );
  writeFileSync(join(root, 'large.txt'), lines.join(''));
}

function start(
  { place, server, command }: Bench,
  subject: StepSubject,
  { isUnconfined = false, mode = 'trusted' }: How = {},
): ChildProcess {
  const [program, ...args] =
    subject === 'ours'
      ? ([command, 'run', 'hello', '--model', 'openai/bench', '--mode', mode, '--approve', 'all'] as const)
      : ([process.execPath, floorAgent, 'hello'] as const);
  const home = isUnconfined ? join(place.folder, 'unconfined') : place.home;
  const record = {
    FLOOR_RECORD: join(place.folder, 'floor.db'),
    ...(mode === 'strict' && { FLOOR_APPROVES: '1' }),
  };
  const variables = {
    ...{ CODELAB_HOME: home, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' },
    ...(subject === 'recorded' && record),
  };
  return spawn(program, args, {
    cwd: place.root,
    env: { ...process.env, ...variables, PATH: userPath() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Waits until it has ended. Its output is shown only if it failed. */
async function ended(child: ChildProcess): Promise<void> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${child.spawnargs.slice(1, 3).join(' ')} ended with ${code}:\n${stderr}`);
}

async function startCost(bench: Bench): Promise<Row> {
  const times: Record<Subject, number[]> = { ours: [], floor: [] };
  const cpu: Record<Subject, number> = { ours: 0, floor: 0 };
  for (let round = 0; round < 20; round++)
    for (const subject of ['ours', 'floor'] as const) {
      const started: { child?: ChildProcess } = {};
      const onRequest = (): void => {
        if (round > 1) cpu[subject] += usageOf(started.child?.pid).cpuMs;
      };
      const played = bench.server.play([{ text: 'hi' }], { onRequest });
      const began = performance.now();
      started.child = start(bench, subject);
      await ended(started.child);
      if (round > 1) times[subject].push((played.arrived[0] ?? Number.NaN) - began);
    }
  const name = 'W1 start to the first model request';
  return { ...row(name, median(times.ours), median(times.floor), 1.5), cpuRatio: cpu.ours / cpu.floor };
}

async function stepCost(
  bench: Bench,
  name: string,
  steps: readonly Step[],
  goal: number,
  options: How = {},
): Promise<Row> {
  const gaps: Record<StepSubject, number[]> = { ours: [], floor: [], recorded: [] };
  const cpu: Record<StepSubject, number> = { ours: 0, floor: 0, recorded: 0 };
  for (let round = 0; round < 3; round++)
    for (const subject of ['floor', 'recorded', 'ours'] as const) {
      prepareFiles(bench.place);
      const started: { child?: ChildProcess } = {};
      // Measures only the steps, without the start and the end.
      const onRequest = (n: number): void => {
        if (n === 0) cpu[subject] -= usageOf(started.child?.pid).cpuMs;
        if (n === steps.length - 1) cpu[subject] += usageOf(started.child?.pid).cpuMs;
      };
      const played = bench.server.play(steps, { onRequest });
      started.child = start(bench, subject, options);
      await ended(started.child);
      if (played.arrived.length !== steps.length)
        throw new Error(`${name}: ${subject} made ${played.arrived.length} requests`);
      gaps[subject].push(...played.gaps().slice(2));
    }
  const cost = row(name, median(gaps.ours), median(gaps.floor), goal);
  const recorded = `${median(gaps.recorded).toFixed(2)} ms with a record`;
  return { ...cost, baseline: `${cost.baseline}, ${recorded}`, cpuRatio: cpu.ours / cpu.floor };
}

async function memoryCost(bench: Bench): Promise<Row> {
  const sizes: Record<Subject, number> = { ours: 0, floor: 0 };
  for (const subject of ['ours', 'floor'] as const) {
    const started: { child?: ChildProcess } = {};
    bench.server.play([{ tool: 'read_file', args: { path: 'small0.txt' } }, { text: 'done' }], {
      async onRequest(n) {
        if (n !== 1) return;
        await new Promise((resolve) => setTimeout(resolve, 1500));
        sizes[subject] = usageOf(started.child?.pid).residentMb;
      },
    });
    started.child = start(bench, subject);
    await ended(started.child);
  }
  return {
    name: 'W7 memory while the model thinks',
    ours: `${sizes.ours.toFixed(0)} MB`,
    baseline: `floor ${sizes.floor.toFixed(0)} MB`,
    ratio: sizes.ours / sizes.floor,
    goal: 1.3,
  };
}

/** The baseline's growth is the cost of the request's bytes; ours may not grow more than that. */
async function growthCost(bench: Bench, steps: readonly Step[]): Promise<Row> {
  const growth: Record<Subject, number> = { ours: 0, floor: 0 };
  const growths: string[] = [];
  for (const subject of ['floor', 'ours'] as const) {
    const played = bench.server.play(steps);
    await ended(start(bench, subject));
    const gaps = played.gaps();
    const early = median(gaps.slice(3, 13));
    const lateMedian = median(gaps.slice(-10));
    growth[subject] = lateMedian - early;
    growths.push(`${early.toFixed(2)} → ${lateMedian.toFixed(2)} ms`);
    if (subject === 'ours') growth.floor = early + growth.floor;
    if (subject === 'ours') growth.ours = early + growth.ours;
  }
  return {
    name: 'step 120 against step 5, beyond the floor’s own growth',
    ours: growths[1] ?? '',
    baseline: `floor ${growths[0]}`,
    ratio: growth.ours / growth.floor,
    goal: 1.5,
  };
}

function row(name: string, ours: number, floor: number, goal: number): Row {
  return {
    name,
    ours: `${ours.toFixed(2)} ms`,
    baseline: `floor ${floor.toFixed(2)} ms`,
    ratio: ours / floor,
    goal,
  };
}
