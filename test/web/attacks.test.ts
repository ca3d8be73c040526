// Attacks on the right to decide: a server on another port that the human opens, and programs that a tool started, with all that they
// can get hold of. Each of them tries to approve what waits and to switch the mode.
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { createSession, json } from '../support/web-api.ts';

const tasks = '.vscode/tasks.json';

/** A write that waits for a decision; ends with the outcome. */
async function ask(
  bench: GatewayBench,
  session: string,
): Promise<{ approval: string; done: Promise<unknown> }> {
  const pendingCall = json(bench, `/sessions/${session}/calls`, 'POST', {
    tool: 'write_file',
    args: { path: tasks, content: '{}' },
  });
  // A test that fails ends the gateway first; its own failure is what should be told.
  pendingCall.catch(() => undefined);
  for (;;) {
    const [, { pending_approvals: found }] = await json(bench, `/sessions/${session}/pending-approvals`);
    const [first] = found as { id?: string; approval_id?: string }[];
    if (first) return { approval: String(first.id ?? first.approval_id), done: pendingCall };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stateOf(bench: GatewayBench, session: string): Promise<object> {
  const [, { pending_approvals: pending }] = await json(bench, `/sessions/${session}/pending-approvals`);
  const [, { mode }] = await json(bench, '/settings');
  return { waiting: (pending as unknown[]).length, mode, isWritten: existsSync(join(bench.root, tasks)) };
}

const untouched = { waiting: 1, mode: 'strict', isWritten: false };

/** A server on a port of its own that keeps what browsers send to it. */
async function hostileServer(): Promise<AsyncDisposable & { port: number; seen: IncomingHttpHeaders[] }> {
  const headersSeen: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    headersSeen.push(headers);
    response.setHeader('content-type', 'text/html').end('<h1>Preview</h1>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen: headersSeen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Everything that a thief of a cookie can send, as any program on the machine would. */
async function useCookie(bench: GatewayBench, cookie: string, session: string, approval: string) {
  const { url } = bench.running;
  const statuses: number[] = [];
  const values = cookie.split(';').map((pair) => pair.trim().replace(/^[^=]*=/, ''));
  const credentials: Record<string, string>[] = [
    { cookie, origin: url },
    ...values.flatMap((value) => [
      { authorization: `Bearer ${value}` },
      { 'x-api-key': value },
      { cookie, origin: url, 'x-codelab-page': value },
    ]),
  ];
  for (const headers of credentials)
    for (const [method, path, body] of [
      ['POST', `/sessions/${session}/decisions`, { approval_id: approval, decision: { kind: 'approve' } }],
      ['PUT', '/settings', { mode: 'trusted' }],
      ['POST', '/policy/rules', { rule: { id: 'x', tool: 'write_file', effect: 'allow' } }],
    ] as const) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      statuses.push(answer.status);
    }
  return [...new Set(statuses)];
}

describe.skipIf(noBrowser !== undefined || notBuilt !== undefined)('a server on another port', () => {
  test('gets nothing from a signed-in browser that decides, and the human still can', async () => {
    await using web = await pageBench();
    await using hostile = await hostileServer();
    const { gateway } = web;
    const session = await createSession(gateway);
    const { approval, done } = await ask(gateway, session);
    const page = await web.open();
    const link = String(gateway.running.signInLink());
    await page.goto(link);
    const { origin, hostname } = new URL(link);
    await page.waitForURL(`${origin}/`);
    expect(hostname).toMatch(/^ide-[0-9a-f]+\.localhost$/);
    // The human looks at what the agent's server shows, under every name that leads there.
    for (const name of ['127.0.0.1', 'localhost', hostname]) {
      await page.goto(`http://${name}:${hostile.port}/`);
      expect(await page.textContent('h1')).toBe('Preview');
      const stolen = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      expect(stolen).toBe('{}');
    }
    const cookies = hostile.seen.flatMap(({ cookie }) => cookie ?? []);
    // A browser sends a cookie to every port of a name: one of each sign-in is there, and worth nothing.
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of new Set(cookies))
      expect(await useCookie(gateway, cookie, session, approval)).toEqual([401]);
    expect(await stateOf(gateway, session)).toEqual(untouched);
    // The link that was printed is worth nothing any more, either.
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByRole('alert').filter({ hasText: 'codelab sign-in' }).waitFor();
    const human = await web.open({ session });
    await human.getByRole('button', { name: 'Approve' }).first().click();
    await done;
    expect(existsSync(join(gateway.root, tasks))).toBe(true);
    await human.close();
    await page.close();
  });

  test('that knows only 127.0.0.1 does not even get the cookie of the page’s own name', async () => {
    await using web = await pageBench();
    await using hostile = await hostileServer();
    const page = await web.open();
    await page.context().clearCookies();
    const link = String(web.gateway.running.signInLink());
    await page.goto(link);
    await page.waitForURL(`${new URL(link).origin}/`);
    await page.goto(`http://127.0.0.1:${hostile.port}/`);
    expect(hostile.seen.map(({ cookie }) => cookie)).toEqual(hostile.seen.map(() => undefined));
    await page.close();
  });
});

/** Run by a tool: tries to decide with the operator's own token, and says what it was answered. */
const attack = `
const [url, token, session, approval] = process.argv.slice(2);
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
const send = async (method, path, body) =>
  (await fetch(url + path, { method, headers, body: JSON.stringify(body) })).status;
const said = [
  await send('POST', '/api/v1/sessions/' + session + '/decisions', { approval_id: approval, decision: { kind: 'approve' } }),
  await send('PUT', '/api/v1/settings', { mode: 'trusted' }),
  await send('POST', '/api/v1/sessions/' + session + '/approvals/' + approval + '/link', {}),
  await send('POST', '/login', { token }),
  await send('POST', '/api/v1/sessions/' + session + '/calls', { tool: 'write_file', args: { path: 'x', content: '' }, approve: true }),
];
const socket = new WebSocket(url.replace('http', 'ws') + '/ws/' + session + '?role=approver&token=' + token);
said.push(await new Promise((resolve) => {
  socket.onopen = () => resolve('open');
  socket.onerror = () => resolve('refused');
}));
// Reading is no deciding.
said.push((await fetch(url + '/api/v1/settings', { headers })).status);
console.log(JSON.stringify(said));
`;

/** Sends its decision and is gone, so that nobody is at the other end when the gateway looks. */
const attackAndGo = `
import { connect } from 'node:net';
const [port, token, session, approval] = process.argv.slice(2);
const body = JSON.stringify({ approval_id: approval, decision: { kind: 'approve' } });
const lines = [
  'POST /api/v1/sessions/' + session + '/decisions HTTP/1.1',
  'Host: 127.0.0.1:' + port,
  'Authorization: Bearer ' + token,
  'Content-Type: application/json',
  'Content-Length: ' + body.length,
  '',
  body,
];
const line = connect(Number(port), '127.0.0.1', () =>
  line.write(lines.join('\\r\\n'), () => process.kill(process.pid, 'SIGKILL')),
);
`;

/** Sends its decision, and passes the connection on to ever new processes while the gateway looks for who has it. */
const attackByRelay = `
relay() { if [ $1 -gt 0 ]; then ( relay $(($1 - 1)) ) & fi; }
body='{"approval_id":"'$4'","decision":{"kind":"approve"}}'
exec 3<>/dev/tcp/127.0.0.1/$1
( relay 150; printf 'POST /api/v1/sessions/%s/decisions HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nContent-Length: %s\\r\\n\\r\\n%s' $3 $1 $2 \${#body} "$body" >&3 ) &
exec 3>&-
sleep 2
`;

describe.skipIf(process.platform !== 'linux')('a program that a tool started', () => {
  test.each([
    ['as it is', (line: string) => line],
    ['without its environment', (line: string) => `env -i ${line}`],
    ['in a session of its own', (line: string) => `setsid --wait ${line}`],
    ['from a shell of a shell', (line: string) => `bash -c 'env -i ${line}; true'`],
  ])('%s can’t decide, though it has the operator’s token', async (_how, spell) => {
    await using bench = await gatewayBench({
      prepare: (root) => writeFileSync(join(root, 'attack.mjs'), attack),
    });
    const session = await createSession(bench);
    const { approval, done } = await ask(bench, session);
    const { url, token } = bench.running;
    const line = spell(`${process.execPath} attack.mjs ${url} ${token} ${session} ${approval}`);
    const [, { outcome }] = await json(bench, `/sessions/${session}/calls`, 'POST', {
      tool: 'run_command',
      args: { command: line, network: true },
      approve: true,
    });
    const { data } = outcome as { data?: { stdout?: string } };
    expect(JSON.parse(data?.stdout ?? JSON.stringify(outcome))).toEqual([
      403,
      403,
      403,
      403,
      403,
      'refused',
      200,
    ]);
    expect(await stateOf(bench, session)).toEqual(untouched);
    // The same from outside of any tool is what it always was.
    await json(bench, `/sessions/${session}/decisions`, 'POST', {
      approval_id: approval,
      decision: { kind: 'reject' },
    });
    await done;
  });

  test.each([
    ['was gone before its answer came', 'gone.mjs', process.execPath],
    ['hands its connection from child to child', 'relay.sh', 'bash'],
  ])('and %s decides nothing, either', async (_how, script, program) => {
    await using bench = await gatewayBench({
      prepare(root) {
        writeFileSync(join(root, 'gone.mjs'), attackAndGo);
        writeFileSync(join(root, 'relay.sh'), attackByRelay);
      },
    });
    const session = await createSession(bench);
    const { approval, done } = await ask(bench, session);
    const { port, token } = bench.running;
    await json(bench, `/sessions/${session}/calls`, 'POST', {
      tool: 'run_command',
      args: { command: `${program} ${script} ${port} ${token} ${session} ${approval}`, network: true },
      approve: true,
    });
    expect(await stateOf(bench, session)).toEqual(untouched);
    await json(bench, `/sessions/${session}/decisions`, 'POST', {
      approval_id: approval,
      decision: { kind: 'reject' },
    });
    await done;
  });
});
