/**
 * `npm run simulate`: gateways over simulated servers, network and clocks. Prints the cost of sessions, the duration of failover, and the
 * first exhausted resource; exits with 1 and the seed when a law was broken. docs/scale-out.md describes the simulation.
 * Flags: --seed N, --runs N (that many seeds), --nodes N, --sessions N, --minutes M, --turns N, --lease SECONDS, --every SECONDS between
 * faults, --faults all|none|kill,pause,partition,one-way,leader,server,restart, --broken no-fence|no-order, --measure (unit costs, on real
 * servers).
 */
import { parseArgs } from 'node:util';
import { costPerSession, indexBytes, limitsOf, measuredCosts, part } from './report.ts';
import { simulate } from './simulate.ts';
import { allFaults, type Fault, type Options, type World } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '3' },
    sessions: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '5' },
    turns: { type: 'string', default: '2' },
    lease: { type: 'string', default: '6' },
    every: { type: 'string', default: '20' },
    faults: { type: 'string', default: 'all' },
    broken: { type: 'string' },
    measure: { type: 'boolean', default: false },
  },
});
const number = (
  name: 'seed' | 'runs' | 'nodes' | 'sessions' | 'minutes' | 'turns' | 'lease' | 'every',
): number => {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} takes a number, not ${values[name]}.`);
  return value;
};

if (values.measure) {
  const { measureUnitCosts } = await import('./unit-costs.ts');
  console.log(await measureUnitCosts());
} else process.exitCode = (await runAll()) ? 0 : 1;

async function runAll(): Promise<boolean> {
  const failovers: number[] = [];
  let broken = 0;
  for (let seed = number('seed'); seed < number('seed') + number('runs'); seed++) {
    const start = performance.now();
    const world = await simulate({ ...readFlags(), seed });
    failovers.push(...world.failovers);
    if (world.laws.broken.length > 0) broken++;
    printResult(world, performance.now() - start);
  }
  if (number('runs') > 1)
    console.log(`\n${values.runs} seeds, ${broken} with a broken law; ${failoverText(failovers)}`);
  return broken === 0;
}

function readFlags(): Partial<Options> {
  const faults =
    values.faults === 'all' ? allFaults : values.faults === 'none' ? [] : values.faults.split(',');
  for (const fault of faults)
    if (!allFaults.includes(fault as Fault))
      throw new Error(`--faults takes ${allFaults.join(', ')}, all or none.`);
  if (values.broken !== undefined && values.broken !== 'no-fence' && values.broken !== 'no-order')
    throw new Error('--broken takes no-fence or no-order.');
  return {
    nodes: number('nodes'),
    sessions: number('sessions'),
    minutes: number('minutes'),
    turns: number('turns'),
    leaseMs: number('lease') * 1000,
    everyMs: number('every') * 1000,
    faults: faults as Fault[],
    broken: values.broken,
  };
}

function printResult(world: World, tookMs: number): void {
  const { laws, options, scheduler, server, failovers, counts } = world;
  const { run, unknown } = laws.calls();
  console.log(
    `seed ${options.seed}: ${(scheduler.now / 1000).toFixed(0)} s simulated in ${(tookMs / 1000).toFixed(1)} s, ${scheduler.events} events; ` +
      `${run} calls run, ${unknown} of them ended as unknown; ${server.counts.leaderChanges} leader changes; ${failoverText(failovers)}`,
  );
  console.log(
    `most memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB, processor time ${(process.cpuUsage().user / 1e6).toFixed(0)} s, so far`,
  );
  for (const law of laws.broken.slice(0, 20)) console.log(`BROKEN  ${law}`);
  if (laws.broken.length > 0)
    console.log(`seed ${options.seed}, the last events:\n${laws.recent.join('\n')}`);
  if (number('runs') > 1 || laws.broken.length > 0) return;
  const faults = Object.entries(counts.faults).map(([code, count]) => `${count} ${code}`);
  console.log(
    `requests sent again ${counts.retries}; faults reported by gateways: ${faults.join(', ') || 'none'}`,
  );
  printCost(world);
}

function printCost(world: World): void {
  const { options, server } = world;
  const seconds = options.minutes * 60;
  const { appends, leases = 0, nodes = 0 } = { ...server.store.counts, ...server.buckets.counts.writes };
  const cost = costPerSession(world);
  const parts = Object.entries(cost).map(
    ([name, value]) => `${name} ${value.toFixed(name === 'bytes' ? 0 : 2)}`,
  );
  console.log(
    `\nat the servers, per second: ${(appends / seconds).toFixed(1)} appends, ${(leases / seconds).toFixed(1)} leases taken or handed back, ${(nodes / seconds).toFixed(1)} signs of life`,
  );
  console.log(`for each session of ${options.turns} turns: ${parts.join(', ')}`);
  console.log(`memory of the index in each gateway: ${indexBytes(world).toFixed(0)} bytes for each session`);
  const limits = limitsOf(options.nodes, cost, measuredCosts).map(
    ({ subject, perSecond }) => `${perSecond.toFixed(0)} (${subject})`,
  );
  console.log(
    `\nwith ${options.nodes} gateways, a core for each of them and for each of three servers, so many sessions can begin in a second:`,
  );
  console.log(`${limits.join(', ')}; the first is used up first`);
}

function failoverText(failovers: readonly number[]): string {
  if (failovers.length === 0) return 'no failover';
  const seconds = (share: number): string => `${(part(failovers, share) / 1000).toFixed(1)} s`;
  return `failover of ${failovers.length} sessions: median ${seconds(0.5)}, 99 of 100 ${seconds(0.99)}, lease ${values.lease} s`;
}
