// Tokens that run out while a client works: it asks for the next one, and nothing is lost in between.
import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, CodeLabAPI, StreamingClient, type TokenRequest } from '@codelab/client';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const issuer = 'https://auth.codelab.local';
const audience = 'codelab-api';

/** An issuer whose keys are in a file. */
function issuing() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const scratch = scratchFolder();
  const jwks = join(scratch.folder, 'keys.json');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' };
  writeFileSync(jwks, JSON.stringify({ keys: [key] }));
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  let count = 0;
  const sign = (seconds: number): string => {
    const exp = Math.floor(Date.now() / 1000) + seconds;
    const claims = { sub: 'anna', iss: issuer, aud: audience, exp, jti: String(++count) };
    const text = `${part({ alg: 'ES256', kid: 'k1' })}.${part(claims)}`;
    const by = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${text}.${signBytes('sha256', Buffer.from(text), by).toString('base64url')}`;
  };
  return { ...scratch, jwt: { jwks, issuer, audience }, sign };
}

type Keys = ReturnType<typeof issuing>;

/** Keeps a token until it is told that it was refused, as an editor does; `asked` are the tokens that were. */
function keeping({ sign }: Keys, seconds: number, first = sign(seconds)) {
  const refusedTokens: (string | undefined)[] = [];
  let token = first;
  const source = async ({ refused }: TokenRequest): Promise<string> => {
    refusedTokens.push(refused);
    if (refused === token) token = sign(seconds);
    return token;
  };
  return { source, asked: refusedTokens, first };
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(15_000);
  while (!isSo()) {
    deadline.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each(['websocket', 'sse'] as const)(
  'a stream over %s outlives its tokens',
  { timeout: 20_000 },
  async (transport) => {
    using keys = issuing();
    await using bench = await gatewayBench({ jwt: keys.jwt });
    const { url } = bench.running;
    const { source, asked, first } = keeping(keys, 2);
    const api = new CodeLabAPI({ url, token: () => keys.sign(60) });
    const { id } = await api.sessions.create({ title: 'zero' });
    using client = new StreamingClient({
      url,
      session: id,
      wire: 'neutral',
      transport,
      since: 0,
      token: source,
      backoff: { firstMs: 20, mostMs: 50 },
    });
    const titles: string[] = [];
    const names: string[] = [];
    client.onState(({ name }) => names.push(name));
    client.on('event', ({ event }) => {
      if (event.body.type === 'session.titled') titles.push(event.body.title);
    });
    await client.connect();
    await api.sessions.rename(id, 'one');
    await until(() => titles.includes('one'));
    // The line is closed when the first token runs out, and stands again with the next.
    await until(() => asked.includes(first) && client.state.name === 'open');
    await api.sessions.rename(id, 'two');
    await until(() => titles.includes('two'));
    expect(titles).toEqual(['zero', 'one', 'two']);
    expect(names.filter((name) => name === 'closed')).toEqual([]);
  },
);

test('a request that nobody was let in with is made again with a new token, whatever it does', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const { source, asked, first } = keeping(keys, 60, keys.sign(-10));
  const api = new CodeLabAPI({ url: bench.running.url, token: source, retries: 0 });
  const { id } = await api.sessions.create({ title: 'made once' });
  expect(asked).toEqual([undefined, first]);
  expect((await api.sessions.get(id)).title).toBe('made once');
  expect(asked).toHaveLength(3);
  expect(await bench.running.gateway.host.log.sessions()).toHaveLength(1);
});

test('new tokens that are no better than the old one end it', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const { url } = bench.running;
  let askCount = 0;
  const token = (): string => {
    askCount++;
    return keys.sign(-10);
  };
  const api = new CodeLabAPI({ url, token });
  await expect(api.sessions.list()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  expect(askCount).toBe(2);
  const client = new StreamingClient({ url, session: 's1', wire: 'neutral', token });
  await expect(client.connect()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  expect(askCount).toBe(4);
  expect(client.state.name).toBe('closed');
});

test('a token that is a text is not tried twice', async () => {
  using keys = issuing();
  await using bench = await gatewayBench({ jwt: keys.jwt });
  const { url } = bench.running;
  const client = new StreamingClient({ url, session: 's1', wire: 'agent', token: keys.sign(2) });
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  client.onState((state) => {
    if (state.name === 'closed') resolve(state.error);
  });
  await client.connect();
  expect(await closed).toMatchObject({ code: 'TOKEN_EXPIRED' });
});

test('who can get no token says so and tries on; what went wrong there is not told', async () => {
  await using bench = await gatewayBench();
  const { url, token } = bench.running;
  let isDown = true;
  const source = (): string => {
    if (isDown) throw new Error(`the vault with ${token} is shut`);
    return token;
  };
  const api = new CodeLabAPI({ url, token: source, retries: 0 });
  const error = await api.sessions.list().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 0, code: 'UNAUTHORIZED', message: 'No token is available.' });
  using client = new StreamingClient({
    url,
    session: 's1',
    wire: 'neutral',
    token: source,
    backoff: { firstMs: 10, mostMs: 20 },
  });
  const whys: string[] = [];
  client.onState((state) => {
    if (state.name !== 'waiting') return;
    whys.push(state.why);
    isDown = false;
  });
  await client.connect();
  expect(whys).toEqual(['No token is available.']);
});

test('a source that never answers keeps nobody from closing, and no request for ever', async () => {
  await using bench = await gatewayBench();
  const { url } = bench.running;
  const token = (): Promise<string> => new Promise(() => undefined);
  const client = new StreamingClient({ url, session: 's1', wire: 'neutral', token });
  const connecting = client.connect();
  client.close();
  await expect(connecting).rejects.toMatchObject({ code: 'CANCELLED' });
  const api = new CodeLabAPI({ url, token, timeoutMs: 50, retries: 0 });
  await expect(api.sessions.list()).rejects.toMatchObject({ code: 'TIMEOUT' });
});

test('a token that is none is not sent', async () => {
  await using bench = await gatewayBench();
  const api = new CodeLabAPI({ url: bench.running.url, token: () => 'a\r\nX-Evil: 1', retries: 0 });
  await expect(api.sessions.list()).rejects.toMatchObject({ status: 0, code: 'UNAUTHORIZED' });
});
