// A small load balancer for gateways: each connection goes to the next one that is ready; those of one that does not answer are cut, so that
// clients connect again elsewhere. `node balance.ts PORT URL URL…`
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Balancer = AsyncDisposable & {
  url: string;
  /** Changes which gateways there are. */
  use(urls: readonly string[]): void;
};

type Backend = { url: URL; isReady: boolean; open: Set<Socket>; checking: NodeJS.Timeout };

const checkMs = 500;
const answerMs = 2000;

export async function startBalancer(port: number, urls: readonly string[]): Promise<Balancer> {
  let backends: Backend[] = [];
  let turn = 0;

  function next(): Backend | undefined {
    const ready = backends.filter(({ isReady }) => isReady);
    return ready[turn++ % ready.length];
  }

  function use(wanted: readonly string[]): void {
    for (const one of backends) if (!wanted.includes(one.url.origin)) drop(one);
    const kept = backends.filter(({ url }) => wanted.includes(url.origin));
    const known = kept.map(({ url }) => url.origin);
    backends = [...kept, ...wanted.filter((url) => !known.includes(new URL(url).origin)).map(watch)];
  }

  const server = createServer((client) => {
    const backend = next();
    if (backend === undefined) return void client.destroy();
    const { hostname, port: at } = backend.url;
    const onward = connect({ host: hostname, port: Number(at) });
    backend.open.add(client);
    client.pipe(onward).pipe(client);
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
    client.once('close', () => backend.open.delete(client));
  });
  use(urls);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${bound}`,
    use,
    async [Symbol.asyncDispose]() {
      use([]);
      server.close();
      await once(server, 'close');
    },
  };
}

function watch(url: string): Backend {
  const backend: Backend = {
    url: new URL(url),
    isReady: false,
    open: new Set(),
    checking: setTimeout(check),
  };
  async function check(): Promise<void> {
    backend.isReady = await isReady(backend.url);
    if (!backend.isReady) cut(backend);
    backend.checking = setTimeout(check, checkMs);
  }
  return backend;
}

async function isReady(url: URL): Promise<boolean> {
  try {
    return (await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(answerMs) })).ok;
  } catch {
    return false;
  }
}

function drop(backend: Backend): void {
  backend.isReady = false;
  clearTimeout(backend.checking);
  cut(backend);
}

function cut({ open }: Backend): void {
  for (const client of open) client.destroy();
}

if (import.meta.main) {
  const [port = '4040', ...urls] = process.argv.slice(2);
  const { url } = await startBalancer(Number(port), urls);
  process.stdout.write(`Balancing ${urls.length} gateways at ${url}\n`);
}
