// Signing in where people bring their own tokens: their session lasts no longer than their token.
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SignedInPage, signIn } from '../support/signed-in-page.ts';

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
  const ann = await signIn(bench, sign('ann', 600));
  const bob = await signIn(bench, sign('bob', 600));
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: sign('ann', 600) }),
  });
  const seconds = Number(/Max-Age=(\d+)/.exec(login.headers.get('set-cookie') ?? '')?.[1]);
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(600);
  const created = (await (await ann.request('POST', '/api/v1/sessions', { title: 'Ann’s' })).json()) as {
    id: string;
  };
  const get = async ({ cookie, secret }: SignedInPage, path: string): Promise<unknown> =>
    (await fetch(url + path, { headers: { cookie, 'x-codelab-page': secret } })).json();
  expect(await get(ann, '/api/v1/sessions')).toMatchObject({ total: 1, sessions: [{ id: created.id }] });
  expect(await get(bob, '/api/v1/sessions')).toMatchObject({ total: 0 });
  const path = `/api/v1/sessions/${created.id}/messages`;
  expect((await bob.request('POST', path, { content: 'x' })).status).toBe(403);
  // A link that somebody made would sign its reader in as that one.
  const link = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: sign('bob', 600), link: true }),
  });
  expect([link.status, link.headers.get('set-cookie')]).toEqual([401, null]);
  expect(await get(bob, '/api/v1/settings')).toMatchObject({ user: 'bob', is_operator: false });
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
  const cookie = `codelab_session=${tokens[0]}`;
  expect((await fetch(`${url}/api/v1/sessions`, { headers: { cookie } })).status).toBe(401);
  expect(bench.faults).toEqual([]);
});
