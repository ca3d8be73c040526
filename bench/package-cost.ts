// The program as npm installs it from its tarball: sizes, and the way from the command to the first model request, against the floor.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programPackage } from '../scripts/pack/program.ts';
import { makeTarball } from '../scripts/pack/tarball.ts';
import { type ModelServer, startModelServer } from './agent/model-server.ts';
import { mediansMs } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const root = join(import.meta.dirname, '..');
const floorAgent = join(import.meta.dirname, 'agent', 'floor-agent.mjs');
const rounds = 30;

export async function packageCost(): Promise<Row[]> {
  using place = scratch();
  await using server = await startModelServer();
  const { files } = programPackage(root);
  const tarball = makeTarball(files);
  const command = install(place, tarball);
  const unpacked = files.reduce((sum, { contents }) => sum + contents.length, 0);
  return [
    size('the tarball', tarball.length, 5),
    size('the package, unpacked', unpacked, 20),
    await versionCost(place, command),
    await requestCost(place, server, command),
    await memoryCost(place, server, command),
  ];
}

/** Without a registry: what is not in the tarball is not there. */
function install({ folder }: Scratch, tarball: Buffer): string {
  const file = join(folder, 'codelab.tgz');
  writeFileSync(file, tarball);
  const prefix = join(folder, 'installed');
  const args = [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    file,
  ];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install ended with ${status}:\n${stderr}`);
  return join(prefix, 'bin', 'codelab');
}

function size(name: string, bytes: number, limitMb: number): Row {
  const ratio = bytes / 1e6 / limitMb;
  return { name, ours: `${(bytes / 1e6).toFixed(1)} MB`, baseline: `limit ${limitMb} MB`, ratio, goal: 1 };
}

function environment({ home }: Scratch, server?: ModelServer): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
  const model = server && { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' };
  return { ...process.env, PATH: path, CODELAB_HOME: home, ...model };
}

async function versionCost(place: Scratch, command: string): Promise<Row> {
  const env = environment(place);
  const run = (program: string, args: string[]) => () => spawnSync(program, args, { cwd: place.root, env });
  const [ours = Number.NaN, baseline = Number.NaN] = await mediansMs(
    [run(command, ['--version']), run(process.execPath, ['-e', '0'])],
    rounds,
  );
  return row('installed: codelab --version', ours, `node -e 0 ${baseline.toFixed(1)} ms`, baseline, 2.2);
}

/** From the start of the process until its first request arrives. */
async function requestCost(place: Scratch, server: ModelServer, command: string): Promise<Row> {
  const env = environment(place, server);
  const times = { ours: [] as number[], floor: [] as number[] };
  const subjects = { ours: [command, ...agentArguments], floor: [process.execPath, floorAgent, 'hello'] };
  for (let round = 0; round < rounds; round++)
    for (const subject of ['ours', 'floor'] as const) {
      const [program = '', ...args] = subjects[subject];
      const played = server.play([{ text: 'hi' }]);
      const began = performance.now();
      const [code] = await once(spawn(program, args, { cwd: place.root, env, stdio: 'ignore' }), 'close');
      if (code !== 0) throw new Error(`${program} ended with ${code}`);
      if (round > 2) times[subject].push((played.arrived[0] ?? Number.NaN) - began);
    }
  const [ours, floor] = [median(times.ours), median(times.floor)];
  return row(
    'installed: codelab run to its first model request',
    ours,
    `floor ${floor.toFixed(1)} ms`,
    floor,
    1.5,
  );
}

const agentArguments = ['run', 'hello', '--model', 'openai/bench', '--mode', 'trusted', '--approve', 'all'];

/** All processes that the command started, at the most. */
async function memoryCost(place: Scratch, server: ModelServer, command: string): Promise<Row> {
  server.play([{ text: 'hi' }]);
  const args = ['-f', '%M', command, ...agentArguments];
  const { stderr } = spawnAsync('/usr/bin/time', args, place, server);
  const mb = Number((await stderr).trim().split('\n').at(-1)) / 1024;
  return {
    name: 'installed: codelab run, most memory',
    ours: `${mb.toFixed(0)} MB`,
    baseline: 'limit 110 MB',
    ratio: mb / 110,
    goal: 1,
  };
}

function spawnAsync(
  program: string,
  args: string[],
  place: Scratch,
  server: ModelServer,
): { stderr: Promise<string> } {
  const child = spawn(program, args, {
    cwd: place.root,
    env: environment(place, server),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return {
    stderr: Array.fromAsync(child.stderr, (data: Buffer) => data.toString()).then((parts) => parts.join('')),
  };
}

function row(name: string, ours: number, baseline: string, against: number, goal: number): Row {
  return { name, ours: `${ours.toFixed(1)} ms`, baseline, ratio: ours / against, goal };
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}
