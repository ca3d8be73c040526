// `codelab mcp` as clients start it: nothing but the protocol on standard output, its own questions, and no process left behind.
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { flavours, mcpUser } from '../support/mcp-user.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

type Scratch = ReturnType<typeof scratchFolder>;
type Json = Record<string, unknown>;

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
const envOf = ({ home }: Scratch): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  CODELAB_HOME: home,
});
const server = (scratch: Scratch, ...words: string[]) => ({
  command: process.execPath,
  args: [launcher, 'mcp', '--workspace', scratch.root, ...words],
  env: envOf(scratch),
});

async function codelab(scratch: Scratch, ...words: string[]): Promise<string> {
  const options = { cwd: scratch.root, env: envOf(scratch) };
  return (await promisify(execFile)(process.execPath, [launcher, ...words], options)).stdout;
}

/** Processes whose command line holds this word; a sandbox gives them other numbers inside. */
function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

test.each(flavours)('%s: reads, asks its user, and changes what they agreed to', async (flavour) => {
  using scratch = scratchFolder({ files: { 'a.txt': 'hello\n' } });
  await using client = await mcpUser(server(scratch), {
    flavour,
    answer: () => ({ action: 'accept', content: { decision: 'approve' } }),
  });
  expect((await client.tools()).map(({ name }) => name)).toContain('git_status');
  expect((await client.call('read_file', { path: 'a.txt' })).content[0]?.text).toBe('hello\n');
  const edit = { path: 'a.txt', old_string: 'hello', new_string: 'bye' };
  expect(await client.call('edit_file', edit)).not.toHaveProperty('isError', true);
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('bye\n');
});

test('a client that can’t ask is told how, and another terminal decides', async () => {
  using scratch = scratchFolder();
  await using client = await mcpUser(server(scratch), { flavour: 'v1' });
  const first = await client.call('write_file', { path: 'b.txt', content: 'b' });
  expect(first.content[0]?.text).toMatch(/^APPROVAL_PENDING: .*codelab approvals watch/);
  await expect.poll(() => client.notices, { timeout: 15_000 }).toHaveLength(1);
  const id = /approvals approve (apr_[\w-]+)/.exec(client.notices[0] ?? '')?.[1] ?? '';
  await codelab(scratch, 'approvals', 'approve', id);
  expect(await client.call('write_file', { path: 'b.txt', content: 'b' })).toMatchObject({
    structuredContent: { success: true },
  });
});

test.each(flavours)('%s: resources, changes and prompts are there as well', async (flavour) => {
  using scratch = scratchFolder({ files: { 'a.txt': 'hello\n' } });
  mkdirSync(join(scratch.home, 'skills', 'release'), { recursive: true });
  const skill = '---\nname: release\ndescription: How to release.\n---\nRun the tests.\n';
  writeFileSync(join(scratch.home, 'skills', 'release', 'SKILL.md'), skill);
  await using client = await mcpUser(server(scratch), { flavour });
  expect(await client.prompt('release')).toContain('Run the tests.');
  expect(await client.read('codelab://files/a.txt')).toBe('hello\n');
  expect(await client.complete('codelab://files/{+path}', 'a')).toEqual(['a.txt']);
  const log = (await client.resources())[0]?.uri ?? '';
  const end = await client.subscribe(log);
  await expect
    .poll(
      async () => {
        await client.call('read_file', { path: 'a.txt' });
        return client.changes;
      },
      { timeout: 20_000 },
    )
    .toContain(log);
  await end();
});

test('an id that is used twice at once is refused', async () => {
  using scratch = scratchFolder();
  const { command, args, env } = server(scratch);
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: Json): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const next = async (): Promise<Json> => JSON.parse((await lines.next()).value ?? '') as Json;
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  expect(await next()).toMatchObject({ id: 1, result: {} });
  const call = {
    name: 'write_file',
    arguments: { path: 'b.txt', content: 'b' },
    _meta: { progressToken: 1 },
  };
  send({ id: 2, method: 'tools/call', params: call });
  expect(await next()).toMatchObject({ method: 'notifications/progress' });
  expect(await next()).toMatchObject({ method: 'notifications/message' });
  send({ id: 2, method: 'tools/list' });
  expect(await next()).toMatchObject({ id: 2, error: { code: -32600 } });
  child.stdin.end();
  await exited;
});

test('--profile and --mode hold', async () => {
  using scratch = scratchFolder();
  await using askingClient = await mcpUser(server(scratch, '--profile', 'ask'));
  expect((await askingClient.tools()).map(({ name }) => name)).not.toContain('write_file');
  await using trusted = await mcpUser(server(scratch, '--mode', 'trusted'));
  expect(await trusted.call('write_file', { path: 'b.txt', content: 'b' })).toMatchObject({
    structuredContent: { success: true },
  });
});

test('standard output carries the protocol alone, and the end of the input is the end', async () => {
  using scratch = scratchFolder();
  const { command, args, env } = server(scratch);
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: Json): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const next = async (): Promise<Json> => JSON.parse((await lines.next()).value ?? '') as Json;
  const clientInfo = { name: 'raw', version: '1' };
  child.stdin.write('this is no message\n');
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: 'codelab' } } });
  send({ id: 2, method: 'ping' });
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  send({
    id: 3,
    method: 'tools/call',
    params: { name: 'write_file', arguments: { path: 'b.txt', content: 'b' } },
  });
  expect(await next()).toMatchObject({ method: 'notifications/message' });
  child.stdin.end();
  const [code] = await exited;
  expect(code).toBe(0);
  // On a slow machine it may still have told what became of the call.
  for (let line = await lines.next(); !line.done; line = await lines.next())
    expect(JSON.parse(line.value)).toMatchObject({ jsonrpc: '2.0' });
  expect(existsSync(join(scratch.root, 'b.txt'))).toBe(false);
  // The process can't be revived: its client is gone.
  expect(JSON.parse(await codelab(scratch, 'approvals', 'list', '--json'))).toMatchObject({ approvals: [] });
});

test.each([
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x0a])],
  ['too long', Buffer.alloc(11 * 1024 * 1024, 'x')],
])('input that is %s ends it with a word on standard error', async (_how, bytes) => {
  using scratch = scratchFolder();
  const { command, args, env } = server(scratch);
  const child = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  const errorOutput = text(child.stderr);
  child.stdin.on('error', () => undefined);
  child.stdin.write(bytes);
  await once(child, 'exit');
  expect(await errorOutput).toMatch(/codelab mcp: .*(UTF-8|exceed)/);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a client that ends by %s leaves no process behind',
  async (signal) => {
    using scratch = scratchFolder();
    const { command, args, env } = server(scratch);
    // The folder identifies the server's process, the number the command's.
    const seconds = `300.${process.pid}${signal.length}`;
    const call = { name: 'run_command', arguments: { command: `touch begun; exec sleep ${seconds}` } };
    const client = fork(
      join(import.meta.dirname, '../support', 'mcp-stdio-client.ts'),
      [command, JSON.stringify(args), JSON.stringify(call)],
      { env: { ...process.env, ...env }, execArgv: [] },
    );
    const exited = once(client, 'exit');
    await expect.poll(() => existsSync(join(scratch.root, 'begun')), { timeout: 20_000 }).toBe(true);
    expect(processesWith(scratch.root)).not.toEqual([]);
    client.kill(signal);
    await exited;
    const remaining = (): string[] => [...processesWith(scratch.root), ...processesWith(seconds)];
    await expect.poll(remaining, { timeout: 10_000 }).toEqual([]);
  },
);

test('--http serves the same over HTTP', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'hello\n' } });
  const { command, args, env } = server(
    scratch,
    '--http',
    '0',
    '--token',
    'a-long-token',
    '--profile',
    'ask',
    '--json',
  );
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { url, token } = JSON.parse(String(line)) as { url: string; token: string };
    expect(url).toMatch(/\/mcp\?profile=ask$/);
    for (const flavour of flavours) {
      await using client = await mcpUser({ url, token }, { flavour });
      expect((await client.call('read_file', { path: 'a.txt' })).content[0]?.text).toBe('hello\n');
      expect((await client.tools()).map(({ name }) => name)).not.toContain('write_file');
    }
  } finally {
    child.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
});

test('wrong usage is told, and the help names the options', async () => {
  using scratch = scratchFolder();
  const failure = (...words: string[]): Promise<string> =>
    codelab(scratch, 'mcp', ...words).catch(
      (error: { code: number; stderr: string }) => `${error.code} ${error.stderr}`,
    );
  const [port, token, profile, help] = await Promise.all([
    failure('--http', 'x'),
    failure('--token', 'a-long-token'),
    failure('--profile', 'nobody'),
    codelab(scratch, 'mcp', '--help'),
  ]);
  expect(port).toMatch(/^2 .*port/);
  expect(token).toMatch(/^2 .*--http/);
  expect(profile).toMatch(/^2 .*--profile must be one of/);
  expect(help).toMatch(/--http PORT[\s\S]*--profile NAME/);
});
