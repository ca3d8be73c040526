// The example programs run as their README says, and print what they are about.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { natsProgram } from '../support/nats-servers.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const programs = join(import.meta.dirname, '../../examples/programs');

const printed: Record<string, string[]> = {
  'check-policy.ts': ['allow (default:execute): Only reads.', 'deny (git-internals)', 'allow (allow-src)'],
  'embed-runtime.ts': [
    'asked: Create hello.txt',
    'undo: completed',
    'read_file: failed "File not found: hello.txt"',
  ],
  'gateway-client.ts': ['approving: Create notes/today.md', 'call.finished'],
  'new-dialect.ts': [
    '{"done":"1","result":{"file":"a.txt","bytes":6}}',
    '"failed":"2"',
    'save: `file` is missing',
  ],
  'new-tool.ts': ['poem.txt: completed {"path":"poem.txt","lines":3}', '../secret.txt: failed'],
};

test.for(Object.entries(printed))('%s', async ([name, texts]) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(programs, name)]);
  for (const text of texts) expect(stdout).toContain(text);
  expect(stderr).toBe('');
});

test('every example is run', () => {
  const names = readdirSync(programs).filter(
    (name) => name.endsWith('.ts') && name !== 'temporary-workspace.ts',
  );
  expect(names.sort()).toEqual(Object.keys(printed));
});

test.skipIf(natsProgram === undefined)(
  'the cluster starts with one command, takes a call and ends as a whole',
  {
    timeout: 60_000,
  },
  async () => {
    using scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
    const examples = join(import.meta.dirname, '../../examples/cluster');
    const port = 20_000 + (process.pid % 300) * 100;
    const state = join(scratch.folder, 'cluster');
    mkdirSync(state);
    const child = spawn(join(examples, 'start.sh'), [scratch.root], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...{
          PORT: String(port),
          CODELAB_CLUSTER_DIR: state,
          NODE: process.execPath,
          NATS_SERVER: natsProgram,
        },
        CODELAB: join(import.meta.dirname, '../../apps/cli/bin/codelab.js'),
      },
    });
    const ended = once(child, 'exit');
    const output = await new Promise<string>((resolve) => {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('Ready:')) resolve(text);
      });
      child.once('exit', () => resolve(text));
    });
    expect(output).toContain(`http://127.0.0.1:${port}`);
    const headers = {
      authorization: `Bearer ${readFileSync(join(state, 'token'), 'utf8')}`,
      'content-type': 'application/json',
    };
    const post = async (path: string, body: object) => {
      const url = `http://127.0.0.1:${port}/api/v1/sessions${path}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, unknown>;
    };
    const { session_id } = await post('', {});
    const call = { tool: 'read_file', args: { path: 'a.txt' } };
    expect(await post(`/${session_id}/calls`, call)).toMatchObject({ outcome: { status: 'completed' } });
    child.kill('SIGTERM');
    await ended;
    for (const at of [0, 1, 2, 3, 11, 12, 13])
      await expect(fetch(`http://127.0.0.1:${port + at}`), `port ${at}`).rejects.toThrow();
  },
);
