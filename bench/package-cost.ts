// The program as npm installs it from its tarball: its sizes, its shortest command and its memory.
import { spawn, spawnSync } from 'node:child_process';
import { installProgram, userPath } from './agent/installed.ts';
import { type ModelServer, startModelServer } from './agent/model-server.ts';
import { costRow, costs } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const rounds = 30;

export async function packageCost(): Promise<Row[]> {
  using place = scratch();
  await using server = await startModelServer();
  const { command, tarballBytes, unpackedBytes } = installProgram(place);
  return [
    size('the tarball', tarballBytes, 5),
    size('the package, unpacked', unpackedBytes, 20),
    await versionCost(place, command),
    await memoryCost(place, server, command),
  ];
}

function size(name: string, bytes: number, limitMb: number): Row {
  const ratio = bytes / 1e6 / limitMb;
  return { name, ours: `${(bytes / 1e6).toFixed(1)} MB`, baseline: `limit ${limitMb} MB`, ratio, goal: 1 };
}

function environment({ home }: Scratch, server?: ModelServer): NodeJS.ProcessEnv {
  const model = server && { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' };
  return { ...process.env, PATH: userPath(), CODELAB_HOME: home, ...model };
}

async function versionCost(place: Scratch, command: string): Promise<Row> {
  const env = environment(place);
  const run = (program: string, args: string[]) => () => spawnSync(program, args, { cwd: place.root, env });
  const subjects = [run(command, ['--version']), run(process.execPath, ['-e', '0'])];
  return costRow('installed: codelab --version', 'node -e 0', await costs(subjects, rounds), 2.2);
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
