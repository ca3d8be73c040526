// `codelab approvals`: questions of a running gateway, seen and answered from another terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { testLogEnv } from '../support/test-log.ts';

function start({ root, home }: GatewayBench, ...args: string[]) {
  return spawn(process.execPath, [codelabProgram, 'approvals', ...args], {
    cwd: root,
    env: { ...process.env, CODELAB_HOME: home, NO_COLOR: '1', ...testLogEnv(home) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function approvals(bench: GatewayBench, ...args: string[]) {
  const child = start(bench, ...args);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

const writing = (id: string, path: string) => ({
  type: 'tool_call',
  tool_name: 'write_file',
  call_id: id,
  args: { path, content: 'x' },
});

test('what waits is listed, approved and rejected from another terminal', { timeout: 60_000 }, async () => {
  await using bench = await gatewayBench();
  expect(await approvals(bench, 'list')).toMatchObject({
    code: 0,
    stdout: 'Nothing is waiting for a decision.\n',
  });
  const client = await bench.connect('s1');
  client.send(writing('c1', 'a.txt'));
  const { approval_id } = await client.next('tool_call');
  client.send(writing('c2', 'b.txt'));
  await client.next('tool_call');
  const listing = JSON.parse((await approvals(bench, 'list', '--json')).stdout) as { approvals: object[] };
  expect(listing.approvals).toMatchObject([{ id: approval_id, callId: 'c1' }, { callId: 'c2' }]);
  expect(await approvals(bench, 'approve', String(approval_id))).toMatchObject({ code: 0, stderr: '' });
  expect(await client.next('tool_result')).toMatchObject({ call_id: 'c1', result: { success: true } });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('x');
  expect(await approvals(bench, 'reject', 'c2', '--feedback', 'not now')).toMatchObject({ code: 0 });
  expect(await client.next('tool_result')).toMatchObject({
    call_id: 'c2',
    error: { code: 'REJECTED', message: expect.stringContaining('not now') },
  });
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  expect(await approvals(bench, 'approve', 'c2')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('APPROVAL_NOT_FOUND'),
  });
  expect(await approvals(bench, 'approve', 'c2', '--hunks', 'x')).toMatchObject({ code: 1 });
});

test('watch shows a question when it is asked', { timeout: 60_000 }, async () => {
  await using bench = await gatewayBench();
  const child = start(bench, 'watch');
  const client = await bench.connect('s1');
  client.send(writing('c1', 'a.txt'));
  const { approval_id } = await client.next('tool_call');
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes(`approve ${String(approval_id)}`)) break;
  }
  expect(text).toContain('a.txt');
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(130);
});

test('what another process does in a session is heard at its sockets', { timeout: 60_000 }, async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one' } });
  const client = await bench.connect('s1');
  await client.next('session_info');
  const child = spawn(
    process.execPath,
    [codelabProgram, 'tool', 'read_file', '{"path":"a.txt"}', '--session', 's1'],
    {
      cwd: bench.root,
      env: { ...process.env, CODELAB_HOME: bench.home, ...testLogEnv(bench.home) },
      stdio: 'ignore',
    },
  );
  expect(await client.next('tool_result')).toMatchObject({ result: { content: 'one' } });
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
});
