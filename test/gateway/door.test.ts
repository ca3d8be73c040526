// Access to the gateway: names, origins, tokens, JWTs, and the ownership of sessions.
import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** The status of a plain request with exactly these headers. */
function statusOf(bench: GatewayBench, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${bench.running.url}${path}`,
      { headers, setHost: false, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const refusal = (bench: GatewayBench, session: string, options: Parameters<GatewayBench['connect']>[1]) =>
  bench.connect(session, options).then(
    () => 'let in',
    (error: Error) => error.message,
  );

test('without the right token nothing is told, except whether the gateway lives', async () => {
  await using bench = await gatewayBench();
  for (const path of ['/health', '/health/live', '/health/ready'])
    expect((await bench.request(path, { token: '' })).status).toBe(200);
  for (const path of ['/api/v1/sessions', '/api/v1/agents', '/api/v1/tools', '/ws/s1', '/nothing'])
    expect((await bench.request(path, { token: 'wrong' })).status).toBe(401);
  expect((await bench.request('/api/v1/sessions?token=secret-token', { token: '' })).status).toBe(401);
  const answer = await bench.request('/api/v1/sessions', { token: 'wrong' });
  expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
  expect(await refusal(bench, 's1', { token: 'wrong' })).toBe('refused: 401');
  expect(await refusal(bench, 's1', { token: '' })).toBe('refused: 401');
});

test('a token is taken as bearer, as API key, and from the address of a socket', async () => {
  await using bench = await gatewayBench();
  const host = new URL(bench.running.url).host;
  expect(await statusOf(bench, '/api/v1/sessions', { host, 'x-api-key': 'secret-token' })).toBe(200);
  const byQuery = await bench.connect('s1', {
    query: '?token=secret-token',
    headers: { authorization: '' },
  });
  await byQuery.next('session_info');
});

test('foreign names and foreign pages are refused, on every way in', async () => {
  await using bench = await gatewayBench();
  const { host, port } = new URL(bench.running.url);
  const authorization = 'Bearer secret-token';
  const get = (headers: Record<string, string>, path = '/api/v1/sessions') =>
    statusOf(bench, path, { authorization, ...headers });
  expect(await get({ host })).toBe(200);
  expect(await get({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
  for (const name of ['evil.test', `evil.test:${port}`, `127.0.0.1.evil.test:${port}`, 'localhost@evil.test'])
    expect(await get({ host: name })).toBe(403);
  expect(await get({ host: 'evil.test' }, '/health')).toBe(403);
  for (const origin of ['https://evil.test', 'null', 'http://localhost:1', `http://127.0.0.1:${port}0`])
    expect(await get({ host, origin })).toBe(403);
  for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:1'])
    expect(await refusal(bench, 's1', { headers: { origin } })).toBe('refused: 403');
  expect(await refusal(bench, 's1', { headers: { host: 'evil.test' } })).toBe('refused: 403');
  expect(await refusal(bench, 's1', { headers: { origin: bench.running.url } })).toBe('let in');
});

test('who guesses tokens is soon not heard any more, and others still are', async () => {
  await using bench = await gatewayBench();
  const statuses = await Promise.all(
    Array.from(
      { length: 60 },
      async () => (await bench.request('/api/v1/agents', { token: 'guess' })).status,
    ),
  );
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(31);
  expect(statuses.at(-1)).toBe(429);
  expect((await bench.request('/api/v1/agents')).status).toBe(200);
});

test('a wrong address is refused before it becomes a socket', async () => {
  await using bench = await gatewayBench();
  expect(await refusal(bench, '..%2f..%2fetc', {})).toBe('refused: 400');
  expect(await refusal(bench, '%00', {})).toBe('refused: 400');
  expect(await refusal(bench, '%zz', {})).toBe('refused: 400');
  expect(await refusal(bench, 's1', { query: '?role=king' })).toBe('refused: 400');
  expect(await refusal(bench, 's1', { query: '?since=-1' })).toBe('refused: 400');
  expect(await refusal(bench, 's1', { prefix: '/elsewhere' })).toBe('refused: 400');
});

const issuer = 'https://auth.codelab.local';
const audience = 'codelab-api';

type Claims = { exp?: number; aud?: string };

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function unsigned(alg: string, sub: string, { exp = inAnHour(), aud = audience }: Claims = {}): string {
  return `${part({ alg, kid: 'k1' })}.${part({ sub, iss: issuer, aud, exp })}`;
}

/** An issuer of tokens of its own, signed by hand. */
function issuing() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const folder = scratchFolder();
  const jwks = join(folder.folder, 'keys.json');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' };
  writeFileSync(jwks, JSON.stringify({ keys: [key] }));
  const sign = (sub: string, claims?: Claims): string => signText(unsigned('ES256', sub, claims));
  const claim = (claims: object): string => signText(`${part({ alg: 'ES256', kid: 'k1' })}.${part(claims)}`);
  const signText = (text: string): string => {
    const by = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${text}.${signBytes('sha256', Buffer.from(text), by).toString('base64url')}`;
  };
  return { ...folder, jwt: { jwks, issuer, audience }, sign, claim };
}

test('a signed token whose claims are of the wrong kind is refused, and is no defect', async () => {
  using keys = issuing();
  const { jwt, claim } = keys;
  await using bench = await gatewayBench({ jwt });
  const claims = { sub: 'ann', iss: issuer, aud: audience, exp: inAnHour() };
  expect((await bench.request('/api/v1/sessions', { token: claim(claims) })).status).toBe(200);
  for (const wrong of [
    ...[5, true, null, '', ['ann'], { name: 'ann' }, 'x'.repeat(2000)].map((sub) => ({ sub })),
    ...['soon', null, [1], {}].map((exp) => ({ exp })),
    ...[5, null, {}].map((aud) => ({ aud })),
    ...[5, null, {}].map((iss) => ({ iss })),
    ...['x', {}].map((nbf) => ({ nbf })),
  ]) {
    const token = claim({ ...claims, ...wrong });
    expect([wrong, (await bench.request('/api/v1/agents', { token })).status]).toEqual([wrong, 401]);
  }
  expect(bench.faults).toEqual([]);
});

test('a gateway that could prove nobody’s token does not start', async () => {
  const { folder } = scratchFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  for (const jwks of [
    join(folder, 'none.json'),
    file('broken.json', '{'),
    file('other.json', '{"k":1}'),
    file('empty.json', '{"keys":[]}'),
    'http://127.0.0.1:9/keys',
  ])
    await expect(gatewayBench({ jwt: { jwks, issuer, audience } })).rejects.toThrow(
      /keys at .* can’t be read/,
    );
});

test('a session belongs to whoever made it; the holder of the gateway’s token sees all', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const [anna, ben] = [keys.sign('anna'), keys.sign('ben')];
  const hers = await bench.connect('annas', { token: anna });
  await hers.next('session_info');
  expect(await refusal(bench, 'annas', { token: ben })).toBe('refused: 403');
  const statusAs = async (token: string, path: string, method = 'GET') =>
    (await bench.request(path, { token, method })).status;
  for (const path of ['', '/history', '/pending-approvals', '/events'])
    expect(await statusAs(ben, `/api/v1/sessions/annas${path}`)).toBe(403);
  expect(await statusAs(ben, '/api/v1/sessions/annas', 'DELETE')).toBe(403);
  expect(await statusAs(anna, '/api/v1/sessions/annas')).toBe(200);
  const countSessions = async (token: string) =>
    ((await (await bench.request('/api/v1/sessions', { token })).json()) as { total: number }).total;
  expect([await countSessions(anna), await countSessions(ben), await countSessions('secret-token')]).toEqual([
    1, 0, 1,
  ]);
});

test('who decided stands in the record under the name of the token', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const client = await bench.connect('s1', { token: keys.sign('anna') });
  client.send({
    type: 'tool_call',
    tool_name: 'write_file',
    call_id: 'c1',
    args: { path: 'a', content: '' },
  });
  await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  await client.next('tool_result');
  const events = await bench.running.gateway.host.log.read('s1');
  const decided = events.find(({ body }) => body.type === 'approval.decided');
  expect(decided?.body).toMatchObject({ by: { who: 'anna', via: 'websocket' } });
});

test('tokens that are old, for others, unsigned or signed otherwise are refused', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const good = keys.sign('anna');
  const [header = '', payload = ''] = good.split('.');
  const none = `${unsigned('none', 'anna')}.`;
  const text = unsigned('HS256', 'anna');
  const hmac = `${text}.${createHmac('sha256', 'k'.repeat(32)).update(text).digest('base64url')}`;
  using others = issuing();
  const other = others.sign('anna');
  const bad = [
    keys.sign('anna', { exp: Math.floor(Date.now() / 1000) - 10 }),
    keys.sign('anna', { aud: 'another' }),
    keys.sign(''),
    none,
    hmac,
    other,
    `${header}.${payload}.AAAA`,
    'a.b.c',
  ];
  for (const token of bad) expect((await bench.request('/api/v1/agents', { token })).status).toBe(401);
  expect((await bench.request('/api/v1/agents', { token: good })).status).toBe(200);
});

test('a socket ends with the proof of who holds it', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const token = keys.sign('anna', { exp: Math.floor(Date.now() / 1000) + 2 });
  const client = await bench.connect('s1', { token });
  expect(await client.closed).toEqual({ code: 1008, reason: 'TOKEN_EXPIRED' });
});
