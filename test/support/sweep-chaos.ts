// Two hosts on one home and one workspace, and a third one that is killed repeatedly, all making random calls; from time to time all
// promises are checked.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from './random.ts';
import { keysOf, type Lane, openLane, type SweepBench, start } from './sweep-bench.ts';
import type { ChaosFact, Claim } from './sweep-chaos-fact.ts';
import { isTemp, readTree } from './sweep-tree.ts';

export type ChaosReport = {
  failures: string[];
  calls: number;
  kills: number;
  claims: number;
  restored: number;
  stallsMs: Record<string, { still: number; busy: number }>;
};

type Chaos = ChaosReport & {
  lane: Lane;
  open: Claim[];
  sets: { folder: string; count: number }[];
  /** Distinguishes a check in between from the one at the end. */
  looks: number;
};

const mostRestored = 300;

export async function runChaos(
  bench: SweepBench,
  options: { seconds: number; seed: number },
): Promise<ChaosReport> {
  const lane = openLane(bench, 99);
  const counts = { calls: 0, kills: 0, claims: 0, restored: 0, looks: 0 };
  const chaos: Chaos = { failures: [], ...counts, stallsMs: {}, lane, open: [], sets: [] };
  layOut(lane);
  const random = createRandom(options.seed);
  const until = performance.now() + options.seconds * 1000;
  const hosts = ['a', 'b'].map((name) => spawnHost(chaos, name, random.below(1e9)));
  await Promise.all([killAgainAndAgain(), lookNowAndThen()]);
  for (const host of hosts) host.child.stdin?.end();
  for (const { name, ended } of hosts) {
    const code = await ended;
    if (code !== 0) chaos.failures.push(`host ${name} ended with ${code}`);
  }
  await lookAtEnd(chaos);
  const { lane: _lane, open: _open, sets: _sets, looks: _looks, ...report } = chaos;
  return report;

  async function killAgainAndAgain(): Promise<void> {
    for (let i = 0; performance.now() < until; i++) {
      const host = spawnHost(chaos, `c${i}`, random.below(1e9));
      await wait(Math.min(400 + random.below(1500), Math.max(until - performance.now(), 0)));
      host.child.kill('SIGKILL');
      const code = await host.ended;
      if (code !== 'SIGKILL') chaos.failures.push(`host c${i} ended by itself with ${code}`);
      chaos.kills++;
    }
  }

  async function lookNowAndThen(): Promise<void> {
    while (performance.now() < until - 2000) {
      await wait(Math.min(5000, options.seconds * 300));
      await checkClaims(chaos, 10);
    }
  }
}

function layOut({ root, home }: Lane): void {
  for (const path of [home, ...['long', 'shared', 'gone', 'sets'].map((name) => join(root, name))])
    mkdirSync(path, { recursive: true });
  for (const n of [0, 1, 2])
    writeFileSync(join(root, `long/${n}.txt`), `${n} of the long texts\n`.repeat(3000));
}

type Running = { name: string; child: ChildProcess; ended: Promise<number | string> };

function spawnHost(chaos: Chaos, name: string, seed: number): Running {
  const { bench, folder } = chaos.lane;
  const order = JSON.stringify({ folder, name, seed });
  const env = {
    PATH: process.env.PATH,
    CODELAB_KEYS: keysOf({ folder }),
    NODE_COMPILE_CACHE: join(bench.scratch, 'compiled'),
  };
  const child = spawn(process.execPath, [bench.script('sweep-chaos-host'), order], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += String(text);
  });
  createInterface({ input: child.stdout }).on('line', (line) => hear(chaos, name, line));
  const ended = once(child, 'close').then(([code, signal]) => {
    if (output !== '') chaos.failures.push(`host ${name} said: ${output.slice(0, 500)}`);
    return signal ?? code;
  });
  return { name, child, ended };
}

function hear(chaos: Chaos, name: string, line: string): void {
  // The last line of one that was killed may be cut.
  if (!line.endsWith('}')) return;
  const fact = JSON.parse(line) as ChaosFact;
  if (fact.type === 'claim') {
    chaos.claims++;
    chaos.open.push(fact);
  } else if (fact.type === 'set') chaos.sets.push(fact);
  else if (fact.type === 'odd') chaos.failures.push(`host ${name}: ${fact.text}`);
  else {
    chaos.calls += fact.calls;
    chaos.stallsMs[name] = { still: fact.stallMs, busy: fact.busyMs };
  }
}

/** The log verifies, a start works, and some deleted files can be restored. */
async function checkClaims(chaos: Chaos, maxClaims: number): Promise<void> {
  const { lane, failures } = chaos;
  const claims = chaos.open.splice(0, maxClaims);
  const session = `look-${chaos.looks++}`;
  const undo = ({ session: claimSession, callId, path }: Claim, i: number) => ({
    tool: 'undo',
    args: { session: claimSession, call_id: callId, paths: [path] },
    id: `look_${i}`,
    session,
  });
  try {
    const { outcomes, damage } = await start(lane, claims.map(undo));
    if (damage !== undefined) failures.push(`the log is damaged: ${JSON.stringify(damage)}`);
    for (const [i, claim] of claims.entries()) {
      const wrong = Object.entries(claim.files).filter(([path, text]) => textAt(lane, path) !== text);
      if (wrong.length === 0) chaos.restored++;
      else failures.push(`not brought back: ${claim.path} ${JSON.stringify(outcomes[i]).slice(0, 300)}`);
    }
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
}

async function lookAtEnd(chaos: Chaos): Promise<void> {
  const { lane, failures } = chaos;
  for (let remaining = mostRestored; remaining > 0 && chaos.open.length > 0; remaining -= 10)
    await checkClaims(chaos, 10);
  await checkClaims(chaos, 0);
  const tree = readTree(lane.root);
  const temps = Object.keys(tree).filter(isTemp);
  if (temps.length > 0) failures.push(`left in the workspace: ${temps.slice(0, 5).join(', ')}`);
  for (const { folder, count } of chaos.sets) {
    const path = join(lane.root, folder);
    const files = existsSync(path)
      ? readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith('.txt'))
      : [];
    if (files.length !== 0 && files.length !== count)
      failures.push(`${folder}: ${files.length} of ${count} files`);
  }
  for (const [path, state] of Object.entries(tree))
    if (path.startsWith('shared/') && !/^file \d+ \[[^[\]]*\]\n$/.test(state)) failures.push(`torn: ${path}`);
}

function textAt({ root }: Lane, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}
