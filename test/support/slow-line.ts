// A line to a server on loopback that is slow and can be cut: bytes arrive late, and `cut` breaks every connection at once.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type SlowLine = AsyncDisposable & {
  url: string;
  /** Breaks all connections; for so long nobody gets a new one. */
  cut(forMs?: number): void;
  /** How often connections were broken. */
  readonly broken: number;
};

export async function slowLine(port: number, { delayMs }: { delayMs: number }): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  let closedUntil = 0;
  let broken = 0;
  const server = createServer((near) => {
    if (Date.now() < closedUntil) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    join(near, far, delayMs / 2);
    join(far, near, delayMs / 2);
    for (const one of [near, far]) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.on('close', () => sockets.delete(one));
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
      for (const one of [...sockets]) one.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const one of [...sockets]) one.destroy();
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
