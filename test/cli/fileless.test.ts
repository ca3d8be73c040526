// Sessions whose files are with a client, as commands meet them: a gateway without files, and those who would go on with such a session here.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeLabAPI } from '@codelab/client';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const main = join(import.meta.dirname, '../..', 'apps', 'cli', 'src', 'main.ts');
const token = 'secret-token';

type Scratch = ReturnType<typeof scratchFolder>;

function start({ root, home }: Pick<Scratch, 'root' | 'home'>, ...words: string[]): ChildProcess {
  const env = { ...process.env, CODELAB_HOME: home, CODELAB_TOKEN: token, NO_COLOR: '1' };
  return spawn(process.execPath, [main, ...words], { cwd: root, env, stdio: 'ignore' });
}

function run({ root, home }: Scratch, words: readonly string[], input = '') {
  const env = { ...process.env, CODELAB_HOME: home, CODELAB_MODEL: 'demo', NO_COLOR: '1' };
  const ended = spawnSync(process.execPath, [main, ...words], { cwd: root, env, input, encoding: 'utf8' });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

async function ready(folder: string): Promise<{ url: string }> {
  const file = join(folder, 'ready.json');
  if (!existsSync(file)) {
    const watcher = watch(folder);
    for (const signal = AbortSignal.timeout(20_000); !existsSync(file); )
      await once(watcher, 'change', { signal });
    watcher.close();
  }
  return JSON.parse(readFileSync(file, 'utf8')) as { url: string };
}

test('serve --no-workspace has no files: nothing of the folder it was started in is read, and its sessions are a client’s', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder({ files: { 'secret.txt': 'of this machine\n' } });
  const words = ['serve', '--no-workspace', '--port', '0', '--no-web', '--model', 'demo'];
  const child = start(scratch, ...words, '--ready-file', join(scratch.folder, 'ready.json'));
  try {
    const { url } = await ready(scratch.folder);
    const api = new CodeLabAPI({ url, token, retries: 0 });
    const { id } = await api.sessions.create({ title: 'No files here' });
    const log = openSqliteLog(scratch.home);
    const [opened] = await log.read(id, { limit: 1 });
    await log.close();
    expect(opened?.body).toMatchObject({ type: 'session.opened', executor: 'client' });
    // Without an executor the call waits until it is cancelled.
    const call = api.call(id, { tool: 'read_file', args: { path: 'secret.txt' } });
    let isOver = false;
    const outcome = call
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    // The first may arrive before the call does.
    await expect.poll(async () => api.cancel(id).then(() => isOver)).toBe(true);
    expect(JSON.stringify(await outcome)).not.toContain('of this machine');
    await expect(api.files.list('')).rejects.toMatchObject({ name: 'ApiError' });
    expect(readdirSync(join(scratch.home, 'elsewhere'))).toEqual([]);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

test('serve takes either a workspace or none', () => {
  using scratch = scratchFolder();
  for (const other of [['--workspace', '.'], ['--sample']])
    expect(run(scratch, ['serve', '--no-workspace', ...other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--no-workspace'),
    });
});

test('nobody here goes on with a session whose files are with a client', { timeout: 60_000 }, async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const log = openSqliteLog(scratch.home);
  const opened = {
    type: 'session.opened',
    workspace: scratch.root,
    executor: 'client',
    dialect: 'agent',
  } as const;
  const started = { type: 'turn.started', turn: 1, text: 'Hi', model: 'demo', profile: 'build' } as const;
  await log.append('theirs', [opened, started], { expected: 0 });
  const tries: [string[], string][] = [
    [['sessions', 'resume', 'theirs'], ''],
    [['sessions', 'resume', 'theirs', 'go on', '--approve', 'all'], ''],
    [['run', 'write x to a.txt', '--session', 'theirs', '--approve', 'all'], ''],
    [['tool', 'write_file', '{"path":"a.txt","content":"x"}', '--session', 'theirs', '--approve', 'all'], ''],
    [['--session', 'theirs'], 'read a.txt\n'],
    [[], '/resume theirs\n'],
  ];
  for (const [words, input] of tries) {
    const { code, stdout, stderr } = run(scratch, words, input);
    expect(stdout + stderr, words.join(' ')).toContain('are on the client that runs its calls');
    expect(code, words.join(' ')).toBe(1);
  }
  expect(await log.read('theirs')).toHaveLength(2);
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('one\n');
  await log.close();
});

test('a question at a gateway without files is answered from another terminal', {
  timeout: 60_000,
}, async () => {
  await using bench = await gatewayBench({ isFileless: true });
  const executorClient = await bench.connect('s1', { query: '?role=executor' });
  await executorClient.next('session_info');
  const approverClient = await bench.connect('s1', { query: '?role=approver' });
  const args = { path: '/a.txt', content: 'x' };
  approverClient.send({ type: 'tool_call', call_id: 'c1', tool_name: 'write_file', arguments: args });
  const { approval_id } = await approverClient.next('tool_call');
  const { root, home } = bench;
  const words = ['approvals', 'reject', String(approval_id), '--feedback', 'Not now.'];
  const child = start({ root, home }, ...words);
  const result = await approverClient.next('tool_result');
  await once(child, 'exit');
  expect([result.error_code, child.exitCode]).toEqual(['REJECTED', 0]);
});

test('the chat says once which MCP server could not be started', { timeout: 60_000 }, () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const servers = { broken: { command: join(scratch.folder, 'no-such-program') } };
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ mcp: { servers } }));
  const { code, stdout, stderr } = run(scratch, [], 'read a.txt\nread a.txt\n');
  expect(code).toBe(0);
  expect(stdout).toContain('one');
  expect(stderr.match(/broken/g)).toHaveLength(1);
});
