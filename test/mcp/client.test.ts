// The tools of a real MCP server, over pipes and over HTTP, through the whole way of a call.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApprovalRequest, Outcome } from '@codelab/protocol';
import { createRegistry, listForeign } from '@codelab/runtime';
import { setTrust } from '@codelab/server';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { mcpBench, peer } from '../support/mcp-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const everything = { command: process.execPath, args: [program, 'stdio'] };
const soon = (): AbortSignal => AbortSignal.timeout(20_000);

function dataOf(outcome: Outcome): Record<string, unknown> {
  return outcome.status === 'completed' ? outcome.data : { failed: outcome.error };
}

async function namesOf(bench: Workbench): Promise<string[]> {
  return ((await bench.host.foreign?.list(soon())) ?? []).map(({ name }) => name);
}

test('a call to a server is asked, run, recorded and told like any other', async () => {
  await using bench = await mcpBench({ servers: { everything } });
  const approvals: ApprovalRequest[] = [];
  bench.human((approval) => {
    approvals.push(approval);
    return { kind: 'approve' };
  });
  const outcome = await bench.call('mcp:everything:echo', { message: 'hello' });
  expect(dataOf(outcome)).toEqual({ text: 'Echo: hello', truncated: false });
  expect(bench.host.foreign?.tell(dataOf(outcome))).toBe('Echo: hello');
  const [approval] = approvals;
  expect(approval?.plan).toMatchObject({
    summary: 'Call echo of the MCP server everything',
    risk: 'high',
    riskReason: 'Only the server knows what it does with a call.',
    touches: [],
    notes: [
      `The arguments go to the program ${process.execPath}; nothing here can undo what it does with them.`,
      'The server says: Echoes back the input string',
      'It also says (unverified): only reads, destroys nothing, may be repeated, stays by itself.',
    ],
    basis: [{ path: 'tool:mcp:everything:echo', print: expect.stringMatching(/^sha256:/) }],
  });
  const events = (await bench.log.read('s1')).map(({ body }) => body.type);
  expect(events).toEqual([
    'session.opened',
    'call.received',
    'call.planned',
    'approval.requested',
    'approval.decided',
    'call.started',
    'call.finished',
  ]);
  expect(await bench.call('mcp:everything:echo', { message: 'hello' }, { id: 'call_1' })).toEqual(outcome);
});

test('texts come as they are, pictures by type and size, structured content as data', async () => {
  await using bench = await mcpBench({ servers: { everything } });
  bench.human(approveAll);
  const image = await bench.call('mcp:everything:get-tiny-image', {});
  expect(dataOf(image).text).toContain('[image image/png, 4033 bytes]');
  const weather = dataOf(await bench.call('mcp:everything:get-structured-content', { location: 'Chicago' }));
  expect(weather.structured).toEqual(JSON.parse(weather.text as string));
  const link = await bench.call('mcp:everything:get-resource-links', { count: 1 });
  expect(dataOf(link).text).toMatch(/\[demo:\/\/\S+ .*\]/);
});

test('every mode asks, a rule about the server allows, and what a profile hides is not even started', async () => {
  for (const mode of ['strict', 'balanced', 'trusted'] as const) {
    await using bench = await mcpBench({ servers: { peer: peer() }, mode });
    const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab' });
    const { verdict } = await registry.approvalRequest('mcp:peer:pay', {});
    expect([mode, verdict.verdict, verdict.risk]).toEqual([mode, 'ask', 'high']);
  }
  const rule = { id: 'peer', effect: 'allow', reason: 'Mine.', tool: 'mcp:peer:*' };
  await using bench = await mcpBench({
    servers: { peer: peer(), other: peer() },
    config: { policy: { rules: [rule] } },
    limits: { approvalMs: 1 },
  });
  expect(codeOf(await bench.call('mcp:peer:pay', {}))).toBe('completed');
  expect(codeOf(await bench.call('mcp:other:pay', {}))).toBe('APPROVAL_EXPIRED');
  const roles = await bench.host.profiles.find('plan');
  expect(await listForeign(bench.host, roles, soon())).toEqual([]);
  expect(codeOf(await bench.call('mcp:peer:pay', {}, { profile: 'plan' }))).toBe('TOOL_NOT_FOUND');
});

test('the list names each tool with its schema, and stays the same value while nothing changes', async () => {
  await using bench = await mcpBench({ servers: { everything, peer: peer() } });
  const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab' });
  expect(registry.definitions().some(({ name }) => name.startsWith('mcp:'))).toBe(false);
  const tools = await bench.host.foreign?.list(soon());
  expect(tools).toBe(await bench.host.foreign?.list(soon()));
  expect(bench.host.foreign?.problems()).toEqual([]);
  const echo = tools?.find(({ name }) => name === 'mcp:everything:echo');
  expect(echo?.jsonSchema).toMatchObject({ type: 'object', required: ['message'] });
  expect(tools?.some(({ name }) => name === 'mcp:peer:pay')).toBe(true);
  expect(codeOf(await bench.call('mcp:everything:echo', {}))).toBe('INVALID_ARGUMENTS');
  expect(codeOf(await bench.call('mcp:everything:none', {}))).toBe('TOOL_NOT_FOUND');
  expect(codeOf(await bench.call('mcp:nobody:echo', {}))).toBe('TOOL_NOT_FOUND');
});

test('progress is told while it runs; cancelling and the time limit stop the call, not the server', async () => {
  await using bench = await mcpBench({ servers: { everything } });
  bench.human(approveAll);
  const progressReports: unknown[] = [];
  const stop = new AbortController();
  bench.host.progress.watch('s1', (_call, progress) => {
    progressReports.push(progress);
    stop.abort();
  });
  const name = 'mcp:everything:trigger-long-running-operation';
  const cancelled = await bench.call(name, { duration: 60, steps: 300 }, { signal: stop.signal });
  expect(codeOf(cancelled)).toBe('CANCELLED');
  expect(progressReports).toEqual([{ text: '1 of 300', truncated: false }]);
  const timedOut = await bench.call(name, { duration: 60, steps: 1 }, { timeoutMs: 300 });
  expect([timedOut.status, codeOf(timedOut)]).toEqual(['timed_out', 'TIMEOUT']);
  expect(dataOf(await bench.call('mcp:everything:echo', { message: 'still here' })).text).toBe(
    'Echo: still here',
  );
});

test('a program gets a short environment and what its configuration says, nothing else of ours', async () => {
  process.env.CODELAB_TEST_TOKEN = 'from the user';
  const server = { ...everything, env: { GIVEN: 'yes' } };
  await using bench = await mcpBench({ servers: { everything: server } });
  bench.human(approveAll);
  const env = JSON.parse(dataOf(await bench.call('mcp:everything:get-env', {})).text as string);
  expect(env).toMatchObject({ GIVEN: 'yes', TERM: 'dumb' });
  expect(env.CODELAB_TEST_TOKEN).toBeUndefined();
  delete process.env.CODELAB_TEST_TOKEN;
});

test('over HTTP it is the same, and a server that is gone is said to be', async () => {
  const port = await freePort();
  const server = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    for await (const text of server.stderr.setEncoding('utf8')) if (`${text}`.includes('listening')) break;
    server.stderr.on('error', () => undefined);
    const url = `http://127.0.0.1:${port}/mcp?key=secret-in-query`;
    await using bench = await mcpBench({
      servers: { web: { url, headers: { 'X-Key': 'secret-in-header' } } },
    });
    const notes: string[] = [];
    bench.human((approval) => {
      notes.push(...approval.plan.notes);
      return { kind: 'approve' };
    });
    expect(await namesOf(bench)).toContain('mcp:web:echo');
    expect(dataOf(await bench.call('mcp:web:echo', { message: 'hello' })).text).toBe('Echo: hello');
    expect(notes[0]).toContain(`http://127.0.0.1:${port}/mcp;`);
    server.kill('SIGKILL');
    await once(server, 'exit');
    const afterClose = await bench.call('mcp:web:echo', { message: 'hello' });
    expect(afterClose).toMatchObject({
      error: { code: 'EXECUTION_FAILED', message: expect.stringContaining('web') },
    });
    expect(JSON.stringify(await bench.log.read('s1'))).not.toContain('secret-in');
  } finally {
    server.kill('SIGKILL');
  }
});

test('a workspace names servers, but they count only once it is trusted; the user’s own keep their names', async () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.root, '.codelab'));
  const servers = { peer: peer('broken'), theirs: peer() };
  writeFileSync(join(scratch.root, '.codelab/config.json'), JSON.stringify({ mcp: { servers } }));
  {
    await using bench = await workbench({ folder: scratch.folder });
    expect(bench.host.foreign).toBeUndefined();
    expect(codeOf(await bench.call('mcp:theirs:pay', {}))).toBe('TOOL_NOT_FOUND');
  }
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ mcp: { servers: { peer: peer() } } }));
  await setTrust(
    scratch.home,
    scratch.root,
    readFileSync(join(scratch.root, '.codelab/config.json'), 'utf8'),
  );
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  expect(codeOf(await bench.call('mcp:theirs:pay', {}, { id: 'trusted' }))).toBe('completed');
  expect(codeOf(await bench.call('mcp:peer:pay', {}))).toBe('completed');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
