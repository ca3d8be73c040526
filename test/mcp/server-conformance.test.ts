// The protocol's own conformance suite against our server, with the diagnostic tools that it calls by name: every scenario of every revision
// it knows, and what the revisions require.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createAuth } from '../../apps/server/src/edge/auth/create-auth.ts';
import { type HttpBench, httpBench } from '../support/http-bench.ts';
import { conformanceOffer } from '../support/mcp-conformance/conformance-offer.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

type Check = { id: string; status: string; errorMessage?: string };

const root = join(import.meta.dirname, '../..');
const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** No revision requires these scenarios; docs/mcp-server.md says why they do not pass. */
const exceptions = [
  'http-custom-header-server-validation',
  'tasks-capability-negotiation',
  'tasks-dispatch-and-envelope',
  'tasks-lifecycle',
  'tasks-mrtr-composition',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-request-state-removal',
  'tasks-required-task-error',
  'tasks-status-notifications',
  'tasks-wire-fields',
];

/** The number of scenarios in each suite, so that none is left out unnoticed. */
const suites = { '2025-03-26': 1, '2025-06-18': 27, '2025-11-25': 33, '2026-07-28': 40 };
const required = { '2025-11-25': 30, '2026-07-28': 37 };

test.each(Object.entries(suites))(
  '%s: every scenario but the exceptions is passed',
  async (version, count) => {
    await using bench = await openBench();
    const { results } = await run(bench, ['--suite', 'all', '--spec-version', version]);
    expect(results.size).toBe(count);
    expect(failed(results)).toEqual([]);
    expect(bench.faults).toEqual([]);
  },
);

test.each(Object.entries(required))(
  '%s: all that the revision requires is passed',
  async (version, count) => {
    await using bench = await openBench();
    const { results, exitCode } = await run(bench, ['--requirements', version]);
    expect(exitCode).toBe(0);
    expect([...results].filter(([name]) => isRequired(version, name))).toHaveLength(count);
    expect(failed(results)).toEqual([]);
  },
);

test('every exception is in the docs, and no revision requires it', () => {
  const docs = readFileSync(join(root, 'docs/mcp-server.md'), 'utf8');
  for (const name of exceptions) {
    const family = name.startsWith('tasks-') ? 'tasks-*' : name;
    expect(docs).toContain(`\`${family}\``);
    for (const version of Object.keys(required)) expect(isRequired(version, name)).toBe(false);
  }
});

async function openBench(): Promise<HttpBench> {
  // The suite brings no token; names and origins are looked at as ever.
  const { checkOrigin } = createAuth({ operator: 'tester' });
  const admit = async () => ({ subject: 'tester', via: 'http', isOperator: true as const });
  return await httpBench({ auth: { checkOrigin, admit }, mcpExtra: conformanceOffer });
}

async function run(
  { url }: HttpBench,
  words: string[],
): Promise<{ results: Map<string, Check[]>; exitCode: unknown }> {
  using scratch = scratchFolder();
  const args = [program, 'server', '--url', `${url}/mcp`, ...words, '-o', scratch.folder];
  const exitCode = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 27 }).then(
    () => 0,
    ({ code }: { code: unknown }) => code,
  );
  const files = globSync('server-*/checks.json', { cwd: scratch.folder });
  const results = files.map((file): [string, Check[]] => {
    const name = file.replace(/^server-(.+)-\d{4}-\d\d-\d\dT.*$/, '$1');
    return [name, JSON.parse(readFileSync(join(scratch.folder, file), 'utf8')) as Check[]];
  });
  return { results: new Map(results), exitCode };
}

/** Checks that failed without being a listed exception. */
function failed(results: ReadonlyMap<string, Check[]>): [string, Check[]][] {
  return [...results].flatMap(([name, checks]): [string, Check[]][] => {
    const failures = checks.filter(({ status }) => status === 'FAILURE');
    return failures.length === 0 || exceptions.includes(name) ? [] : [[name, failures]];
  });
}

/** By the suite's own list, where what is required stands before what is only run. */
function isRequired(version: string, name: string): boolean {
  const file = join(root, 'node_modules/@modelcontextprotocol/conformance/requirements', `${version}.yaml`);
  const [, list = ''] = readFileSync(file, 'utf8').split(/^server:$/m);
  const [serverPart = ''] = list.split(/^client:$/m);
  return serverPart.split('\n').includes(`  - ${name}`);
}
