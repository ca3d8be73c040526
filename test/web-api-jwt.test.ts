// Signing in where people bring their own tokens: the cookie holds theirs, and lasts no longer than it does.
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from './support/gateway-bench.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const issuer = 'https://auth.codelab.local';
const audience = 'codelab-api';

function issuing() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { folder } = scratchFolder();
  const jwks = join(folder, 'keys.json');
  writeFileSync(
    jwks,
    JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }] }),
  );
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = (sub: string, seconds: number): string => {
    const exp = Math.floor(Date.now() / 1000) + seconds;
    const text = `${part({ alg: 'ES256', kid: 'k' })}.${part({ sub, iss: issuer, aud: audience, exp })}`;
    const by = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${text}.${signBytes('sha256', Buffer.from(text), by).toString('base64url')}`;
  };
  return { web: folder, jwt: { jwks, issuer, audience }, sign };
}

test('a pasted JWT signs in until it expires, and each sees their own sessions', async () => {
  const { web, jwt, sign } = issuing();
  await using bench = await gatewayBench({ web, jwt });
  const { url } = bench.running;
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      body: JSON.stringify(body),
    });
  const signIn = async (token: string): Promise<string> => {
    const answer = await post('/login', { token });
    expect(answer.status).toBe(200);
    return answer.headers.get('set-cookie') ?? '';
  };
  const ann = await signIn(sign('ann', 600));
  const seconds = Number(/Max-Age=(\d+)/.exec(ann)?.[1]);
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(600);
  const bob = await signIn(sign('bob', 600));
  const as = (cookie: string): { cookie: string } => ({ cookie: cookie.split(';')[0] ?? '' });
  const made = (await (await post('/api/v1/sessions', { title: 'Ann’s' }, as(ann))).json()) as { id: string };
  const list = async (cookie: string): Promise<unknown> =>
    (await fetch(`${url}/api/v1/sessions`, { headers: as(cookie) })).json();
  expect(await list(ann)).toMatchObject({ total: 1, sessions: [{ id: made.id }] });
  expect(await list(bob)).toMatchObject({ total: 0 });
  expect((await post(`/api/v1/sessions/${made.id}/messages`, { content: 'x' }, as(bob))).status).toBe(403);
  const link = await fetch(`${url}/?token=${sign('bob', 600)}`, { redirect: 'manual' });
  expect([link.status, link.headers.get('set-cookie')]).toEqual([401, null]);
  const settings = await fetch(`${url}/api/v1/settings`, { headers: as(bob) });
  expect(await settings.json()).toMatchObject({ user: 'bob', is_operator: false });
});

test('one that has expired, or is not signed by the issuer, signs nobody in', async () => {
  const { web, jwt, sign } = issuing();
  await using bench = await gatewayBench({ web, jwt });
  const { url } = bench.running;
  const tokens = [sign('ann', -60), issuing().sign('ann', 600), 'x.y.z', 'a'.repeat(7000)];
  for (const token of tokens) {
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
  }
  const cookie = `codelab_token=${tokens[0]}`;
  expect((await fetch(`${url}/api/v1/sessions`, { headers: { cookie } })).status).toBe(401);
  expect(bench.faults).toEqual([]);
});
