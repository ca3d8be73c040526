// Shared by the cases of one file: a gateway over a folder that is set up again for each case, a scripted model, and the built command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codelabProgram } from '../support/codelab-program.ts';
import { folderWith } from '../support/folder-with.ts';
import { type Client, type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { newRepository, type RealGit } from '../support/real-git.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;
type Script = Parameters<typeof scriptedModel>[0];
type ScriptedModel = ReturnType<typeof scriptedModel>;

type Ran = { code: number | null; message: Json; lines: Json[]; stderr: string };

export type Stage = AsyncDisposable & {
  gateway: GatewayBench;
  /** The workspace of the gateway and of the command. */
  root: string;
  /** A folder beside it for whatever else a case needs. */
  aside: string;
  /** Empties the workspace and lays out these files. */
  lay(files?: Record<string, string>): void;
  /** The same, committed. */
  repository(files: Record<string, string>): RealGit;
  text(path: string): string;
  /** The model's script from now on. */
  says(script: Script): ScriptedModel;
  newSession(): string;
  socket(dialect: 'codelab' | 'agent', options?: { session?: string; role?: string }): Promise<Client>;
  /** `codelab` with these words, and the JSON lines it prints. */
  codelab(words: readonly string[], options?: { cwd?: string; env?: Record<string, string> }): Promise<Ran>;
};

export async function openStage(): Promise<Stage> {
  let model = scriptedModel([{ text: 'Hello.' }]);
  const current = {
    name: 'scripted',
    contextTokens: 100_000,
    stream: ((request, signal) => model.stream(request, signal)) as ScriptedModel['stream'],
  };
  const gateway = await gatewayBench({ script: current });
  const { root } = gateway;
  const aside = join(dirname(root), 'aside');
  let sessions = 0;
  const newSession = (): string => `case-${++sessions}`;
  function writeFiles(files: Record<string, string> = {}): void {
    for (const folder of [root, aside]) {
      mkdirSync(folder, { recursive: true });
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    folderWith(root, files);
  }
  return {
    gateway,
    root,
    aside,
    lay: writeFiles,
    repository(files) {
      writeFiles(files);
      const git = newRepository(root);
      git('add', '.');
      git('commit', '--quiet', '-m', 'first');
      return git;
    },
    text: (path) => readFileSync(join(root, path), 'utf8'),
    says(script) {
      model = scriptedModel(script);
      return model;
    },
    newSession,
    socket: (dialect, { session = newSession(), role } = {}) =>
      gateway.connect(session, { query: `?dialect=${dialect}${role === undefined ? '' : `&role=${role}`}` }),
    codelab: (words, { cwd = root, env = {} } = {}) =>
      run(words, { cwd, env: { CODELAB_HOME: join(dirname(root), 'command-home'), ...env } }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

async function run(
  words: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  const child = spawn(process.execPath, [codelabProgram, ...words], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json);
  return { code, message: lines.at(-1) ?? { stdout, stderr }, lines, stderr };
}
