// No command gets a key of ours, whatever stands in our own environment.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { dataOf, processBench } from '../support/process-bench.ts';
import { backends, plantFile } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { workbench } from '../support/workbench.ts';

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

test.each(backends)(
  'a toolchain is found by its variable, read-only, in what runs unasked (%s)',
  async (backend) => {
    using scratch = scratchFolder();
    plantFile(join(scratch.folder, 'jdk/release'), 'version 21\n');
    process.env.JAVA_HOME = join(scratch.folder, 'jdk');
    forceSandbox(backend);
    try {
      await using bench = await workbench({ mode: 'review' });
      const command = `python3 -c 'import os; h = os.environ["JAVA_HOME"]; print(open(h + "/release").read(), end=""); open(h + "/new", "w")'`;
      const { stdout, stderr } = dataOf(await bench.call('run_command', { command }));
      expect(stdout).toBe('version 21\n');
      expect(stderr).toContain('Read-only file system');
    } finally {
      forceSandbox(undefined);
      delete process.env.JAVA_HOME;
    }
  },
);
