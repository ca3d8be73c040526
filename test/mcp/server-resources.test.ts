// Resources for MCP clients besides tools: pinned files, the log of their session, the whole output of commands; and what they can never
// read.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { approving, events, user } from '../support/mcp-server-bench.ts';
import { flavours, type McpUser, mcpUser } from '../support/mcp-user.ts';
import { signedTokens } from '../support/signed-tokens.ts';

const operator = { subject: 'tester', via: 'test', isOperator: true as const };

/** The session that the only client works in. */
async function sessionOf({ running: { gateway } }: GatewayBench) {
  const [first] = await gateway.sessions(operator);
  return await gateway.session(first?.id ?? '', operator);
}

const logOf = async (client: McpUser): Promise<string> => (await client.resources())[0]?.uri ?? '';

test.each(flavours)('%s: looking at what is offered makes no session and names no file', async (flavour) => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'hello\n' } });
  await using client = await user(bench, flavour);
  expect(await client.resources()).toEqual([]);
  expect(await client.prompts()).toEqual([]);
  expect(await client.templates()).toEqual(['codelab://files/{+path}']);
  expect(await events(bench)).toEqual([]);
});

test.each(flavours)('%s: a file is read by a recorded call, under the rules of reading', async (flavour) => {
  const files = { 'a b/ü.txt': 'hello\n', '.env': 'KEY=hunter2\n' };
  await using bench = await gatewayBench({
    files,
    prepare: (root) => symlinkSync('/etc', join(root, 'out')),
  });
  await using client = await user(bench, flavour);
  expect(await client.read('codelab://files/a%20b/%C3%BC.txt')).toBe('hello\n');
  const calls = (await events(bench)).flatMap((body) =>
    body.type === 'call.received' ? [[body.call.tool, body.call.args]] : [],
  );
  expect(calls).toEqual([['read_file', { path: 'a b/ü.txt' }]]);
  for (const [path, code] of [
    ['nope.txt', 'FILE_NOT_FOUND'],
    ['../../etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['%2e%2e/%2e%2e/etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['/etc/passwd', ''],
    ['out/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['.env', 'APPROVAL_PENDING'],
  ]) {
    const failure = await client.read(`codelab://files/${path}`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32602, message: expect.stringContaining(code ?? '') });
    expect(String(failure)).not.toContain('hunter2');
  }
  for (const uri of ['file:///etc/passwd', 'codelab://sessions/other/log', 'codelab://nothing'])
    await expect(client.read(uri)).rejects.toMatchObject({ code: -32602 });
  expect(bench.faults).toEqual([]);
});

test.each(flavours)('%s: a file that is asked about is asked in the client', async (flavour) => {
  await using bench = await gatewayBench({ files: { '.env': 'KEY=1\n' } });
  const questions: string[] = [];
  await using client = await user(bench, flavour, (question, signal) => {
    questions.push(question.message);
    return approving(question, signal);
  });
  expect(await client.read('codelab://files/.env')).toBe('KEY=1\n');
  expect(questions).toHaveLength(1);
});

test.each(flavours)('%s: pinned files and the log of the session are listed', async (flavour) => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'hello\n', 'secret.txt': 'hunter2\n' } });
  await using client = await user(bench, flavour, approving);
  await client.call('read_file', { path: 'secret.txt' });
  await client.call('write_file', { path: 'b.txt', content: 'hunter3\n' });
  await (await sessionOf(bench)).changeContext('add_file', 'a.txt');
  const [log, file, ...more] = await client.resources();
  expect(file).toMatchObject({ uri: 'codelab://files/a.txt', name: 'a.txt' });
  expect(more).toEqual([]);
  const text = await client.read(log?.uri ?? '');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(expect.objectContaining({ type: 'call.received', tool: 'read_file' }));
  expect(lines).toContainEqual(expect.objectContaining({ type: 'approval.decided', decision: 'approve' }));
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'call.finished', status: 'completed', changes: ['create b.txt'] }),
  );
  // File content must not be readable through a log.
  expect(text).not.toMatch(/hunter/);
});

test.each(flavours)('%s: the whole output of a command can be read', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour, approving);
  const command = 'for i in $(seq 1 200000); do echo line $i; done';
  const { structuredContent } = await client.call('run_command', { command });
  expect(structuredContent).toMatchObject({ truncated: true, exit_code: 0 });
  const output = (await client.resources()).find(({ uri }) => uri.includes('/output/'));
  const text = await client.read(output?.uri ?? '');
  expect(text).toMatch(/^line 1\nline 2\n/);
  expect(text).toMatch(/bytes left out.*line 199999\nline 200000\n$/s);
  // Once it is gone, or when a name leads elsewhere, there is nothing.
  const file = String(structuredContent?.output_file);
  rmSync(file);
  symlinkSync('/etc/passwd', file);
  await expect(client.read(output?.uri ?? '')).rejects.toMatchObject({ code: -32602 });
});

test.each(flavours)('%s: a client is told of changes to what it subscribed to', async (flavour) => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'hello\n', '.env': 'KEY=1\n' } });
  await using client = await user(bench, flavour);
  await client.call('read_file', { path: 'a.txt' });
  const log = await logOf(client);
  const file = 'codelab://files/a.txt';
  const ends = [await client.subscribe(file), await client.subscribe(log)];
  await client.subscribe('codelab://files/.env');
  await expect
    .poll(
      () => {
        writeFileSync(join(bench.root, 'a.txt'), `changed ${performance.now()}\n`);
        writeFileSync(join(bench.root, '.env'), `KEY=${performance.now()}\n`);
        return client.changes;
      },
      { timeout: 20_000, interval: 300 },
    )
    .toContain(file);
  await expect
    .poll(
      async () => {
        await client.call('read_file', { path: 'a.txt' });
        return client.changes;
      },
      { timeout: 20_000 },
    )
    .toContain(log);
  const session = await sessionOf(bench);
  await expect
    .poll(
      async () => {
        await session.changeContext('add_file', 'a.txt');
        return client.changes;
      },
      { timeout: 20_000 },
    )
    .toContain('list');
  // When a secret was changed is a secret, too.
  expect(client.changes).not.toContain('codelab://files/.env');
  for (const end of ends) await end();
  expect(bench.faults).toEqual([]);
});

test.each(['v2', 'v2 of 2026'] as const)(
  '%s: nobody reads or hears of another’s session',
  async (flavour) => {
    using tokens = signedTokens();
    const { jwt, sign } = tokens;
    await using bench = await gatewayBench({ jwt, files: { 'a.txt': 'a' } });
    const url = `${bench.running.url}/mcp`;
    await using ann = await mcpUser({ url, token: sign('ann', 600) }, { flavour });
    await using bob = await mcpUser({ url, token: sign('bob', 600) }, { flavour });
    await ann.call('read_file', { path: 'a.txt' });
    await bob.call('read_file', { path: 'a.txt' });
    const [ofAnn, ofBob] = [await logOf(ann), await logOf(bob)];
    expect(ofAnn).not.toBe(ofBob);
    await expect(bob.read(ofAnn)).rejects.toMatchObject({ code: -32602 });
    await bob.subscribe(ofAnn);
    await bob.subscribe(ofBob);
    await expect
      .poll(
        async () => {
          await ann.call('read_file', { path: 'a.txt' });
          await bob.call('read_file', { path: 'a.txt' });
          return bob.changes;
        },
        { timeout: 20_000 },
      )
      .toContain(ofBob);
    expect(bob.changes).not.toContain(ofAnn);
  },
);

test.each(flavours)('%s: paths of files are completed', async (flavour) => {
  await using bench = await gatewayBench({
    files: { 'src/main.ts': '', 'src/other.ts': '', 'docs/a.md': '' },
  });
  await using client = await user(bench, flavour);
  expect(await client.complete('codelab://files/{+path}', 'src/m')).toEqual(['src/main.ts']);
  expect(await client.complete('codelab://files/{+path}', 'zzz')).toEqual([]);
  expect(await client.complete('codelab://other/{path}', 'src')).toEqual([]);
});
