import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { dataOf, type ProcessBench, processBench } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';

const echo = 'echo ready; exec cat';

function start(bench: ProcessBench, args: Record<string, unknown>, session = 's1'): Promise<Outcome> {
  return bench.bench.call(
    'run_persistent',
    { process_id: 'p', ready_pattern: 'ready', ...args },
    { session },
  );
}

/** Reads until the text has come, with the cursor of one reader. */
async function readUntil(
  bench: ProcessBench,
  expected: string,
  cursor = 0,
): Promise<{ output: string; cursor: number }> {
  let output = '';
  for (let tries = 0; tries < 200; tries++) {
    const data = dataOf(await bench.bench.call('read_process', { process_id: 'p', cursor }));
    output += String(data.output);
    cursor = Number(data.cursor);
    if (output.includes(expected)) return { output, cursor };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`it never printed ${expected}, only ${output}`);
}

describe.each(['off', ...backends] as const)('with the sandbox %s', (sandbox) => {
  test('a process is started, written to, read, listed and ended', async () => {
    await using bench = await processBench({ sandbox });
    const started = dataOf(await start(bench, { command: echo }));
    expect(started).toEqual({ process_id: 'p', pid: expect.any(Number), status: 'running', ready: true });
    expect(bench.remaining().length).toBeGreaterThan(0);
    const { cursor } = await readUntil(bench, 'ready\n');
    expect(dataOf(await bench.bench.call('write_process', { process_id: 'p', input: 'hellö\n' }))).toEqual({
      process_id: 'p',
      bytes: 7,
    });
    expect((await readUntil(bench, 'hellö\n', cursor)).output).toBe('hellö\n');
    expect(dataOf(await bench.bench.call('list_processes', {}))).toEqual({
      processes: [
        {
          process_id: 'p',
          pid: started.pid,
          command: echo,
          status: 'running',
          started_at: expect.any(String),
        },
      ],
    });
    expect(dataOf(await bench.bench.call('kill_process', { process_id: 'p' }))).toMatchObject({
      killed: true,
    });
    expect(bench.remaining()).toEqual([]);
  });

  test('everything it started ends with it, and all end with the host', async () => {
    await using bench = await processBench({ sandbox });
    const command = `trap '' TERM; setsid sleep 600 & sleep 600 & echo ready; wait; sleep 600`;
    await start(bench, { command });
    await start(bench, { command, process_id: 'q' });
    await bench.bench.call('kill_process', { process_id: 'p' });
    expect(bench.remaining().length).toBeGreaterThan(0);
    await bench.bench.restart();
    expect(bench.remaining()).toEqual([]);
  });
});

test('two readers each get everything; what fell out of memory is counted', async () => {
  await using bench = await processBench({ limits: { outputBytes: 1000 } });
  await start(bench, { command: 'seq 1 1000; echo ready; exec cat' });
  const read = async (cursor: number): Promise<Record<string, unknown>> =>
    dataOf(await bench.bench.call('read_process', { process_id: 'p', cursor }));
  const first = await read(0);
  const second = await read(0);
  expect(second).toEqual(first);
  expect(Number(first.dropped) + String(first.output).length).toBe(Number(first.cursor));
  expect(first.output).toMatch(/1000\nready\n$/);
  expect(await read(Number(first.cursor))).toMatchObject({ output: '', dropped: 0, cursor: first.cursor });
  expect(await read(1e9)).toMatchObject({ output: '', cursor: first.cursor });
});

test('a small reading never tears a character', async () => {
  await using bench = await processBench();
  await start(bench, { command: `echo 'é漢🙂 ready'; exec cat` });
  let output = '';
  for (let cursor = 0, tries = 0; tries < 20; tries++) {
    const data = dataOf(await bench.bench.call('read_process', { process_id: 'p', cursor, max_bytes: 5 }));
    output += String(data.output);
    cursor = Number(data.cursor);
  }
  expect(output).toBe('é漢🙂 ready\n');
});

describe('an id', () => {
  test('of a live process is refused, of one that ended it is free', async () => {
    await using bench = await processBench();
    await start(bench, { command: echo });
    expect(await start(bench, { command: echo })).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
    await bench.bench.call('kill_process', { process_id: 'p' });
    expect(await start(bench, { command: echo })).toMatchObject({ status: 'completed' });
  });

  test('that ended stays readable, and ending it again does nothing', async () => {
    await using bench = await processBench();
    await start(bench, { command: 'echo ready; exit 4' });
    await readUntil(bench, 'ready');
    const kill = async (): Promise<Outcome> => await bench.bench.call('kill_process', { process_id: 'p' });
    expect(dataOf(await kill())).toMatchObject({ exit_code: 4 });
    expect(dataOf(await kill())).toEqual({ process_id: 'p', killed: false, exit_code: 4, signal: null });
    expect(dataOf(await bench.bench.call('read_process', { process_id: 'p' }))).toMatchObject({
      status: 'exited',
      exit_code: 4,
    });
    expect(await bench.bench.call('write_process', { process_id: 'p', input: 'x' })).toMatchObject({
      error: { code: 'EXECUTION_FAILED' },
    });
  });

  test.each(['read_process', 'write_process', 'kill_process'])(
    'nobody knows is an error for %s',
    async (tool) => {
      await using bench = await processBench();
      const input = tool === 'write_process' ? { input: 'x' } : {};
      expect(await bench.bench.call(tool, { process_id: 'nope', ...input })).toMatchObject({
        error: { code: 'INVALID_ARGUMENTS' },
      });
    },
  );

  test('of another session is out of reach', async () => {
    await using bench = await processBench();
    await start(bench, { command: echo });
    for (const [tool, more] of [
      ['read_process', {}],
      ['write_process', { input: 'x' }],
      ['kill_process', {}],
    ] as const)
      expect(await bench.bench.call(tool, { process_id: 'p', ...more }, { session: 'other' })).toMatchObject({
        error: { code: 'PERMISSION_DENIED' },
      });
    expect(dataOf(await bench.bench.call('list_processes', {}, { session: 'other' }))).toEqual({
      processes: [],
    });
  });
});

describe('readiness', () => {
  test('comes with a line that fits the expression', async () => {
    await using bench = await processBench();
    const args = {
      command: 'echo listening on 8080; exec cat',
      ready_pattern: String.raw`^listening on \d+$`,
    };
    expect(dataOf(await start(bench, args))).toMatchObject({ ready: true });
  });

  test('is missing when the process ends before', async () => {
    await using bench = await processBench();
    expect(dataOf(await start(bench, { command: 'echo no; exit 1' }))).toMatchObject({
      status: 'exited',
      ready: false,
    });
  });

  test('is missing when the time is up; the process goes on', async () => {
    await using bench = await processBench();
    expect(dataOf(await start(bench, { command: 'exec cat', ready_timeout_ms: 100 }))).toMatchObject({
      status: 'running',
      ready: false,
    });
  });

  test('comes with an answering port, and not from a stranger’s', async () => {
    await using bench = await processBench();
    const port = await freePort();
    const serve = `"${process.execPath}" -e "require('net').createServer().listen(${port}, '127.0.0.1')"`;
    const args = { command: serve, ready_pattern: undefined, ready_port: port };
    expect(dataOf(await start(bench, args))).toMatchObject({ ready: true });
    expect(await start(bench, { ...args, process_id: 'q' })).toMatchObject({
      error: { code: 'INVALID_ARGUMENTS' },
    });
  });

  test('a hostile expression is cut off, and the process ended', async () => {
    await using bench = await processBench();
    const args = { command: `echo ${'a'.repeat(60)}; exec cat`, ready_pattern: '(a|aa)+!' };
    expect(await start(bench, args)).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
    expect(bench.remaining()).toEqual([]);
  });

  test('others are served while a hostile expression is matched', async () => {
    await using bench = await processBench();
    const args = { command: `echo ${'a'.repeat(60)}; exec cat`, ready_pattern: '(a|aa)+!' };
    let isOver = false;
    const starting = start(bench, args).then(() => {
      isOver = true;
    });
    await expect
      .poll(async () => JSON.stringify(await bench.bench.call('read_process', { process_id: 'p' })))
      .toContain('aaa');
    await bench.bench.call('list_files', {});
    expect(isOver).toBe(false);
    await starting;
  });
});

test('with a terminal a program finds one', async () => {
  await using bench = await processBench();
  await start(bench, { command: 'test -t 0 && test -t 1 && echo ready; read x; echo got $x', pty: true });
  await bench.bench.call('write_process', { process_id: 'p', input: 'this\n' });
  expect((await readUntil(bench, 'got this')).output).toContain('ready\n');
});

async function freePort(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

test('an id that does not fit says what does', async () => {
  await using bench = await processBench();
  expect(await start(bench, { command: 'true', process_id: 'сервер' })).toMatchObject({
    error: {
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining('`process_id` must be 1 to 100 ASCII letters, digits or any of'),
    },
  });
});
