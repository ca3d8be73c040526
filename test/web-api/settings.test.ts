// Settings from a screen: keys that go in and never out, the model of the next turn, and who may change them.
import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadModelConfig, setTrust } from '@codelab/server';
import { startGateway } from '@codelab/server/gateway';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { type HttpBench, httpBench } from '../support/http-bench.ts';
import { json, modelServer } from '../support/model-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { byName, type Json } from '../support/web-api.ts';

async function putSettings(http: HttpBench, body: unknown, token = http.token): Promise<[number, Json]> {
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
  const [status, answer] = await putSettings(http, { keys: { anthropic: key }, model: 'anthropic/claude-x' });
  expect([status, answer]).toMatchObject([
    200,
    {
      model: 'anthropic/claude-x',
      model_label: 'claude-x',
      is_demo: false,
      keys: { openai: false, anthropic: true },
    },
  ]);
  expect(JSON.stringify([answer, (await http.get('/api/v1/settings')).body])).not.toContain(key);
  const file = join(http.bench.home, 'keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ keys: { anthropic: key }, base_urls: {} });
  // The place that `codelab` reads as well.
  const storedConfig = readFileSync(join(http.bench.home, 'config.json'), 'utf8');
  expect(JSON.parse(storedConfig)).toEqual({ model: 'anthropic/claude-x' });
  expect((await http.get('/v1/models')).body).toMatchObject({
    data: [{ id: 'anthropic/claude-x' }, { id: 'demo' }],
  });
  expect(await putSettings(http, { keys: { anthropic: null }, model: null })).toMatchObject([
    200,
    { model: 'demo', keys: { anthropic: false } },
  ]);
  expect(http.faults).toEqual([]);
});

test('what can’t be used is refused whole, and no message tells a key', async () => {
  await using http = await httpBench();
  for (const change of [
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
    const [status, answer] = await putSettings(http, change);
    expect([change, status >= 400]).toEqual([change, true]);
    expect(JSON.stringify(answer)).not.toMatch(/sk-secret|has a space|bad key/);
  }
  expect((await http.get('/api/v1/settings')).body).toMatchObject({
    model: 'demo',
    keys: { openai: false, anthropic: false },
  });
});

test('only the operator changes settings', async () => {
  await using http = await httpBench({ auth: byName });
  for (const change of [
    { keys: { openai: key } },
    { mode: 'trusted' },
    { workspace_mode: 'review' },
    { instruction_trust: 'trusted' },
    { model: 'demo' },
  ])
    expect(await putSettings(http, change)).toMatchObject([403, { error: { code: 'PERMISSION_DENIED' } }]);
  expect((await http.get('/api/v1/settings')).body).toMatchObject({ mode: 'strict', is_operator: false });
});

test('the mode of new sessions is the one chosen for the workspace, unless a flag or a configuration names one', async () => {
  await using bench = await gatewayBench();
  const settings = async (): Promise<unknown[]> => {
    const body = (await (await bench.request('/api/v1/settings')).json()) as Json;
    return [body.mode, body.new_session_mode, body.mode_from];
  };
  const choose = async (body: Json): Promise<number> =>
    (await bench.request('/api/v1/settings', { method: 'PUT', body: JSON.stringify(body) })).status;
  expect(await settings()).toEqual(['strict', 'balanced', 'default']);
  expect(await choose({ workspace_mode: 'review' })).toBe(200);
  await bench.restart();
  expect(await settings()).toEqual(['strict', 'review', 'chosen']);
  expect(await choose({ workspace_mode: null })).toBe(200);
  expect(await settings()).toEqual(['strict', 'balanced', 'default']);
  expect(await choose({ workspace_mode: 'reckless' })).toBe(400);
  await choose({ workspace_mode: 'review' });
  writeFileSync(join(bench.home, 'config.json'), '{ "policy": { "mode": "balanced" } }');
  await bench.restart();
  expect(await settings()).toEqual(['balanced', 'balanced', 'named']);
});

test('another mode holds from the next call on', async () => {
  await using http = await httpBench();
  const { body } = await http.post('/api/v1/sessions');
  const call = { tool: 'write_file', args: { path: 'a.txt', content: 'x' } };
  expect(await putSettings(http, { mode: 'trusted' })).toMatchObject([200, { mode: 'trusted' }]);
  const { body: outcome } = await http.post(`/api/v1/sessions/${String(body.id)}/calls`, call);
  expect(outcome).toMatchObject({ outcome: { status: 'completed' } });
});

test('models are those that the configured provider offers, and a provider that fails is left out', async () => {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
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
    await putSettings(http, {
      keys: { openai: key },
      base_urls: { openai: base, anthropic: 'http://127.0.0.1:1' },
    });
    expect((await http.get('/api/v1/models')).body).toEqual({
      models: [
        { name: 'openai/tiny', label: 'tiny' },
        { name: 'openai/org/big', label: 'org/big' },
        { name: 'demo', label: 'Demo' },
      ],
      current: 'demo',
    });
    await http.get('/api/v1/models');
    expect(authorizations).toEqual([`Bearer ${key}`]);
  } finally {
    server.close();
  }
});

test('what was set counts after a restart: less than what is named at the start or in CODELAB_MODEL, more than what a key implies', async () => {
  const { root, home } = scratchFolder();
  const modelOf = async (modelName?: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const compose = { workspace: root, home, env };
    await using running = await startGateway({
      port: 0,
      compose,
      ...(modelName !== undefined && { model: modelName }),
    });
    return (await running.gateway.openModel()).name;
  };
  await expect(modelOf()).rejects.toThrow('No model is set');
  expect(await modelOf(undefined, { OPENAI_API_KEY: 'k' })).toBe('openai/gpt-5');
  writeFileSync(join(home, 'keys.json'), JSON.stringify({ keys: { anthropic: key } }));
  writeFileSync(join(home, 'config.json'), '{ "model": "anthropic/claude-x" }');
  expect(await modelOf(undefined, { OPENAI_API_KEY: 'k' })).toBe('anthropic/claude-x');
  expect(await modelOf(undefined, { CODELAB_MODEL: 'demo' })).toBe('demo');
  expect(await modelOf('demo')).toBe('demo');
  // From before the model had its place in config.json.
  writeFileSync(join(home, 'config.json'), '{}');
  writeFileSync(
    join(home, 'keys.json'),
    JSON.stringify({ model: 'anthropic/old', keys: { anthropic: key } }),
  );
  expect(await modelOf()).toBe('anthropic/old');
  writeFileSync(join(home, 'keys.json'), '[]');
  await expect(modelOf()).rejects.toThrow('keys.json');
});

test('a workspace may name a model once it is trusted, and never where keys are sent', async () => {
  const { root, home } = scratchFolder({ files: { '.codelab/config.json': '{ "model": "demo" }' } });
  const load = () => loadModelConfig({ home, root: realpathSync(root) });
  expect(load()).toEqual({});
  await setTrust(home, realpathSync(root), '{ "model": "demo" }');
  expect(load()).toEqual({ model: 'demo' });
  const workspaceConfig = '{ "providers": { "openai": { "base_url": "https://evil.example/v1" } } }';
  writeFileSync(join(root, '.codelab/config.json'), workspaceConfig);
  await setTrust(home, realpathSync(root), workspaceConfig);
  expect(load).toThrow('the user’s own setting');
});

test('a provider is tried with a key that is not kept; without a model nothing is chosen', async () => {
  await using server = await modelServer(({ headers }) =>
    headers.authorization === `Bearer ${key}`
      ? json({ data: [{ id: 'tiny' }, { id: 'gpt-5' }] })
      : json({ error: { message: 'no' } }, 401),
  );
  await using http = await httpBench({ env: { OLLAMA_HOST: 'http://127.0.0.1:9' } });
  expect((await http.get('/api/v1/settings')).body).toMatchObject({ model: '', is_demo: false });
  expect((await http.get('/v1/models')).body).toMatchObject({ data: [{ id: 'demo' }] });
  const attempt = (body: object) => http.post('/api/v1/models/providers/try', body);
  const base_url = `${server.url}/v1`;
  expect(await attempt({ provider: 'openai', key, base_url })).toMatchObject({
    status: 200,
    body: { models: ['openai/tiny', 'openai/gpt-5'], model: 'openai/gpt-5' },
  });
  const refused = await attempt({ provider: 'openai', key: 'sk-other-0123456789', base_url });
  expect(refused).toMatchObject({ body: { error: { code: 'LLM_ERROR', details: { reason: 'key' } } } });
  expect(JSON.stringify(refused.body)).not.toContain('sk-other');
  expect(await attempt({ provider: 'openai' })).toMatchObject({ status: 400 });
  expect(await attempt({ provider: 'nobody', key, base_url })).toMatchObject({ status: 400 });
  expect((await http.get('/api/v1/settings')).body).toMatchObject({ keys: { openai: false } });
  const { body } = await http.get('/api/v1/models/providers');
  expect(body.providers).toContainEqual(
    expect.objectContaining({
      name: 'ollama',
      is_local: true,
      is_ready: true,
      models: [],
      problem: expect.any(String),
    }),
  );
  await putSettings(http, { keys: { openai: key }, base_urls: { openai: base_url }, model: 'openai/tiny' });
  expect((await http.get('/api/v1/settings')).body).toMatchObject({
    model: 'openai/tiny',
    keys: { openai: true },
  });
});
