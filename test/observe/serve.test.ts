// `codelab serve` as a process, seen from outside: its log lines, its traces when it is told to stop, and where its session log is.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { codelabProgram } from '../support/codelab-program.ts';
import { otlpReceiver } from '../support/otlp-receiver.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const token = 'a-long-token';
const scratch = scratchFolder({ files: { 'a.txt': 'a\n' } });
afterAll(() => scratch[Symbol.dispose]());

type Given = { args?: string[]; env?: NodeJS.ProcessEnv; isDeaf?: boolean };

function run({ args = [], env = {} }: Given) {
  return spawn(process.execPath, [codelabProgram, ...args], {
    cwd: scratch.root,
    env: { ...process.env, CODELAB_HOME: scratch.home, CODELAB_TOKEN: token, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** `isDeaf`: nobody reads what it says on stderr. */
async function serve({ args = [], env = {}, isDeaf = false }: Given = {}) {
  const ready = join(scratch.folder, 'ready.json');
  rmSync(ready, { force: true });
  const appears = new Promise<void>((resolve) => {
    const watcher = watch(scratch.folder, () => {
      if (!existsSync(ready)) return;
      watcher.close();
      resolve();
    });
  });
  const child = run({
    args: ['serve', '--port', '0', '--no-web', '--ready-file', ready, '--model', 'demo', ...args],
    env,
  });
  let stderr = '';
  if (!isDeaf) child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await Promise.race([appears, once(child, 'exit').then(() => Promise.reject(new Error(stderr)))]);
  const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string };
  return {
    url,
    async call(session: string, count = 1): Promise<void> {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/${session}?token=${token}`);
      await once(socket, 'open');
      const results = new Promise<void>((resolve) => {
        let remaining = count;
        socket.on(
          'message',
          (data: Buffer) => data.includes('"tool_result"') && --remaining === 0 && resolve(),
        );
      });
      for (let i = 0; i < count; i++) {
        const args = { path: 'a.txt' };
        socket.send(JSON.stringify({ type: 'tool_call', tool_name: 'read_file', call_id: `c${i}`, args }));
      }
      await results;
      socket.close();
    },
    async stop() {
      const before = performance.now();
      child.kill('SIGTERM');
      const closed = isDeaf ? once(child, 'exit') : once(child, 'close');
      const [code] = (await closed) as [number];
      return { code, stderr, ms: performance.now() - before };
    },
  };
}

async function refusal(options: Given) {
  const child = run(options);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stderr };
}

describe('serve', { timeout: 60_000 }, () => {
  test('SIGTERM sends what was traced, under the name and with the headers of the environment', async () => {
    await using collector = await otlpReceiver();
    const gateway = await serve({
      env: {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=marked-collector-key',
        OTEL_SERVICE_NAME: 'hands',
        OTEL_BSP_SCHEDULE_DELAY: '600000',
      },
    });
    await gateway.call('s1');
    expect(collector.spans).toEqual([]);
    const { code, stderr } = await gateway.stop();
    expect(code).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toEqual(['plan', 'judge', 'run', 'record', 'call']);
    expect(collector.spans[0]?.resource).toMatchObject({ 'service.name': 'hands' });
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-collector-key': 'marked-collector-key' },
    });
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'info gateway started',
      'info session opened',
      'info gateway stops',
    ]);
    expect(stderr).not.toMatch(/a-long-token|marked-collector-key/);
  });

  test('who does not read its lines holds up neither its work nor its end', async () => {
    const gateway = await serve({ args: ['--log-level', 'debug'], isDeaf: true });
    for (let i = 0; i < 12; i++) await gateway.call(`deaf-${i}`, 200);
    const { code, ms } = await gateway.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });

  test('the level is taken from the environment too, and nothing else is', async () => {
    const gateway = await serve({ env: { CODELAB_LOG_LEVEL: 'silent' } });
    await gateway.call('s2');
    expect((await gateway.stop()).stderr).toBe('');
    expect(await refusal({ args: ['serve', '--log-level', 'loud'] })).toMatchObject({ code: 2 });
    const wrong = await refusal({ args: ['serve'], env: { CODELAB_LOG_LEVEL: 'loud' } });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('CODELAB_LOG_LEVEL') });
  });

  test('the session log can be another file, which the other commands find by the same words', async () => {
    const file = join(scratch.folder, 'elsewhere', 'log.db');
    const gateway = await serve({ args: ['--log', `sqlite:${file}`, '--log-level', 'error'] });
    await gateway.call('there');
    expect((await gateway.stop()).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const list = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const child = run({ args: ['sessions', 'list', '--json'], env });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      await once(child, 'close');
      return stdout;
    };
    expect(await list({ CODELAB_LOG: `sqlite:${file}` })).toContain('"there"');
    expect(await list({})).not.toContain('"there"');
  });

  test('a session log that can not be is refused with the next step', async () => {
    const nats = await refusal({ args: ['serve', '--log', 'nats://127.0.0.1:1'] });
    expect(nats.code).not.toBe(0);
    expect(nats.stderr).toContain('start it, or correct --log');
    const inside = await refusal({ args: ['serve', '--log', `sqlite:${join(scratch.root, 'log.db')}`] });
    expect(inside.stderr).toContain('inside the workspace');
    expect(existsSync(join(scratch.root, 'log.db'))).toBe(false);
    const other = await refusal({ args: ['serve', '--log', 'postgres://x'] });
    expect(other.stderr).toContain('sqlite:PATH');
  });
});
