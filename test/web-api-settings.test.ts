// Settings from a screen: keys that go in and never out, the model of the next turn, and who may change them.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startGateway } from '@codelab/server/gateway';
import { expect, test } from 'vitest';
import { type HttpBench, httpBench } from './support/http-bench.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { byName, type Json } from './support/web-api.ts';

async function put(http: HttpBench, body: unknown, token = http.token): Promise<[number, Json]> {
  const answer = await fetch(`${http.url}/api/v1/settings`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [answer.status, (await answer.json()) as Json];
}

const key = 'sk-secret-0123456789';

test('a key goes in and never out, is kept for the user alone, and is used at once', async () => {
  await using http = await httpBench();
  expect((await http.get('/api/v1/settings')).body).toMatchObject({
    model: 'demo',
    is_demo: true,
    keys: { openai: false, anthropic: false },
    mode: 'strict',
    user: 'tester',
    workspace: http.bench.root,
    limits: { approval_seconds: 300 },
    sandbox: { choice: expect.any(String) },
  });
  const [status, said] = await put(http, { keys: { anthropic: key }, model: 'anthropic/claude-x' });
  expect([status, said]).toMatchObject([
    200,
    {
      model: 'anthropic/claude-x',
      model_label: 'claude-x',
      is_demo: false,
      keys: { openai: false, anthropic: true },
    },
  ]);
  expect(JSON.stringify([said, (await http.get('/api/v1/settings')).body])).not.toContain(key);
  const file = join(http.bench.home, 'keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    model: 'anthropic/claude-x',
    keys: { anthropic: key },
    base_urls: {},
  });
  expect((await http.get('/v1/models')).body).toMatchObject({
    data: [{ id: 'anthropic/claude-x' }, { id: 'demo' }],
  });
  expect(await put(http, { keys: { anthropic: null }, model: null })).toMatchObject([
    200,
    { model: 'demo', keys: { anthropic: false } },
  ]);
  expect(http.faults).toEqual([]);
});

test('what can’t be used is refused whole, and no message tells a key', async () => {
  await using http = await httpBench();
  for (const wanted of [
    { keys: { openai: 'has a space' } },
    { keys: { openai: 'line\nbreak' } },
    { keys: { openai: 'x'.repeat(1001) } },
    { keys: { google: key } },
    { keys: { anthropic: key }, model: 'nonsense' },
    { keys: { anthropic: key }, model: 'openai/gpt-x' },
    { base_urls: { openai: 'file:///etc/passwd' } },
    { base_urls: { openai: 'javascript:alert(1)' } },
    { mode: 'reckless' },
    { keys: { __proto__: key, openai: 'bad key' } },
  ]) {
    const [status, said] = await put(http, wanted);
    expect([wanted, status >= 400]).toEqual([wanted, true]);
    expect(JSON.stringify(said)).not.toMatch(/sk-secret|has a space|bad key/);
  }
  expect((await http.get('/api/v1/settings')).body).toMatchObject({
    model: 'demo',
    keys: { openai: false, anthropic: false },
  });
});

test('only the operator changes settings', async () => {
  await using http = await httpBench({ auth: byName });
  for (const wanted of [{ keys: { openai: key } }, { mode: 'trusted' }, { model: 'demo' }])
    expect(await put(http, wanted)).toMatchObject([403, { error: { code: 'PERMISSION_DENIED' } }]);
  expect((await http.get('/api/v1/settings')).body).toMatchObject({ mode: 'strict', is_operator: false });
});

test('another mode holds from the next call on', async () => {
  await using http = await httpBench();
  const { body } = await http.post('/api/v1/sessions');
  const call = { tool: 'write_file', args: { path: 'a.txt', content: 'x' } };
  expect(await put(http, { mode: 'trusted' })).toMatchObject([200, { mode: 'trusted' }]);
  const { body: done } = await http.post(`/api/v1/sessions/${String(body.id)}/calls`, call);
  expect(done).toMatchObject({ outcome: { status: 'completed' } });
});

test('models are those that the configured provider offers, and a provider that fails is left out', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end(
      JSON.stringify({ data: [{ id: 'tiny' }, { id: 'a b' }, { id: 7 }, null, { id: 'org/big' }] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await using http = await httpBench();
    expect((await http.get('/api/v1/models')).body).toEqual({
      models: [{ name: 'demo', label: 'Demo' }],
      current: 'demo',
    });
    const base = `http://127.0.0.1:${port}/v1`;
    await put(http, { keys: { openai: key }, base_urls: { openai: base, anthropic: 'http://127.0.0.1:1' } });
    expect((await http.get('/api/v1/models')).body).toEqual({
      models: [
        { name: 'openai/tiny', label: 'tiny' },
        { name: 'openai/org/big', label: 'org/big' },
        { name: 'demo', label: 'Demo' },
      ],
      current: 'demo',
    });
    await http.get('/api/v1/models');
    expect(asked).toEqual([`Bearer ${key}`]);
  } finally {
    server.close();
  }
});

test('what was set counts after a restart, more than the environment and less than what is named at the start', async () => {
  const { root, home } = scratchFolder();
  const env = { CODELAB_MODEL: 'demo', OPENAI_API_KEY: 'from-environment' };
  const modelOf = async (named?: string): Promise<string> => {
    const compose = { workspace: root, home, env };
    await using running = await startGateway({
      port: 0,
      compose,
      ...(named !== undefined && { model: named }),
    });
    return (await running.gateway.openModel()).name;
  };
  expect(await modelOf()).toBe('demo');
  writeFileSync(
    join(home, 'keys.json'),
    JSON.stringify({ model: 'anthropic/claude-x', keys: { anthropic: key } }),
  );
  expect(await modelOf()).toBe('anthropic/claude-x');
  expect(await modelOf('openai/gpt-x')).toBe('openai/gpt-x');
  expect(env).toEqual({ CODELAB_MODEL: 'demo', OPENAI_API_KEY: 'from-environment' });
  writeFileSync(join(home, 'keys.json'), '[]');
  await expect(modelOf()).rejects.toThrow('keys.json');
});
