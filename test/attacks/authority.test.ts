// Attacks on the right to decide by ways that look harmless: programs of a tool that hide where they come from, sockets and streams
// that are said to only listen, requests that say twice to whom they go, foreign cookies, and names that are the operator's.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { codelabProgram } from '../support/codelab-program.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { signIn } from '../support/signed-in-page.ts';
import { signedTokens } from '../support/signed-tokens.ts';
import { ask as askWeb, smallWeb } from '../support/small-web.ts';
import { createSession, json } from '../support/web-api.ts';

/** Prints the status of each request it is told: METHOD PATH BODY. */
const ask = `
const [url, token, ...wanted] = process.argv.slice(2);
const said = [];
for (let i = 0; i < wanted.length; i += 3) {
  const [method, path, body] = wanted.slice(i);
  if (method === 'SOCKET') {
    const socket = new WebSocket(url.replace('http', 'ws') + path + '&token=' + token);
    said.push(await new Promise((resolve) => {
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('refused');
    }));
    continue;
  }
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body !== '-' && { body }) });
  said.push(answer.status);
  await answer.body?.cancel();
}
console.log(JSON.stringify(said));
process.exit();
`;

type Wanted = readonly [method: string, path: string, body?: object];

function bench(options: Parameters<typeof gatewayBench>[0] = {}): Promise<GatewayBench> {
  return gatewayBench({
    prepare(root) {
      writeFileSync(join(root, 'ask.mjs'), ask);
      // Without a sandbox, only the program's identity restricts it.
      writeFileSync(join(root, '..', 'home', 'config.json'), '{"sandbox":"off"}');
    },
    ...options,
  });
}

function lineFor({ running: { url, token } }: GatewayBench, requests: readonly Wanted[]): string {
  const words = requests.flatMap(([method, path, body]) => [method, path, body ? JSON.stringify(body) : '-']);
  return [process.execPath, 'ask.mjs', url, token, ...words.map((word) => `'${word}'`)].join(' ');
}

async function runByTool(gateway: GatewayBench, command: string): Promise<unknown> {
  const session = await createSession(gateway);
  const call = { tool: 'run_command', args: { command, network: true }, approve: true };
  const [, { outcome }] = await json(gateway, `/sessions/${session}/calls`, 'POST', call);
  const { data } = outcome as { data?: { stdout?: string } };
  return JSON.parse(data?.stdout ?? JSON.stringify(outcome));
}

const trusted: Wanted = ['PUT', '/api/v1/settings', { mode: 'trusted' }];

describe.skipIf(process.platform !== 'linux')('a program that a tool started', () => {
  test('in the place of its shell, without the mark and without a sandbox, changes nothing', async () => {
    await using gateway = await bench();
    expect(await runByTool(gateway, `exec env -i ${lineFor(gateway, [trusted])}`)).toEqual([403]);
    const [, { mode }] = await json(gateway, '/settings');
    expect(mode).toBe('strict');
  });

  test('by another process of ours, without the mark, changes nothing', async () => {
    await using gateway = await bench();
    const { root, home } = gateway;
    const args = { command: `exec env -i ${lineFor(gateway, [trusted])}`, network: true };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [codelabProgram, 'tool', 'run_command', JSON.stringify(args), '--approve', 'all', '--workspace', root],
      { env: { ...process.env, CODELAB_HOME: home } },
    );
    expect(stdout).toContain('[403]');
    const [, { mode }] = await json(gateway, '/settings');
    expect(mode).toBe('strict');
  });

  test('may listen to a session, but makes none by listening', async () => {
    await using gateway = await bench();
    const otherSession = await createSession(gateway);
    const requests: Wanted[] = [
      ['SOCKET', `/ws/${otherSession}?role=viewer`],
      ['SOCKET', '/ws/made-by-a-viewer?role=viewer'],
      ['SOCKET', '/ws/made-by-a-listener?dialect=neutral'],
    ];
    expect(await runByTool(gateway, lineFor(gateway, requests))).toEqual(['open', 'refused', 'refused']);
    for (const id of ['made-by-a-viewer', 'made-by-a-listener'])
      expect((await json(gateway, `/sessions/${id}`))[0]).toBe(404);
  });

  test('is handed no calls over the stream of an executor', async () => {
    await using gateway = await bench();
    const chat = '/my/projects/p/chat';
    await gateway.request(`${chat}/sessions`, {
      method: 'POST',
      body: JSON.stringify({ session_id: 'of-a-client', executor: 'client' }),
    });
    const requests: Wanted[] = [
      ['GET', `${chat}/of-a-client/events`],
      ['GET', `${chat}/of-a-client/events?role=executor`],
      ['GET', `${chat}/of-a-client/events?role=viewer`],
    ];
    expect(await runByTool(gateway, lineFor(gateway, requests))).toEqual([403, 403, 200]);
  });
});

async function answerTo({ running: { port } }: GatewayBench, lines: readonly string[]): Promise<string> {
  const line = connect(port, '127.0.0.1');
  line.write(`${[...lines, 'Authorization: Bearer secret-token', '', ''].join('\r\n')}`);
  line.once('data', () => line.end());
  return (await text(line)).split('\r\n')[0] ?? '';
}

test.each([
  ['two names', ['GET /api/v1/settings HTTP/1.1', 'Host: 127.0.0.1', 'Host: evil.test']],
  ['a name in the address', ['GET http://evil.test/api/v1/settings HTTP/1.1', 'Host: 127.0.0.1']],
  [
    'two names for a socket',
    [
      'GET /ws/new_one HTTP/1.1',
      'Host: 127.0.0.1',
      'Host: evil.test',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ],
  ],
])('a request with %s is refused', async (_what, lines) => {
  await using gateway = await gatewayBench();
  expect(await answerTo(gateway, lines)).toBe('HTTP/1.1 400 Bad Request');
});

test('cookies of our name that another port adds do not sign the human out', async () => {
  await using bench = await smallWeb();
  const page = await signIn(bench);
  const name = page.cookie.split('=')[0];
  const cookie = `${name}=evil; ${name}=; ${page.cookie}; ${name}=worse`;
  const status = async (secret: string): Promise<number> =>
    (await askWeb(bench, '/api/v1/sessions', { headers: { cookie, 'x-codelab-page': secret } })).status;
  expect(await status(page.secret)).toBe(200);
  expect(await status('evil')).toBe(401);
  // The other way round, a session of somebody else is not opened by it.
  const other = await signIn(bench);
  const both = { cookie: `${other.cookie}; ${page.cookie}`, 'x-codelab-page': page.secret };
  await askWeb(bench, '/logout', { method: 'POST', headers: { ...both, origin: bench.running.url } });
  expect(await status(page.secret)).toBe(401);
  const headers = { cookie: other.cookie, 'x-codelab-page': other.secret };
  expect((await askWeb(bench, '/api/v1/sessions', { headers })).status).toBe(200);
});

test('a page makes no session by listening, which needs no proof', async () => {
  await using bench = await smallWeb();
  const { cookie, secret } = await signIn(bench);
  const { url } = bench.running;
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/ws/made-by-listening?role=viewer`,
    ['codelab', `codelab.page.${secret}`],
    { headers: { cookie, origin: url } },
  );
  socket.on('error', () => undefined);
  const [, { statusCode }] = await once(socket, 'unexpected-response');
  expect(statusCode).toBe(404);
  socket.terminate();
});

test('nobody is taken for the operator in the record, whatever name a token says', async () => {
  using tokens = signedTokens();
  await using bench = await gatewayBench({ jwt: tokens.jwt });
  const { username } = userInfo();
  const whoDecides = async (token: string): Promise<string> => {
    const ask = (path: string, body: object) =>
      bench.request(`/api/v1/sessions${path}`, { token, method: 'POST', body: JSON.stringify(body) });
    const { id } = (await (await ask('', {})).json()) as { id: string };
    await ask(`/${id}/calls`, { tool: 'write_file', args: { path: 'x', content: '' }, approve: true });
    const log = await (await bench.request(`/api/v1/sessions/${id}/log`, { token })).text();
    return /"by":\{"who":"([^"]*)"/.exec(log)?.[1] ?? '';
  };
  expect(await whoDecides(tokens.sign(username, 60))).toBe(username);
  expect(await whoDecides('secret-token')).toBe(`operator:${username}`);
  const token = tokens.sign(`operator:${username}`, 60);
  expect((await bench.request('/api/v1/sessions', { token })).status).toBe(401);
});
