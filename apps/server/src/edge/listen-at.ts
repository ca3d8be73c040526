// Where a gateway listens: on the given port or, where allowed, the next free one; its address there, and whether its page can have a host name of
// its own on the loopback.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { ToolError } from '@codelab/protocol';

/** `further`: how many ports above may be tried when the port is taken. */
type ListenAddress = { host: string; port: number; further: number };

/** Returns a notice when another port had to be used. */
export async function listenAt(
  server: Server,
  { host, port, further }: ListenAddress,
): Promise<string | undefined> {
  const highest = Math.min(port + further, 65_535);
  for (let tried = port; ; tried++) {
    try {
      await once(server.listen({ host, port: tried }), 'listening');
    } catch (error) {
      if (codeOf(error) === 'EADDRINUSE' && tried < highest) continue;
      throw await refused(error, { host, port, highest });
    }
    if (tried === port) return undefined;
    return `Port ${port} is in use${await ownerText(port)}: listening on ${tried} instead.`;
  }
}

async function refused(
  error: unknown,
  { host, port, highest }: { host: string; port: number; highest: number },
): Promise<unknown> {
  const failed = (message: string): ToolError => new ToolError('IO_ERROR', message, { host, port });
  const other = 'choose another port; 0 takes any that is free.';
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return highest === port
        ? failed(`Port ${port} is in use${await ownerText(port)}. Stop that program, or ${other}`)
        : failed(`The ports ${port} to ${highest} are all in use. Stop a program, or ${other}`);
    case 'EACCES':
      return failed(`This user may not listen on port ${port}: ${other}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return failed(`${host} is not an address of this machine. Leave out --host for 127.0.0.1.`);
    default:
      return error;
  }
}

async function ownerText(port: number): Promise<string> {
  const { portOwner } = await import('./port-owner.ts');
  const owner = portOwner(port);
  return owner === undefined ? '' : ` by ${owner.program} (process ${owner.pid})`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

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
 * Browsers resolve a loopback name to both addresses: another program on the IPv6 one would be the same origin as our page. False when some program
 * has it.
 */
async function alsoOnIpv6(server: Server, port: number, stack: AsyncDisposableStack): Promise<boolean> {
  const other = createServer((connection) => server.emit('connection', connection));
  try {
    other.listen({ port, host: '::1', ipv6Only: true });
    await once(other, 'listening');
  } catch (error) {
    // Where there is no IPv6 address, no other program has it either.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  }
  stack.defer(() => void other.close());
  return true;
}
