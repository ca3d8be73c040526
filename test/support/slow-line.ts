// A slow and breakable connection to a server on loopback: bytes arrive late, and `cut` breaks all connections.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type SlowLine = AsyncDisposable & {
  url: string;
  /** Breaks all connections; new ones are refused for this long. */
  cut(forMs?: number): void;
  /** The number of broken connections. */
  readonly broken: number;
};

export async function slowLine(port: number, { delayMs }: { delayMs: number }): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  let closedUntil = 0;
  let broken = 0;
  const server = createServer((clientSocket) => {
    if (Date.now() < closedUntil) return void clientSocket.destroy();
    const far = connect(port, '127.0.0.1');
    join(clientSocket, far, delayMs / 2);
    join(far, clientSocket, delayMs / 2);
    for (const socket of [clientSocket, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get broken() {
      return broken;
    },
    cut(forMs = 0) {
      closedUntil = Date.now() + forMs;
      broken += sockets.size;
      for (const socket of [...sockets]) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of [...sockets]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(from: Socket, to: Socket, ms: number): void {
  from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), ms));
  from.on('end', () => setTimeout(() => to.end(), ms));
  from.on('close', () => setTimeout(() => to.destroy(), ms));
}
