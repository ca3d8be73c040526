// The protocol's own conformance suite against our server, both generations of it. What it can't pass is what we do not offer.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createAuth } from '../apps/server/src/http/auth/create-auth.ts';
import { httpBench } from './support/http-bench.ts';
import { scratchFolder } from './support/scratch-folder.ts';

type Check = { status: string; errorMessage?: string };

const program = join(
  import.meta.dirname,
  '..',
  'node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

/** Why a check fails that does not apply to us; anything else is a fault of ours. */
const reasons = [
  // It wants a diagnostic tool of its own, such as test_simple_text.
  /There is no tool "test_\w+" here/,
  /Tool 'json_schema_2020_12_tool' not found/,
  /Not testable: server does not list the diagnostic tool/,
  /Not testable: server exposes no tool with x-mcp-header annotations/,
  // It begins with the answer of such a tool.
  /Prerequisite failed: could not get initial InputRequiredResult/,
  /Expected InputRequiredResult with inputRequests and requestState/,
  // It wants resources, prompts or completions, which we do not have and do not declare.
  /Method not found/,
];

const passed = {
  '2025-06-18': ['logging-set-level', 'ping', 'server-initialize', 'server-session-lifecycle', 'tools-list'],
  '2025-11-25': [
    'dns-rebinding-protection',
    'logging-set-level',
    'ping',
    'server-initialize',
    'server-session-lifecycle',
    'server-sse-multiple-streams',
    'server-sse-polling',
    'tools-list',
  ],
  '2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
};

test.each(Object.entries(passed))('%s: every check that applies is passed', async (version, expected) => {
  // The suite brings no token; names and origins are looked at as ever.
  const { checkOrigin } = createAuth({ operator: 'tester' });
  const admit = async () => ({ subject: 'tester', via: 'http', isOperator: true as const });
  await using bench = await httpBench({ auth: { checkOrigin, admit } });
  using scratch = scratchFolder();
  const words = ['server', '--url', `${bench.url}/mcp`, '--suite', 'all', '--spec-version', version];
  // It ends with 1, since some checks fail.
  await promisify(execFile)(process.execPath, [program, ...words, '-o', scratch.folder]).catch(
    () => undefined,
  );
  const good: string[] = [];
  for (const file of globSync('server-*/checks.json', { cwd: scratch.folder })) {
    const name = file.replace(/^server-(.+)-\d{4}-\d\d-\d\dT.*$/, '$1');
    const checks = JSON.parse(readFileSync(join(scratch.folder, file), 'utf8')) as Check[];
    const failures = checks.filter(({ status }) => status === 'FAILURE');
    const unexplained = failures.filter(
      ({ errorMessage = '' }) => !reasons.some((one) => one.test(errorMessage)),
    );
    expect([name, unexplained]).toEqual([name, []]);
    if (failures.length === 0) good.push(name);
  }
  expect(good.toSorted()).toEqual(expected);
  expect(bench.faults).toEqual([]);
});
