// No command gets a key of ours, whatever stands in our own environment.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataOf, processBench } from './support/process-bench.ts';

const keys = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'CODELAB_TOKEN', 'CODELAB_JWT_SECRET'],
  ...[
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'DATABASE_URL',
    'SSH_AUTH_SOCK',
  ],
];
const value = 'a-key-of-ours';

beforeEach(() => {
  for (const key of keys) process.env[key] = value;
});
afterEach(() => {
  for (const key of keys) delete process.env[key];
});

test.each(['off', 'auto'] as const)('not a command, with the sandbox %s', async (sandbox) => {
  await using bench = await processBench({ sandbox });
  const line = 'env; printenv; set; export -p; cat /proc/self/environ';
  const { stdout } = dataOf(await bench.bench.call('run_command', { command: line }));
  expect(stdout).toContain('HOME=');
  expect(stdout).not.toContain(value);
});

test.each([true, false])('not a process that goes on (terminal: %s)', async (pty) => {
  await using bench = await processBench({ sandbox: 'off' });
  const command = 'env; echo ready; exec cat';
  await bench.bench.call('run_persistent', { process_id: 'p', command, pty, ready_pattern: 'ready' });
  const { output } = dataOf(await bench.bench.call('read_process', { process_id: 'p' }));
  expect(output).toContain('HOME=');
  expect(output).not.toContain(value);
});
