// Where a gateway that listens is reached, and whether its page can have a name of its own on the loopback.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:net';

type At = { url: string; port: number | undefined; hasOwnName: boolean };

export async function listensAt(
  { server, host }: { server: Server; host: string },
  stack: AsyncDisposableStack,
): Promise<At> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : undefined;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const hasOwnName = host === '127.0.0.1' && port !== undefined && (await alsoOnIpv6(server, port, stack));
  return { url, port, hasOwnName };
}

/**
 * Browsers take a name of the loopback for both of its addresses: whoever else had the other one would be the same origin as our page.
 * False when somebody has it.
 */
async function alsoOnIpv6(server: Server, port: number, stack: AsyncDisposableStack): Promise<boolean> {
  const other = createServer((connection) => server.emit('connection', connection));
  try {
    other.listen({ port, host: '::1', ipv6Only: true });
    await once(other, 'listening');
  } catch (error) {
    // Where there is no such address, nobody else has it either.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  }
  stack.defer(() => void other.close());
  return true;
}
