// State that several gateways over one log on NATS share: rate limits, remembered rules, and signed-in browsers.
import { createHmac, hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;

const token = 'a-long-token';
const scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
let servers: NatsServers;

async function spawn(name: string): Promise<SpawnedGateway> {
  const home = join(scratch.folder, name);
  mkdirSync(home);
  return await spawnGateway({
    ...{ root: scratch.root, home, log: `${servers.url}?wait=20&lease=2` },
    web: join(import.meta.dirname, '../../apps/web/dist'),
  });
}

async function ask(
  { url }: SpawnedGateway,
  method: string,
  path: string,
  { body, bearer = token }: { body?: Json; bearer?: string } = {},
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

/** The gateways' address for a browser: a load balancer. */
const origin = 'http://127.0.0.1:4000';

type Sent = { headers?: Record<string, string>; body?: string };
type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Json };

/** As a load balancer forwards it, with the host name that the browser requested. */
async function send(
  at: SpawnedGateway,
  method: string,
  path: string,
  { headers, body }: Sent = {},
): Promise<Answer> {
  const all = { ...headers, host: '127.0.0.1:4000', origin, 'content-type': 'application/json' };
  const request = httpRequest(new URL(path, at.url), { method, headers: all });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  const isJson = answer.headers['content-type']?.includes('json') === true;
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: isJson ? (JSON.parse(text) as Json) : {},
  };
}

/** A page that is signed in at one gateway, and sends its requests to any. */
async function signIn(at: SpawnedGateway, proof: Json) {
  const { status, headers, body } = await send(at, 'POST', '/login', { body: JSON.stringify(proof) });
  if (status !== 200) return { status };
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const ownHeaders = { cookie, 'x-codelab-page': String(body.secret) };
  async function proven(epochAt: SpawnedGateway, method: string, path: string, text: string) {
    const epoch = String(
      (await send(epochAt, 'GET', '/api/v1/agents', { headers: ownHeaders })).headers['x-codelab-epoch'],
    );
    const nonce = randomUUID();
    const signedText = [method, path, epoch, nonce, hash('sha256', text)].join('\n');
    const mac = createHmac('sha256', String(body.key)).update(signedText).digest('hex');
    return { headers: { ...ownHeaders, 'x-codelab-proof': `${epoch}.${nonce}.${mac}` }, body: text };
  }
  return { status, own: ownHeaders, proven };
}

describe.skipIf(natsProgram === undefined)('gateways over one log on NATS', () => {
  let a: SpawnedGateway;
  let b: SpawnedGateway;
  beforeAll(async () => {
    servers = await startNatsServers();
    [a, b] = await Promise.all([spawn('a'), spawn('b')]);
  });
  afterAll(async () => {
    await Promise.all([a?.kill(), b?.kill()]);
    await servers?.[Symbol.asyncDispose]();
    scratch[Symbol.dispose]();
  });

  const ids = async (at: SpawnedGateway): Promise<string[]> => {
    const { rules } = (await ask(at, 'GET', '/policy')).body as { rules: { id: string }[] };
    return rules.map(({ id }) => id);
  };

  test('a rule that is kept at one counts at the other, until it is removed at any', async () => {
    const rule = { id: 'shared', effect: 'deny', tool: 'read_file', path: 'a.txt', reason: 'not this one' };
    expect(await ids(b)).not.toContain('shared');
    const created = await ask(a, 'POST', '/policy/rules', { body: { scope: 'workspace', rule } });
    expect(created).toMatchObject({ status: 201 });
    await expect.poll(() => ids(b)).toContain('shared');
    const { session_id: session } = (await ask(b, 'POST', '/sessions', { body: {} })).body;
    const call = { tool: 'read_file', args: { path: 'a.txt' } };
    const { body } = await ask(b, 'POST', `/sessions/${session}/calls`, { body: call });
    expect(body).toMatchObject({ outcome: { error: { code: 'PERMISSION_DENIED' } } });
    await using lateNode = await spawn('late');
    expect(await ids(lateNode)).toContain('shared');
    await ask(b, 'DELETE', '/policy/rules/shared');
    expect(await ids(b)).not.toContain('shared');
    await expect.poll(() => ids(a)).not.toContain('shared');
  });

  test('a page that signed in at one is signed in at all, and each of its changes counts once', async () => {
    const { own = {}, proven } = await signIn(a, { token });
    if (proven === undefined) throw new Error('refused');
    expect(await send(b, 'GET', '/api/v1/sessions', { headers: own })).toMatchObject({ status: 200 });
    // The proof names what the other gateway said last.
    const signedRequest = await proven(a, 'POST', '/api/v1/sessions', '{}');
    const { status, body } = await send(b, 'POST', '/api/v1/sessions', signedRequest);
    expect(status).toBe(201);
    for (const at of [a, b])
      expect(await send(at, 'POST', '/api/v1/sessions', signedRequest)).toMatchObject({
        status: 403,
        body: { error: { details: { reason: 'PROOF_REPLAYED' } } },
      });
    // The session is with the one where it was made: the other hands it on, in the name of the page.
    const path = `/api/v1/sessions/${body.session_id}/calls`;
    const call = JSON.stringify({ tool: 'read_file', args: { path: 'a.txt' } });
    for (const at of [a, b]) {
      const answer = await send(at, 'POST', path, await proven(b, 'POST', path, call));
      expect(answer).toMatchObject({ status: 200, body: { outcome: { status: 'completed' } } });
    }
    const out = await send(b, 'POST', '/logout', await proven(b, 'POST', '/logout', ''));
    expect(out.status).toBeLessThan(300);
    await expect
      .poll(async () => (await send(a, 'GET', '/api/v1/sessions', { headers: own })).status)
      .toBe(401);
  });

  test('a sign-in link of one is good at another, once', async () => {
    const code = new URL(await a.signInLink()).searchParams.get('code');
    await expect.poll(async () => (await signIn(b, { code })).status).toBe(200);
    const second = await Promise.all([signIn(b, { code }), signIn(a, { code })]);
    expect(second.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(0);
  });

  test('whoever only says that a request was handed on is asked for a token', async () => {
    const headers = {
      'x-codelab-hop': `${Buffer.from('{"subject":"x","isOperator":true}').toString('base64url')}.AAAA`,
    };
    expect(await send(a, 'GET', '/api/v1/sessions', { headers })).toMatchObject({ status: 401 });
  });

  test('wrong tokens are counted together', async () => {
    const guess = async (at: SpawnedGateway): Promise<number> =>
      (await ask(at, 'GET', '/sessions', { bearer: 'guessed' })).status;
    // Thirty at once are let pass, and one in two seconds.
    const statuses: number[] = [];
    while (statuses.length < 60 && statuses.at(-1) !== 429) statuses.push(await guess(a));
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    // Far fewer than the other one lets pass by itself.
    await expect.poll(() => guess(b), { timeout: 5000, interval: 500 }).toBe(429);
  });
});
