// The cost of a hover through a call, against a bare client in the same run. The bare client has a separate server, started in the same way
// but without a sandbox; both have the same file open.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { hoverAt } from '../packages/runtime/src/lsp/look-up.ts';
import { bareClient, configureServer } from './lsp/bare-client.ts';
import { firstAnswers } from './lsp/first-answers.ts';
import { costs, costsInARow } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
const hovers = 200;

type Subject = {
  name: string;
  language: string;
  id: string;
  file: string;
  text: string;
  argv: [string, ...string[]];
};

const lines = (line: (i: number) => string): string =>
  Array.from({ length: 400 }, (_, i) => line(i)).join('\n');

const subjects: Subject[] = [
  {
    name: 'TypeScript',
    language: 'ts',
    id: 'typescript',
    file: 'a.ts',
    text: lines((i) => `export function name${i}(value: number): string { return String(value + ${i}); }`),
    argv: [join(bin, 'tsc'), '--lsp', '--stdio'],
  },
  {
    name: 'Python (pyright)',
    language: 'py',
    id: 'python',
    file: 'a.py',
    text: lines((i) => `def name${i}(value: int) -> str: return str(value + ${i})`),
    argv: [join(bin, 'pyright-langserver'), '--stdio'],
  },
];

export async function lspCost(): Promise<Row[]> {
  const rows = await firstAnswers();
  for (const subject of subjects) rows.push(...(await hoverCost(subject)));
  return rows;
}

async function hoverCost({ name, language, id, file, text, argv }: Subject): Promise<Row[]> {
  using place = scratch();
  writeFileSync(join(place.root, file), text);
  configureServer(place.home, language, argv);
  await using composed = await compose({ workspace: place.root, home: place.home, env: {} });
  const plainClient = bareClient(argv, place);
  await plainClient.open(join(place.root, file), id, text);
  let calls = 0;
  const character = text.indexOf('name0');
  const ours = async (): Promise<void> => {
    const call = { id: `h${calls}`, session: 'bench', tool: 'lsp_hover', dialect: 'codelab' as const };
    const outcome = await runCall(composed.host, {
      ...call,
      args: { path: file, line: calls++ % 400, character },
    });
    if (outcome.status !== 'completed' || outcome.data.ok !== true) throw new Error(JSON.stringify(outcome));
  };
  let requests = 0;
  const theirs = async (): Promise<void> =>
    void (await plainClient.hover(join(place.root, file), requests++ % 400, character));
  const question = async (): Promise<void> => {
    const place = { line: requests++ % 400, character };
    await inspect(composed.host, { session: 'bench' }, (context) => hoverAt(file, place, context));
  };
  // Each server has seen every place once, so both answer from their caches.
  for (let i = 0; i < 400; i++) await Promise.all([ours(), theirs()]);
  const alternating = await costs([question, ours, theirs], hovers);
  const inARow = await costsInARow([question, ours, theirs], { runs: hovers, blocks: 5 });
  await plainClient.end();
  return [
    ...rowsOf(
      `hover, ${name}: the same places again, from the server's cache, alternating with the bare client`,
      alternating.map(({ ms }) => ms),
    ),
    ...rowsOf(`hover, ${name}: the same places again, ${hovers} in a row`, inARow),
  ];
}

function rowsOf(label: string, [question = 0, recorded = 0, bare = 0]: number[]): Row[] {
  const row = (name: string, ms: number): Row => ({
    name,
    ours: `${ms.toFixed(2)} ms`,
    baseline: `bare client ${bare.toFixed(2)} ms`,
    ratio: ms / bare,
    goal: 2,
  });
  return [row(`${label}: only the question`, question), row('the same as recorded calls', recorded)];
}
