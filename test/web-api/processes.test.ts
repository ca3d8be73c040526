import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type WebBench, webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;

const echo = { command: 'echo ready; exec cat', process_id: 'dev', ready_pattern: 'ready' };

async function readUntil(
  web: WebBench,
  expected: string,
  cursor = 0,
): Promise<{ output: string; cursor: number }> {
  let output = '';
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await web.ask('GET', `/processes/dev/output?cursor=${cursor}`);
    output += String(body.output);
    cursor = Number(body.cursor);
    if (output.includes(expected)) return { output, cursor };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`it never printed ${expected}, only ${output}`);
}

describe('long-running processes', () => {
  test('are listed, read by cursor, written to, stopped and started again', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.call(session, 'run_persistent', echo);
    const { body } = await web.ask('GET', '/processes');
    expect(body).toMatchObject({
      processes: [{ process_id: 'dev', status: 'running', exit_code: null, command: echo.command, session }],
      commands: [],
    });
    const { cursor } = await readUntil(web, 'ready\n');
    expect((await web.ask('POST', '/processes/dev/input', { input: 'hello\n' })).body).toEqual({
      process_id: 'dev',
      bytes: 6,
    });
    expect((await readUntil(web, 'hello\n', cursor)).output).toBe('hello\n');
    const [{ pid } = {}] = body.processes as Json[];
    const restarted = await web.ask('POST', '/processes/dev/restart');
    expect(restarted.body).toMatchObject({ process_id: 'dev', status: 'running', ready: true });
    expect(restarted.body.pid).not.toBe(pid);
    expect((await web.ask('POST', '/processes/dev/stop')).body).toMatchObject({ killed: true });
    expect((await web.ask('GET', '/processes/dev/output')).body).toMatchObject({ status: 'exited' });
    const stopped = await web.ask('POST', '/processes/dev/restart');
    expect(stopped.body).toMatchObject({ status: 'running' });
    const events = await web.http.bench.log.read(session);
    const deciders = events.flatMap(({ body: event }) =>
      event.type === 'approval.decided' ? [event.by.who] : [],
    );
    expect(deciders).toEqual(['tester', 'ann', 'ann', 'ann', 'ann', 'ann']);
  });

  test('are read without escape sequences, or with them for a terminal', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    const command = "printf '\\033[32mready\\033[0m\\n'; exec cat";
    await web.call(session, 'run_persistent', { ...echo, command });
    const read = async (query: string) => (await web.ask('GET', `/processes/dev/output${query}`)).body.output;
    expect(await read('')).toBe('ready\n');
    expect(await read('?raw=true')).toBe('\u001b[32mready\u001b[0m\n');
    expect((await web.ask('GET', '/processes/dev/output?raw=yes')).status).toBe(400);
  });

  test('are not there for others, whatever they ask', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.call(session, 'run_persistent', echo);
    expect((await web.ask('GET', '/processes', undefined, 'bob')).body).toEqual({
      processes: [],
      commands: [],
    });
    const tries: [string, string, unknown?][] = [
      ['GET', 'output'],
      ['POST', 'input', { input: 'x\n' }],
      ['POST', 'stop'],
      ['POST', 'restart'],
    ];
    for (const [method, action, body] of tries) {
      const { status, body: answer } = await web.ask(method, `/processes/dev/${action}`, body, 'bob');
      expect([action, status]).toEqual([action, 404]);
      expect(JSON.stringify(answer)).not.toContain(session);
    }
    expect((await web.ask('GET', '/processes', undefined, 'operator')).body.processes).toMatchObject([
      { status: 'running' },
    ]);
  });

  test('what a rule denies stays denied, also to a person', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.call(session, 'run_persistent', echo);
    const rule = { id: 'quiet', effect: 'deny', reason: 'Nobody writes.', tool: 'write_process' };
    await web.ask('POST', '/policy/rules', { rule, scope: 'workspace' }, 'operator');
    const { status, body } = await web.ask('POST', '/processes/dev/input', { input: 'x\n' });
    expect([status, (body.error as Json).code]).toEqual([403, 'PERMISSION_DENIED']);
  });

  test('bad cursors, ids and inputs are refused', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.call(session, 'run_persistent', echo);
    for (const cursor of ['-1', 'x', '1e400', '1.5'])
      expect((await web.ask('GET', `/processes/dev/output?cursor=${cursor}`)).status).toBe(400);
    expect((await web.ask('GET', '/processes/..%2F1/output')).status).toBe(404);
    expect((await web.ask('POST', '/processes/dev/input', { input: '' })).status).toBe(400);
    expect((await web.ask('POST', '/processes/dev/input', { input: 'x'.repeat(70_000) })).status).toBe(400);
    expect(web.http.faults).toEqual([]);
  });
});

test('a command that runs now is listed for its owner until it has ended', async () => {
  await using web = await webBench();
  const session = await web.newSession();
  const command = 'until [ -e go ]; do sleep 0.02; done';
  const running = web.call(session, 'run_command', { command }, { id: 'c', turn: 3 });
  const listCommands = async (who?: string): Promise<Json[]> =>
    (await web.ask('GET', '/processes', undefined, who)).body.commands as Json[];
  let commands: Json[] = [];
  for (let tries = 0; commands.length === 0 && tries < 500; tries++) commands = await listCommands();
  expect(commands).toEqual([
    { call_id: 'c', session, tool: 'run_command', command, started_at: expect.any(String), turn: 3 },
  ]);
  expect(await listCommands('bob')).toEqual([]);
  writeFileSync(join(web.root, 'go'), '');
  await running;
  expect(await listCommands()).toEqual([]);
});

test('a running command is read by cursor and ended alone by its owner', async () => {
  await using web = await webBench();
  const session = await web.newSession();
  const command = 'echo begun; until [ -e go ]; do sleep 0.02; done';
  const running = web.call(session, 'run_command', { command }, { id: 'c' });
  const at = `/sessions/${session}/calls/c`;
  let output = '';
  let cursor = 0;
  for (let tries = 0; !output.includes('begun') && tries < 500; tries++) {
    const { status, body } = await web.ask('GET', `${at}/output?cursor=${cursor}`);
    if (status !== 200) continue;
    output += String(body.output);
    cursor = Number(body.cursor);
  }
  expect(output).toBe('begun\n');
  for (const [method, action] of [
    ['GET', 'output'],
    ['POST', 'stop'],
  ] as const)
    expect((await web.ask(method, `${at}/${action}`, undefined, 'bob')).status).toBe(403);
  expect((await web.ask('POST', `${at}/stop`)).status).toBe(202);
  expect(await running).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
  expect((await web.ask('POST', `${at}/stop`)).status).toBe(404);
});
