// CodeLabAPI: what it sends again and what not, what its errors say, and that it and the rest run in a browser.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ApiError, CodeLabAPI, checkAnswer, createRequester, sessionCalls } from '@codelab/client';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';

const backoff = { firstMs: 5, mostMs: 20 };

type Answer = (request: IncomingMessage, response: ServerResponse, times: number) => void;

async function answering(answer: Answer) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(request, response, requests.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    api: new CodeLabAPI({ url, token: 'a-secret', backoff }),
    seen: requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const json = (
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const session = {
  id: 's1',
  session_id: 's1',
  title: '',
  created_at: null,
  updated_at: null,
  last_seq: 3,
  turns: 0,
  pending_approvals: 0,
  status: 'idle',
  agent_type: 'coder',
};

test('sessions of a real gateway: made, named, listed, read and forgotten', async () => {
  await using bench = await gatewayBench();
  const api = new CodeLabAPI({ url: bench.running.url, token: 'secret-token', backoff });
  const { id } = await api.sessions.create({ title: 'First' });
  expect(await api.sessions.rename(id, 'Second')).toMatchObject({ id, title: 'Second' });
  expect(await api.sessions.list()).toMatchObject({ sessions: [{ id, title: 'Second' }], total: 1 });
  expect(await api.sessions.pendingApprovals(id)).toEqual([]);
  expect((await api.availableTools()).map(({ name }) => name)).toContain('execute_command');
  await api.sessions.delete(id);
  await expect(api.sessions.get(id)).rejects.toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
});

test('what fails on the way is asked again, three times at most', async () => {
  await using gateway = await answering((_request, response, times) =>
    times < 3 ? response.destroy() : json(response, 200, session),
  );
  expect(await gateway.api.sessions.get('s1')).toMatchObject(session);
  expect(gateway.seen.length).toBe(3);
  await using down = await answering((_request, response) => json(response, 503, {}));
  await expect(down.api.sessions.get('s1')).rejects.toMatchObject({ status: 503 });
  expect(down.seen.length).toBe(4);
});

test('a refusal is final, but for one that asks for patience', async () => {
  await using refusing = await answering((_request, response) =>
    json(response, 404, { error: { code: 'SESSION_NOT_FOUND', message: 'No.', details: { a: 1 } } }),
  );
  const error = await refusing.api.sessions.get('s1').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND', message: 'No.', details: { a: 1 } });
  expect(refusing.seen.length).toBe(1);
  await using busy = await answering((_request, response, times) =>
    times === 1 ? json(response, 429, {}, { 'retry-after': '0' }) : json(response, 202, { session_id: 's1' }),
  );
  await busy.api.sendMessage('s1', 'hello');
  expect(busy.seen.length).toBe(2);
});

test('what would be done twice is not sent twice; what carries an id is', async () => {
  await using gateway = await answering((_request, response) => response.destroy());
  const { api, seen } = gateway;
  const times = async (work: Promise<unknown>): Promise<number> => {
    const before = seen.length;
    await expect(work).rejects.toMatchObject({ status: 0, code: 'NETWORK_ERROR' });
    return seen.length - before;
  };
  expect(await times(api.sendMessage('s1', 'hello'))).toBe(1);
  expect(await times(api.sessions.create())).toBe(1);
  expect(await times(api.executeTool('read_file', { path: 'a' }))).toBe(1);
  expect(await times(api.executeTool('read_file', { path: 'a' }, { sessionId: 's1' }))).toBe(4);
  expect(await times(api.call('s1', { tool: 'read_file', args: {} }))).toBe(4);
  expect(await times(api.approveToolExecution('t1'))).toBe(4);
});

test('errors of all kinds say no token and no address', async () => {
  const api = new CodeLabAPI({ url: 'http://127.0.0.1:1', token: 'a-secret', retries: 0 });
  const error = await api.sessions.list().catch((thrown: unknown) => thrown);
  expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('a-secret');
  const stopped = new CodeLabAPI({ url: 'http://127.0.0.1:1', signal: AbortSignal.abort() });
  await expect(stopped.sessions.list()).rejects.toMatchObject({ code: 'CANCELLED' });
  await using htmlServer = await answering((_request, response) => response.end('<html>'));
  await expect(htmlServer.api.sessions.get('s1')).rejects.toMatchObject({ code: 'INVALID_FORMAT' });
});

test('an answer is read at the edge: a newer gateway may say more, but nothing else', async () => {
  await using newer = await answering((_request, response) =>
    json(response, 200, { ...session, mood: 'fine' }),
  );
  expect(await newer.api.sessions.get('s1')).toEqual({ ...session, mood: 'fine' });
  await using other = await answering((_request, response) =>
    json(response, 200, { ...session, turns: 'two' }),
  );
  await expect(other.api.sessions.get('s1')).rejects.toMatchObject({
    code: 'INVALID_FORMAT',
    details: { field: 'turns' },
  });
  // A page that loads no schemas leaves the comparison out; an answer is JSON nevertheless.
  const { url } = other;
  const get = (check?: typeof checkAnswer) => sessionCalls(createRequester({ url }, check)).get('s1');
  expect(await get()).toEqual({ ...session, turns: 'two' });
  await expect(get(checkAnswer)).rejects.toMatchObject({ details: { field: 'turns' } });
  await using page = await answering((_request, response) => response.end('<html>'));
  const asked = sessionCalls(createRequester({ url: page.url })).get('s1');
  await expect(asked).rejects.toMatchObject({ code: 'INVALID_FORMAT', details: { field: '' } });
});

test('the client runs in a browser: nothing of Node is in its bundle', async () => {
  const entry = join(import.meta.dirname, '../..', 'packages', 'client', 'src', 'index.ts');
  const options = {
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  } as const;
  const { outputFiles, warnings } = await build({ ...options, entryPoints: [entry] });
  expect(warnings).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/["']node:/);
});
