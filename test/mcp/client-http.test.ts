// MCP servers behind HTTP that send too much, send elsewhere, break off or want to know who asks.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { mcpBench } from '../support/mcp-bench.ts';
import { approveAll } from '../support/workbench.ts';

type Asked = { id?: number; method: string };
type Site = AsyncDisposable & { url: string; seen: string[] };

/** Greets as a server should; `call` answers what is asked of it then. */
async function site(call: (response: ServerResponse, id: number | undefined) => void): Promise<Site> {
  const requests: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.headers['x-key'] ?? ''}`);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as Asked;
    if (id === undefined) return void response.writeHead(202).end();
    const serverInfo = { name: 'site', version: '1' };
    const greeting = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
    const tools = [{ name: 'get', inputSchema: { type: 'object' } }];
    if (method === 'initialize') reply(response, id, greeting);
    else if (method === 'tools/list') reply(response, id, { tools });
    else call(response, id);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen: requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function reply(response: ServerResponse, id: number | undefined, result: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

async function get(url: string, options: { timeoutMs?: number } = {}): Promise<Outcome> {
  const web = { url, headers: { 'X-Key': 'secret-of-mine' } };
  await using bench = await mcpBench({ servers: { web } });
  bench.human(approveAll);
  return await bench.call('mcp:web:get', {}, options);
}

function failure(outcome: Outcome): string[] {
  return outcome.status === 'completed' ? [] : [outcome.error.code, outcome.error.message];
}

function pour(response: ServerResponse, piece: string): void {
  while (!response.destroyed && response.write(piece));
  response.once('drain', () => pour(response, piece));
}

test('a response without end is cut off', async () => {
  for (const type of ['application/json', 'text/event-stream']) {
    await using endless = await site((response) => {
      response.writeHead(200, { 'content-type': type });
      pour(response, type.endsWith('stream') ? `data: ${'x'.repeat(1000)}\n\n` : '[['.repeat(10_000));
    });
    const outcome = await get(endless.url, { timeoutMs: 20_000 });
    expect([type, outcome.status]).toEqual([type, 'failed']);
  }
});

test('what it is told in confidence goes to no other server', async () => {
  await using other = await site((response, id) => reply(response, id, { content: [] }));
  await using moved = await site((response) => response.writeHead(307, { location: other.url }).end());
  const [code, message] = failure(await get(moved.url));
  expect(code).toBe('EXECUTION_FAILED');
  expect(message).not.toContain('secret-of-mine');
  expect(moved.seen).toContain('POST secret-of-mine');
  expect(other.seen).toEqual([]);
});

test('one that wants to know who asks, or repeats what it was told, is quoted without secrets', async () => {
  await using closed = await site((response) => response.writeHead(401).end('Not you, secret-of-mine!'));
  const [code, message] = failure(await get(closed.url));
  expect(code).toBe('EXECUTION_FAILED');
  expect(message).toMatch(/^The MCP server web answered 401: .*Give it a token in `headers`.$/);
  expect(message).not.toContain('secret-of-mine');
});

test('one that breaks off is noticed', async () => {
  await using broken = await site((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc"');
    setImmediate(() => response.destroy());
  });
  expect(failure(await get(broken.url, { timeoutMs: 10_000 }))[0]).toBe('EXECUTION_FAILED');
  await using torn = await site((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: message\n');
    setImmediate(() => response.destroy());
  });
  expect(failure(await get(torn.url, { timeoutMs: 10_000 }))).toEqual([
    'OUTCOME_UNKNOWN',
    'The MCP server web was lost. It broke off its answer.',
  ]);
});
