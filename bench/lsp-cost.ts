// What a hover costs through a call, against the same server asked by a bare client in the same run. The bare client has a server of its
// own, started in the same way but without a sandbox; both have the same file open.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { hoverAt } from '../packages/runtime/src/lsp/look-up.ts';
import { clientCapabilities } from '../packages/runtime/src/lsp/server/live-server.ts';
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
  const rows: Row[] = [];
  for (const subject of subjects) rows.push(...(await hoverCost(subject)));
  return rows;
}

async function hoverCost({ name, language, id, file, text, argv }: Subject): Promise<Row[]> {
  using place = scratch();
  writeFileSync(join(place.root, file), text);
  const [command, ...args] = argv;
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const config = { lsp: { servers: { [language]: { command, args } }, answer_timeout_seconds: 60 } };
  writeFileSync(join(place.home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  await using composed = await compose({ workspace: place.root, home: place.home, env: {} });
  const bare = bareClient(argv, place.root);
  await bare.open(join(place.root, file), id, text);
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
  let asked = 0;
  const theirs = async (): Promise<void> =>
    await bare.hover(join(place.root, file), asked++ % 400, character);
  const question = async (): Promise<void> => {
    const place = { line: asked++ % 400, character };
    await inspect(composed.host, { session: 'bench' }, (context) => hoverAt(file, place, context));
  };
  // Both servers have seen every place once, so that they answer from what they know.
  for (let i = 0; i < 400; i++) await Promise.all([ours(), theirs()]);
  const alternating = await costs([question, ours, theirs], hovers);
  const inARow = await costsInARow([question, ours, theirs], { runs: hovers, blocks: 5 });
  bare.end();
  return [
    ...rowsOf(
      `hover, ${name}, ${hovers}, alternating with the bare client`,
      alternating.map(({ ms }) => ms),
    ),
    ...rowsOf(`hover, ${name}, ${hovers} in a row`, inARow),
  ];
}

function rowsOf(what: string, [question = 0, recorded = 0, bare = 0]: number[]): Row[] {
  const row = (name: string, ms: number): Row => ({
    name,
    ours: `${ms.toFixed(2)} ms`,
    baseline: `bare client ${bare.toFixed(2)} ms`,
    ratio: ms / bare,
    goal: 2,
  });
  return [row(`${what}: only the question`, question), row('the same as recorded calls', recorded)];
}

type Bare = {
  open(path: string, languageId: string, text: string): Promise<void>;
  hover(path: string, line: number, character: number): Promise<void>;
  end(): void;
};

function bareClient([program, ...args]: [string, ...string[]], root: string): Bare {
  const child = spawn(program, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, () => void>();
  let ids = 0;
  listen(child, ({ id, method, params }) => {
    if (method === undefined) waiting.get(Number(id))?.();
    // What it asks for is answered with nothing, once for each thing it asks.
    else if (id !== undefined) send({ id, result: (params?.items ?? []).map(() => null) });
  });
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = (method: string, params: object): Promise<void> => {
    const id = ++ids;
    send({ id, method, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  return {
    async open(path, languageId, text) {
      const rootUri = pathToFileURL(root).href;
      const capabilities = clientCapabilities();
      await request('initialize', { processId: null, rootUri, capabilities });
      send({ method: 'initialized', params: {} });
      const textDocument = { uri: pathToFileURL(path).href, languageId, version: 1, text };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
    },
    async hover(path, line, character) {
      const uri = pathToFileURL(path).href;
      await request('textDocument/hover', { textDocument: { uri }, position: { line, character } });
    },
    end: () => child.kill('SIGKILL'),
  };
}

type Heard = { id?: unknown; method?: string; params?: { items?: unknown[] } };

function listen({ stdout }: ChildProcess, hear: (message: Heard) => void): void {
  let rest = Buffer.alloc(0);
  stdout?.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: *(\d+)/i.exec(rest.toString('latin1', 0, Math.max(0, end)))?.[1],
      );
      if (end === -1 || rest.length < end + 4 + length) return;
      hear(JSON.parse(rest.toString('utf8', end + 4, end + 4 + length)) as Heard);
      rest = rest.subarray(end + 4 + length);
    }
  });
}
