// Attacks on the operator's own terminals: whoever is not the operator at a signed-in page opens, reads and types into none.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { get, opened, plainShell, size } from '../support/person-terminal.ts';
import { signIn } from '../support/signed-in-page.ts';
import { signedTokens } from '../support/signed-tokens.ts';
import { createSession, type Json, json } from '../support/web-api.ts';

describe('a terminal is refused', () => {
  test.each([
    ['the user’s', 'home'],
    ['the workspace’s', 'root'],
  ] as const)('where %s configuration switches it off', async (_whose, place) => {
    await using bench = await gatewayBench({
      web: 'none',
      files: place === 'root' ? { '.codelab/config.json': '{"terminal": false}' } : {},
    });
    if (place === 'home') {
      writeFileSync(join(bench.home, 'config.json'), '{"terminal": false}');
      await bench.restart();
    }
    const page = await signIn(bench);
    const answer = await page.request(
      'POST',
      `/api/v1/sessions/${await createSession(bench)}/terminals`,
      size,
    );
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
      403,
      expect.stringContaining('config.json'),
    ]);
  });

  test('to a token, to a page without its secret or proof, to another origin and to another person', async () => {
    plainShell();
    using tokens = signedTokens();
    const { jwt, sign } = tokens;
    await using bench = await gatewayBench({ web: 'none', jwt });
    const page = await signIn(bench);
    const session = await createSession(bench);
    const [path, id] = await opened(page, session);
    const { url } = bench.running;
    const base = `/api/v1/sessions/${session}/terminals`;
    const status = async (method: string, at: string, headers: Record<string, string>, body?: object) =>
      (
        await fetch(url + at, {
          method,
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
      ).status;
    const token = { authorization: 'Bearer secret-token' };
    for (const [method, at, body] of [
      ['GET', base],
      ['POST', base, size],
      ['GET', `${path}/output`],
      ['POST', `${path}/input`, { input: 'touch owned\n' }],
      ['POST', `${path}/size`, size],
      ['DELETE', path],
    ] as const) {
      expect(await status(method, at, token, body)).toBe(403);
      expect(await status(method, at, { cookie: page.cookie, origin: url }, body)).toBe(401);
      const foreign = { cookie: page.cookie, 'x-codelab-page': page.secret, origin: 'http://evil.example' };
      expect(await status(method, at, foreign, body)).toBe(403);
      // The proof of a change is over its whole request.
      const stolen = { cookie: page.cookie, 'x-codelab-page': page.secret, origin: url };
      if (method !== 'GET') expect(await status(method, at, stolen, body)).toBe(403);
    }
    const ann = await signIn(bench, sign('ann', 600));
    const ownSession = (await (await ann.request('POST', '/api/v1/sessions', {})).json()) as { id: string };
    expect((await ann.request('POST', `/api/v1/sessions/${ownSession.id}/terminals`, size)).status).toBe(403);
    const [, { events: all }] = await json(bench, `/sessions/${session}/log`);
    expect((all as { body: Json }[]).filter(({ body }) => body.type === 'terminal.closed')).toEqual([]);
    expect((await get(bench, page, base)).terminals).toMatchObject([{ terminal_id: id, status: 'running' }]);
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'to a program that a tool started, though it has all that the page has, for reading too',
    async () => {
      plainShell();
      await using bench = await gatewayBench({
        web: 'none',
        prepare: (root) => writeFileSync(join(root, 'attack.mjs'), attack),
      });
      const page = await signIn(bench);
      const session = await createSession(bench);
      const [path] = await opened(page, session);
      await page.request('POST', `${path}/input`, { input: 'echo password-here\n' });
      const base = `/api/v1/sessions/${session}/terminals`;
      const text = JSON.stringify(size);
      const sentMessages = [
        { method: 'POST', path: base, headers: await page.proving('POST', base, text), body: text },
        { method: 'GET', path: base, headers: await page.proving('GET', base, '') },
        { method: 'GET', path: `${path}/output`, headers: await page.proving('GET', `${path}/output`, '') },
      ];
      writeFileSync(join(bench.root, 'sent.json'), JSON.stringify(sentMessages));
      const [, { outcome }] = await json(bench, `/sessions/${session}/calls`, 'POST', {
        tool: 'run_command',
        args: { command: `${process.execPath} attack.mjs ${bench.running.url}`, network: true },
        approve: true,
      });
      const { data } = outcome as { data?: { stdout?: string } };
      expect(JSON.parse(data?.stdout ?? JSON.stringify(outcome))).toEqual([403, 403, 403]);
    },
  );
});

const attack = `
import { readFileSync } from 'node:fs';
const said = [];
for (const { path, ...init } of JSON.parse(readFileSync('sent.json', 'utf8'))) {
  init.headers['content-type'] = 'application/json';
  said.push((await fetch(process.argv[2] + path, init)).status);
}
console.log(JSON.stringify(said));
`;
