// Our tools over streamable HTTP, as clients that others wrote use them: what is offered, how a call ends, and how it is cancelled.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { approving, events, nextPending, pending, user, write } from '../support/mcp-server-bench.ts';
import { flavours } from '../support/mcp-user.ts';

test.each(flavours)('%s: lists the tools, reads, and is told how a call failed', async (flavour) => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'hello\n', '.env': 'KEY=1\n' } });
  await using client = await user(bench, flavour);
  const tools = await client.tools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_file', 'git_status', 'undo']));
  expect(tools.every(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name) && name !== 'task')).toBe(true);
  const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
  expect(hints('read_file')).toMatchObject({
    readOnlyHint: true,
    destructiveHint: false,
    openWorldHint: false,
  });
  expect(hints('run_command')).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: true,
  });
  expect(tools.find(({ name }) => name === 'read_file')).toMatchObject({
    title: 'Read file',
    inputSchema: { type: 'object', required: ['path'] },
  });

  expect(await client.call('read_file', { path: 'a.txt' })).toMatchObject({
    content: [{ type: 'text', text: 'hello\n' }],
    structuredContent: { content: 'hello\n', encoding: 'utf-8' },
  });
  const missing = await client.call('read_file', { path: 'nope.txt' });
  expect(missing).toMatchObject({ isError: true, structuredContent: { error: { code: 'FILE_NOT_FOUND' } } });
  expect(missing.content[0]?.text).toContain('List the directory');
  expect(await client.call('read_file', { path: 'a.txt', wrong: 1 })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'INVALID_ARGUMENTS' } },
  });
  expect(await client.call('read_file', { path: '../../etc/passwd' })).toMatchObject({ isError: true });
  await expect(client.call('no_such_tool')).rejects.toMatchObject({ code: -32602 });
  await expect(client.call('task', { agent: 'x', objective: 'y' })).rejects.toMatchObject({ code: -32602 });
  expect(bench.faults).toEqual([]);
});

test.each(flavours)('%s: a denied call is never asked, and no yes helps', async (flavour) => {
  await using bench = await gatewayBench();
  let askCount = 0;
  await using client = await user(bench, flavour, (...args) => {
    askCount++;
    return approving(...args);
  });
  const denied = await client.call('write_file', { path: '.git/hooks/pre-commit', content: 'x' });
  expect(denied).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'PERMISSION_DENIED' } },
  });
  expect(askCount).toBe(0);
});

test.each(flavours)('%s: a command tells its progress, and cancelling ends it', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour, approving);
  const stop = new AbortController();
  const started = Promise.withResolvers<void>();
  const ended = client.call(
    'run_command',
    { command: 'echo begun; exec sleep 300' },
    {
      signal: stop.signal,
      onprogress({ message = '' }) {
        if (message.includes('begun')) started.resolve();
      },
    },
  );
  await started.promise;
  stop.abort();
  await expect(ended).rejects.toThrow();
  const { host } = bench.running.gateway;
  await expect.poll(() => host.commands.list(), { timeout: 10_000 }).toEqual([]);
  await expect
    .poll(async () =>
      (await events(bench)).flatMap((body) => (body.type === 'call.finished' ? [body.outcome.status] : [])),
    )
    .toEqual(['cancelled']);
});

test.each(flavours)('%s: cancelling takes back what still waits', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour);
  const stop = new AbortController();
  const ended = client.call('write_file', write, { signal: stop.signal, onprogress: () => undefined });
  await nextPending(bench);
  stop.abort();
  await expect(ended).rejects.toThrow();
  await expect.poll(() => pending(bench), { timeout: 10_000 }).toEqual([]);
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
});

test.each(flavours)('%s: a profile in the address narrows the tools', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour, undefined, '?profile=ask');
  const names = (await client.tools()).map(({ name }) => name);
  expect(names).toContain('read_file');
  expect(names).not.toContain('write_file');
  await expect(client.call('write_file', write)).rejects.toMatchObject({ code: -32602 });
  await expect(user(bench, flavour, undefined, '?profile=nobody')).rejects.toThrow();
});

test('several clients at once: a session each, and answers never cross', async () => {
  await using bench = await gatewayBench({ files: { '1.txt': 'one', '2.txt': 'two', '3.txt': 'three' } });
  await using stack = new AsyncDisposableStack();
  const clients = await Promise.all(
    (['v1', 'v2', 'v2'] as const).map(async (flavour) => stack.use(await user(bench, flavour))),
  );
  const read = await Promise.all(
    clients.map((client, i) =>
      Promise.all([1, 2, 3].map((n) => client.call('read_file', { path: `${((i + n) % 3) + 1}.txt` }))),
    ),
  );
  const texts = ['one', 'two', 'three'];
  expect(read.map((all) => all.map(({ content }) => content[0]?.text))).toEqual(
    [0, 1, 2].map((i) => [1, 2, 3].map((n) => texts[(i + n) % 3])),
  );
  const opened = (await events(bench)).filter(({ type }) => type === 'session.opened');
  expect(opened).toHaveLength(3);
});

test('requests of 2026 share a session for each client, or name one', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'a' } });
  for (const query of ['', '', '?session=mine']) {
    await using client = await user(bench, 'v2 of 2026', undefined, query);
    await client.call('read_file', { path: 'a.txt' });
  }
  const ids = (await bench.running.gateway.host.log.sessions()).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(ids).toContain('mine');
});
