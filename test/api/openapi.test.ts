// `/openapi.json` in the hands of strangers: a validator, and a client that a generator made from it.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

type Json = Record<string, unknown>;
type Operation = { operationId: string; responses: Record<string, { content?: Record<string, Json> }> };

const modules = join(import.meta.dirname, '../..', 'node_modules');
const run = promisify(execFile);

async function description(bench: GatewayBench): Promise<Json> {
  return (await (await bench.request('/openapi.json')).json()) as Json;
}

function operationsOf({ paths }: Json): Operation[] {
  return Object.values(paths as Record<string, Record<string, Operation>>).flatMap((operationsOfPath) =>
    Object.values(operationsOfPath),
  );
}

test('a validator of OpenAPI accepts the description', async () => {
  using scratch = scratchFolder();
  await using bench = await gatewayBench({ web: scratch.folder });
  const file = join(scratch.folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(await description(bench)));
  const validator = join(modules, '@seriousme', 'openapi-schema-validator', 'bin', 'validate-api-cli.js');
  const { stdout } = await run(process.execPath, [validator, file]);
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toEqual({ valid: true });
}, 60_000);

test('every operation has a name of its own, an answer and its errors, and every reference leads somewhere', async () => {
  await using bench = await gatewayBench();
  const described = await description(bench);
  const operations = operationsOf(described);
  expect(operations.length).toBeGreaterThan(90);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { operationId, responses } of operations) {
    const good = Object.entries(responses).find(([status]) => status.startsWith('2'));
    const isSaid =
      good?.[0] === '204' || Object.values(good?.[1].content ?? {}).every(({ schema }) => schema);
    expect({ operationId, isSaid }).toEqual({ operationId, isSaid: true });
    expect(good?.[0] === '204' || Object.keys(good?.[1].content ?? {}).length > 0).toBe(true);
    for (const status of ['4XX', '5XX'])
      expect(responses[status]?.content?.['application/json']).toHaveProperty('schema');
  }
  const { schemas } = described.components as { schemas: Json };
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  const missing = references.map(([, name = '']) => name).filter((name) => !(name in schemas));
  expect({ found: references.length > 200, missing }).toEqual({ found: true, missing: [] });
});

test('a gateway describes only what it serves', async () => {
  await using bench = await gatewayBench({ isFileless: true });
  const { paths } = await description(bench);
  expect(paths).not.toHaveProperty('/api/v1/files');
  expect(paths).not.toHaveProperty('/login');
  expect(paths).toHaveProperty('/api/v1/sessions');
});

/** The used part only; the generated types agree, and the compiler compares them. */
const usage = `
import { ApprovalsService, OpenAPI, PluginService, SessionsService, type Session } from './client/index';

export async function work(base: string, token: string): Promise<{ titles: string[]; decided: boolean; status: string }> {
  OpenAPI.BASE = base;
  OpenAPI.TOKEN = token;
  const made: Session = await SessionsService.createSession({ requestBody: { title: 'By a stranger' } });
  const { sessions } = await SessionsService.listSessions({});
  const titles: string[] = sessions.map(({ title }) => title);
  const call = await PluginService.executeTool({
    pid: 'any',
    requestBody: { tool_name: 'write_file', tool_params: { path: 'made.txt', content: 'by hand' }, session_id: made.id },
  });
  const { pending_approvals: [first] } = await ApprovalsService.listPendingApprovals();
  if (first === undefined) throw new Error('Nothing waits.');
  const { decided } = await ApprovalsService.decideApproval({
    id: first.session,
    requestBody: { approval_id: first.id, decision: { kind: 'approve' } },
  });
  for (;;) {
    const { status } = await PluginService.getToolCall({ pid: 'any', tid: call.tool_id, sessionId: made.id });
    if (status !== 'awaiting_approval' && status !== 'approved' && status !== 'executing') return { titles, decided, status };
  }
}
`;

test('a client that a generator makes of it compiles, lists sessions and decides an approval', async () => {
  using scratch = scratchFolder();
  const { folder } = scratch;
  await using bench = await gatewayBench();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(await description(bench)));
  const generator = join(modules, 'openapi-typescript-codegen', 'bin', 'index.js');
  const generatorArgs = [
    '--input',
    'openapi.json',
    '--output',
    'client',
    '--client',
    'fetch',
    '--useOptions',
  ];
  await run(process.execPath, [generator, ...generatorArgs], { cwd: folder });
  writeFileSync(join(folder, 'use.ts'), usage);
  const strict = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'preserve',
    '--lib',
    'es2022,dom',
  ];
  const compiler = join(modules, 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, ...strict, '--types', '', 'use.ts'], { cwd: folder });
  const outfile = join(folder, 'use.mjs');
  await build({ entryPoints: [join(folder, 'use.ts')], outfile, bundle: true, format: 'esm' });
  const { work } = (await import(pathToFileURL(outfile).href)) as {
    work(base: string, token: string): Promise<unknown>;
  };
  expect(await work(bench.running.url, bench.running.token)).toEqual({
    titles: ['By a stranger'],
    decided: true,
    status: 'completed',
  });
  expect(readFileSync(join(bench.root, 'made.txt'), 'utf8')).toBe('by hand');
}, 60_000);
