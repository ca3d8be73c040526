// A client of /mcp over plain HTTP, for messages that no proper client would send.
import { expect } from 'vitest';
import type { GatewayBench } from './gateway-bench.ts';

export const accept = 'application/json, text/event-stream';
export const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

export function post(
  bench: GatewayBench,
  body: unknown,
  headers: Record<string, string> = {},
  token = 'secret-token',
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return bench.request('/mcp', { method: 'POST', body: text, token, headers: { accept, ...headers } });
}

/** Initializes an MCP session and returns its id. */
export async function greet(bench: GatewayBench, token?: string): Promise<string> {
  const response = await post(bench, hello, {}, token);
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}
