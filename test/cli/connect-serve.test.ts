// `codelab serve` without files of its own and `codelab connect` with them, both as processes; the gateway is killed and comes back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { CodeLabAPI, StreamingClient } from '@codelab/client';
import { expect, test } from 'vitest';
import { freePort } from '../support/bad-lines.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { connectBench } from '../support/connect-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const token = 'secret-token';

async function serve(folder: string, home: string, port: number) {
  const ready = join(folder, 'ready.json');
  rmSync(ready, { force: true });
  const appears = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      if (!existsSync(ready)) return;
      watcher.close();
      resolve();
    });
  });
  const words = [
    'serve',
    '--no-workspace',
    '--port',
    String(port),
    '--ready-file',
    ready,
    '--model',
    'demo',
    '--no-web',
  ];
  const child = spawn(process.execPath, [codelabProgram, ...words], {
    cwd: folder,
    env: { ...process.env, CODELAB_HOME: home, CODELAB_TOKEN: token },
    stdio: 'ignore',
  });
  await Promise.race([appears, once(child, 'exit').then(() => Promise.reject(new Error('serve ended')))]);
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('calls at the gateway are carried out where `connect` is, before and after the gateway was killed', {
  timeout: 90_000,
}, async () => {
  using remoteFolder = scratchFolder();
  using localFolder = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const api = new CodeLabAPI({ url, token });
  const write = (call_id: string, content: string) =>
    api.call('s1', { tool: 'write_file', args: { path: 'a.txt', content }, call_id, approve: true });
  const received: string[] = [];
  const listen = (): StreamingClient<'neutral'> => {
    const client = new StreamingClient({
      url,
      session: 's1',
      wire: 'neutral',
      token,
      since: 0,
      backoff: { firstMs: 50, mostMs: 500 },
    });
    client.on('event', ({ event: { body } }) => body.type === 'call.finished' && received.push(body.callId));
    return client;
  };
  const first = await serve(remoteFolder.folder, remoteFolder.home, port);
  await using connect = connectBench({ ...localFolder, url, args: ['--trust-gateway'] });
  await connect.next('connected');
  using client = listen();
  await client.connect();
  expect(await write('c1', 'two\n')).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('two\n');
  await first[Symbol.asyncDispose]();
  await connect.next('waiting');
  await using _second = await serve(remoteFolder.folder, remoteFolder.home, port);
  await connect.next('connected');
  expect(await write('c2', 'three\n')).toMatchObject({ status: 'completed' });
  await expect.poll(() => received, { timeout: 10_000 }).toEqual(['c1', 'c2']);
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('three\n');
  // Said before and done: it is remembered, not repeated.
  expect(await write('c1', 'two\n')).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('three\n');
  expect(readdirSync(remoteFolder.root)).toEqual([]);
});
