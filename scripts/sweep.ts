/**
 * `npm run sweep`: kills a call of every changing tool at every system call that changes anything, lets an event happen, starts again and
 * checks the result. With --faults system calls fail instead; with --chaos hosts make random calls side by side. docs/reliability.md lists
 * the checks.
 * Flags: --faults, --chaos --minutes M, --sample N, --seed S, --jobs J, --only CASE/CALL/NTH/EVENT (any part may be `*`), --list, --resume
 * FILE (continues the sweep that wrote the file), --each (kills the call again for every event).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Lane, openLane, prepare, sweepBench } from '../test/support/sweep-bench.ts';
import { type SweepCase, sweepCases } from '../test/support/sweep-cases.ts';
import { runChaos } from '../test/support/sweep-chaos.ts';
import { openChecker } from '../test/support/sweep-checker.ts';
import type { Failure, Result } from '../test/support/sweep-checks.ts';
import { openCompanions } from '../test/support/sweep-companion.ts';
import { canMakeDisks } from '../test/support/sweep-disk.ts';
import { type Item, planFaults, planKills } from '../test/support/sweep-plan.ts';
import { survey } from '../test/support/sweep-points.ts';
import { type Line, openRecord, type SweepRecord } from '../test/support/sweep-record.ts';
import { type Part, parts } from '../test/support/sweep-whole.ts';

const { values } = parseArgs({
  options: {
    faults: { type: 'boolean', default: false },
    chaos: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    resume: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
});

type Done = { item: Item; result: Result };

const [wantedCase = '*', wantedCall = '*', wantedNth = '*', wantedPart = '*'] = values.only?.split('/') ?? [];
const isWhole =
  !(values.faults || values.chaos || values.list || values.each) &&
  values.sample === undefined &&
  [wantedCall, wantedNth].every((flag) => flag === '*') &&
  ['*', ...parts.map(({ name }) => name)].includes(wantedPart) &&
  (await canMakeDisks());
// The disks are mounted in a mount namespace of this process: other programs with a mount namespace would otherwise hold on to
// them.
if (isWhole && process.env.CODELAB_SWEEP === undefined) {
  const args = ['--mount', process.execPath, ...process.argv.slice(1)];
  const child = spawn('unshare', args, {
    stdio: 'inherit',
    env: { ...process.env, CODELAB_SWEEP: 'mounted' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [status] = await once(child, 'close');
  process.exit(status ?? 1);
}

using bench = sweepBench();
// A second one, sent to the whole group, must not end it half-way through.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    bench[Symbol.dispose]();
    process.exit(130);
  });
if (values.chaos) await runChaosFor(Number(values.minutes));
else if (isWhole) await sweepStates();
else await sweep();

async function sweepStates(): Promise<void> {
  const started = performance.now();
  let doneCount = 0;
  const record = openRecord(values.resume, ({ name, events }) => {
    for (const [event, failures] of Object.entries(events))
      for (const failure of failures) printFailure(name, event, failure);
    if (++doneCount % 100 === 0) console.log(`${summary(record.lines)}, ${seconds(started)} s`);
  });
  if (record.lines.length > 0) console.log(`Done before: ${summary(record.lines)}`);
  const cases = sweepCases.filter(({ name }) => wantedCase === '*' || wantedCase.split(',').includes(name));
  const wantedParts = parts.filter(({ name }) => wantedPart === '*' || wantedPart === name);
  const queue = wantedParts.flatMap((part) => cases.map((sweepCase) => ({ part, sweepCase }))).values();
  const lanes = Array.from({ length: Number(values.jobs) }, (_, i) => openLane(bench, i));
  await Promise.all(
    lanes.map(async (lane) => {
      for (const { part, sweepCase } of queue) await sweepPart(lane, sweepCase, part, record);
    }),
  );
  console.log(`${summary(record.lines)}, ${seconds(started)} s`);
  process.exitCode = failedIn(record.lines) === 0 ? 0 : 1;
}

async function sweepPart(lane: Lane, sweepCase: SweepCase, part: Part, record: SweepRecord): Promise<void> {
  const started = performance.now();
  using checker = openChecker(bench.script('sweep-program'));
  await using companions = openCompanions(bench.script('sweep-program'));
  const partLane: Lane = { ...lane, disks: [] };
  await prepare(partLane, sweepCase);
  await part.run({ ...partLane, checker, companions }, await survey(partLane, sweepCase), record);
  const lines = record.lines.filter(({ name }) => name.startsWith(`${sweepCase.name}/`));
  console.log(`${sweepCase.name}: ${summary(lines)}, ${seconds(started)} s`);
}

/** Kills, the states they left, how often an event was tried on a state, and how often that went wrong. */
function summary(lines: readonly Line[]): string {
  const states = lines.filter(({ state, events }) => state !== undefined && Object.keys(events).length > 0);
  const stopped = lines.filter(({ name }) => /\/alive[^/]*$/.test(name));
  const tried = lines.reduce((sum, { events }) => sum + Object.keys(events).length, 0);
  return `${lines.length - stopped.length} kills, ${states.length} states, ${stopped.length} stops, ${tried} tried, ${failedIn(lines)} failed`;
}

function failedIn(lines: readonly Line[]): number {
  return lines.flatMap(({ events }) => Object.values(events)).filter(({ length }) => length > 0).length;
}

function printFailure(name: string, event: string, { class: failureClass, text }: Failure): void {
  const command = `npm run sweep -- --only ${name.split('/').slice(0, 3).join('/')}/${event}`;
  console.log(`FAILED ${failureClass}: ${command}  ${text}`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

async function runChaosFor(minutes: number): Promise<void> {
  const seed = Number(values.seed);
  console.log(`${minutes} minutes, seed ${seed}`);
  const report = await runChaos(bench, { seconds: minutes * 60, seed });
  for (const failure of report.failures) console.log(`FAILED ${failure}`);
  const stalls = Object.entries(report.stallsMs).map(
    ([name, { still, busy }]) => `${name} ${still} ms, of which at work ${busy} ms`,
  );
  console.log(
    `${report.calls} calls, ${report.kills} hosts killed, ${report.restored} of ${report.claims} deletions brought back`,
  );
  console.log(`Longest time the event loop stood still: ${stalls.join('; ')} (goal: 50 ms)`);
  console.log(report.failures.length === 0 ? 'No failures.' : `${report.failures.length} failures`);
  process.exitCode = report.failures.length === 0 ? 0 : 1;
}

async function sweep(): Promise<void> {
  const isEveryFault = values.faults && !values.list && values.sample === undefined;
  using stack = new DisposableStack();
  const lanes = Array.from({ length: Number(values.jobs) }, (_, i) => {
    const lane = openLane(bench, i);
    return isEveryFault ? { ...lane, checker: stack.use(openChecker(bench.script('sweep-program'))) } : lane;
  });
  const choice = {
    seed: Number(values.seed),
    ...(values.sample !== undefined && { sample: Number(values.sample) }),
    ...(values.only !== undefined && { only: values.only }),
  };
  const { surveyed, items } = await (values.faults ? planFaults : planKills)(lanes, choice);
  for (const { case: sweepCase, points, hidden } of surveyed)
    console.log(
      `${sweepCase.name}: ${points.length} points${hidden > 0 ? ` (${hidden} behind others)` : ''}`,
    );
  console.log(`${items.length} combinations, seed ${values.seed}, ${lanes.length} jobs`);
  if (values.list) for (const { name, target } of items) console.log(`${name}  ${target}`);
  else await runAll(lanes, items);
}

/** A failure counts only when separate processes reproduce it, so that the long-running process is not its cause. */
async function runItem(lane: Lane, item: Item): Promise<Result> {
  const result = await item.run(lane);
  if (result.failures.length === 0 || lane.checker === undefined) return result;
  const { checker: _, ...alone } = lane;
  return await item.run(alone);
}

async function runAll(lanes: readonly Lane[], items: readonly Item[]): Promise<void> {
  const finished: Done[] = [];
  const record = openRecord(values.resume, () => undefined);
  if (record.lines.length > 0) console.log(`Done before: ${record.lines.length}`);
  const queue = items.filter(({ name }) => !record.has(name)).values();
  const started = performance.now();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const item of queue) {
        const result = await runItem(lane, item);
        finished.push({ item, result });
        record.add({ name: item.name, wasKilled: result.wasKilled, events: { it: result.failures } });
        for (const { class: name, text } of result.failures)
          console.log(`FAILED ${name}: ${item.command}  ${text}`);
        if (finished.length % 100 === 0) console.log(progress(finished, items.length, started));
      }
    }),
  );
  console.log(progress(finished, items.length, started));
  printTable(finished);
  process.exitCode = finished.some(({ result }) => result.failures.length > 0) ? 1 : 0;
}

function progress(finished: readonly Done[], all: number, started: number): string {
  const failed = finished.filter(({ result }) => result.failures.length > 0).length;
  const killed = finished.filter(({ result }) => result.wasKilled).length;
  const seconds = (performance.now() - started) / 1000;
  const each = ((seconds * 1000) / Math.max(finished.length, 1)).toFixed(0);
  return `${finished.length} of ${all}, ${killed} ended early, ${failed} failed, ${seconds.toFixed(0)} s (${each} ms each)`;
}

/** Failures of each case, grouped by event, then by fault. */
function printTable(finished: readonly Done[]): void {
  const cells = new Map<string, Map<string, number>>();
  const classes = new Map<string, number>();
  for (const { item, result } of finished) {
    const [name = '', , , event = ''] = item.name.split('/');
    const row = cells.get(name) ?? new Map<string, number>();
    cells.set(name, row);
    if (result.failures.length > 0) row.set(event, (row.get(event) ?? 0) + 1);
    for (const failureClass of new Set(result.failures.map((failure) => failure.class)))
      classes.set(failureClass, (classes.get(failureClass) ?? 0) + 1);
  }
  const list = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  for (const [name, row] of cells) console.log(`${name.padEnd(20)}${list(row) || 'fine'}`);
  console.log(list(classes) || 'No failures.');
}
