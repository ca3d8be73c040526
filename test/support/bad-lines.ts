// Lines and gateways that behave badly on purpose, for clients that have to live with them.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A proxy before a gateway; cuts each connection after this many bytes of the answer. */
export async function cuttingProxy(port: number, cutAfter: () => number) {
  const lines = new Set<Socket>();
  let cuts = 0;
  const server = createTcp((clientSocket) => {
    const far = connect(port, '127.0.0.1');
    let bytesLeft = cutAfter();
    for (const line of [clientSocket, far]) {
      lines.add(line);
      line.on('error', () => undefined);
      line.on('close', () => lines.delete(line));
    }
    clientSocket.pipe(far);
    far.on('data', (chunk: Buffer) => {
      clientSocket.write(chunk.subarray(0, bytesLeft));
      bytesLeft -= chunk.length;
      if (bytesLeft > 0) return;
      cuts++;
      clientSocket.destroySoon();
      far.destroy();
    });
    clientSocket.on('close', () => far.destroy());
    far.on('close', () => clientSocket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async [Symbol.asyncDispose]() {
      for (const line of lines) line.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A fake gateway, for states that a real one reaches only after minutes. */
export async function strangeGateway(
  greet: (line: { send(message: object): void; socket: WebSocket; since: string | null }) => void,
) {
  const server: Server = createServer((_request, response) => response.end('{}'));
  const sockets = new WebSocketServer({ server });
  const pings: string[] = [];
  let lines = 0;
  sockets.on('connection', (socket, { url = '/' }) => {
    lines++;
    socket.on('message', (data: Buffer) => pings.push(data.toString('utf8')));
    const since = new URL(url, 'http://x').searchParams.get('since');
    greet({ send: (message) => socket.send(JSON.stringify(message)), socket, since });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pings,
    get lines() {
      return lines;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createTcp();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
