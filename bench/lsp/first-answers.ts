// 200 hovers as a user has them: real source, a different name each time, each place once, so that the server has to work for its answer.
// Every side has a fresh server; the order of the sides changes from round to round.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { liveCpuNs, median } from '../measure.ts';
import type { Row } from '../row.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { bareClient, configureServer } from './bare-client.ts';

const modules = join(import.meta.dirname, '..', '..', 'node_modules');
const bin = join(modules, '.bin');
const hovers = 200;
const rounds = 4;

/** `folder` is copied to the workspace; `file` is the one that is asked about. */
type Source = {
  name: string;
  language: string;
  id: string;
  folder: string;
  file: string;
  isComment: RegExp;
  argv: [string, ...string[]];
};

type Place = { line: number; character: number };

export async function firstAnswers(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const source of sources()) rows.push(await measure(source));
  return rows;
}

function sources(): Source[] {
  const typescript: Source = {
    ...{ name: 'TypeScript, zod', language: 'ts', id: 'typescript' },
    ...{
      folder: join(modules, 'zod', 'src', 'v4'),
      file: 'classic/schemas.ts',
      isComment: /^\s*(\/[/*]|\*)/,
    },
    argv: [join(bin, 'tsc'), '--lsp', '--stdio'],
  };
  const library = outputOf('python3', ['-c', 'import asyncio; print(asyncio.__path__[0])']);
  const python = {
    language: 'py',
    id: 'python',
    folder: library,
    file: 'base_events.py',
    isComment: /^\s*#/,
  };
  const pyright: Source = {
    ...{ name: 'pyright, asyncio', ...python },
    argv: [join(bin, 'pyright-langserver'), '--stdio'],
  };
  const pylsp: Source = { name: 'pylsp, asyncio', ...python, argv: ['pylsp'] };
  if (library === '') return [typescript];
  return outputOf('pylsp', ['--version']) === '' ? [typescript, pyright] : [typescript, pyright, pylsp];
}

function outputOf(program: string, args: string[]): string {
  return spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** For one side: the time of each hover, and the processor time of client and server for all of them. */
type Side = { ms: number[]; cpuNs: number };

async function measure(source: Source): Promise<Row> {
  const places = await answeredPlaces(source);
  const ours: Side = { ms: [], cpuNs: 0 };
  const bare: Side = { ms: [], cpuNs: 0 };
  for (let round = 0; round < rounds; round++) await measureRound(source, places, { ours, bare }, round);
  const [oursMs, bareMs] = [median(ours.ms), median(bare.ms)];
  return {
    name: `hover, ${source.name}: ${hovers} different names, each asked once, as recorded calls`,
    ours: `${oursMs.toFixed(2)} ms`,
    baseline: `bare client ${bareMs.toFixed(2)} ms`,
    ratio: oursMs / bareMs,
    goal: 2,
    cpuRatio: ours.cpuNs / bare.cpuNs,
  };
}

async function measureRound(
  { language, id, file, argv, folder }: Source,
  places: readonly Place[],
  { ours, bare }: { ours: Side; bare: Side },
  round: number,
): Promise<void> {
  using place = workspaceOf(folder, { language, argv });
  const path = join(place.root, file);
  await using composed = await compose({ workspace: place.root, home: place.home, env: {} });
  const client = bareClient(argv, place);
  await client.open(path, id, readFileSync(path, 'utf8'));
  let calls = 0;
  const hoverOurs = async ({ line, character }: Place): Promise<void> => {
    const call = { id: `h${calls++}`, session: 'bench', tool: 'lsp_hover', dialect: 'codelab' as const };
    const outcome = await runCall(composed.host, { ...call, args: { path: file, line, character } });
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  };
  const hoverBare = ({ line, character }: Place): Promise<unknown> => client.hover(path, line, character);
  // The first line of the file is none of the places: the servers start, load the file and check it.
  await Promise.all([hoverOurs({ line: 0, character: 0 }), hoverBare({ line: 0, character: 0 })]);
  await untilIdle();
  const sides = [() => inARow(hoverOurs, places, ours), () => inARow(hoverBare, places, bare)];
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side();
  await client.end();
}

async function inARow(
  request: (place: Place) => Promise<unknown>,
  places: readonly Place[],
  side: Side,
): Promise<void> {
  // The other side's server is idle meanwhile, so that all the processor time is this side's.
  const before = liveCpuNs(process.pid);
  for (const place of places) {
    const start = performance.now();
    await request(place);
    side.ms.push(performance.now() - start);
  }
  side.cpuNs += liveCpuNs(process.pid) - before;
}

/** The first names of the file at which the server has something to say, found with a server that is not used again. */
async function answeredPlaces({ folder, language, file, id, isComment, argv }: Source): Promise<Place[]> {
  using place = workspaceOf(folder, { language, argv });
  const path = join(place.root, file);
  const text = readFileSync(path, 'utf8');
  const bare = bareClient(argv, place);
  await bare.open(path, id, text);
  const found: Place[] = [];
  for (const { line, character } of namesIn(text, isComment)) {
    if (found.length === hovers) break;
    if (isAnswer(await bare.hover(path, line, character))) found.push({ line, character });
  }
  await bare.end();
  if (found.length < hovers) throw new Error(`${basename(file)} has only ${found.length} names.`);
  return found;
}

function namesIn(text: string, isComment: RegExp): Place[] {
  const known = new Set<string>();
  return text.split('\n').flatMap((content, line) =>
    line === 0 || isComment.test(content)
      ? []
      : [...content.matchAll(/[A-Za-z_]\w*/g)].flatMap(({ 0: name, index: character }) => {
          if (known.has(name)) return [];
          known.add(name);
          return [{ line, character }];
        }),
  );
}

function isAnswer(answer: unknown): boolean {
  const contents = (answer as { contents?: string | { value?: string } } | null)?.contents;
  return (typeof contents === 'string' ? contents : (contents?.value ?? '')) !== '';
}

/** All servers have nothing left to do. */
async function untilIdle(): Promise<void> {
  const idleNs = 10e6;
  for (let before = 0; ; ) {
    const now = liveCpuNs(process.pid, { isWhole: false });
    if (now - before < idleNs) return;
    before = now;
    await wait(1000);
  }
}

function workspaceOf(folder: string, { language, argv }: Pick<Source, 'language' | 'argv'>): Scratch {
  const place = scratch();
  for (const name of readdirSync(folder))
    if (name !== '__pycache__') cpSync(join(folder, name), join(place.root, name), { recursive: true });
  configureServer(place.home, language, argv);
  return place;
}
