// Real nats-servers on the loopback: one alone, or a cluster of three. Each is a process that tests stop, pause and start again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type NatsServers = AsyncDisposable & {
  /** `HOST:PORT` of each. */
  addresses: string[];
  /** `nats://…` with all of them. */
  url: string;
  kill(i?: number, signal?: NodeJS.Signals): Promise<void>;
  pause(i: number): void;
  resume(i: number): void;
  start(i?: number): Promise<void>;
};

type Options = {
  count?: 1 | 3;
  /** Further lines of the configuration, such as `authorization { … }`. */
  config?: string;
  /** Inside `jetstream { … }`. */
  jetstream?: string;
  /** The folder of the streams; by default one of the servers' own. */
  store?: string;
};

const root = join(import.meta.dirname, '..', '..');
const places = [
  process.env.CODELAB_NATS_SERVER,
  'nats-server',
  join(root, '.cache/nats/usr/sbin/nats-server'),
];

/** The program, 2.10 or newer; undefined where there is none, and then the tests that need it are skipped. */
export const natsProgram = places.find((place) => place !== undefined && isNewEnough(place));

if (natsProgram === undefined)
  // biome-ignore lint/suspicious/noConsole: whoever reads the report must see what was left out
  console.warn(
    'No nats-server 2.10 or newer: tests of the log on NATS are skipped (scripts/install-debian.sh gets it).',
  );

function isNewEnough(program: string): boolean {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    const [, major = 0, minor = 0] = (/v(\d+)\.(\d+)\./.exec(text) ?? []).map(Number);
    return major > 2 || (major === 2 && minor >= 10);
  } catch {
    return false;
  }
}

export async function startNatsServers({
  count = 1,
  config = '',
  jetstream = '',
  store,
}: Options = {}): Promise<NatsServers> {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-nats-'));
  const ports = await freePorts(2 * count);
  const clients = ports.slice(0, count);
  const routes = ports.slice(count);
  const running = new Map<number, ChildProcess>();
  for (let i = 0; i < count; i++) {
    const cluster = `cluster { name: tests, listen: 127.0.0.1:${routes[i]}, routes: [${routes.map((port) => `nats://127.0.0.1:${port}`).join(', ')}] }`;
    writeFileSync(
      join(folder, `${i}.conf`),
      `listen: 127.0.0.1:${clients[i]}\nserver_name: n${i}\njetstream { store_dir: "${join(store ?? folder, String(i))}"\n${jetstream} }\n${count > 1 ? cluster : ''}\n${config}\n`,
    );
  }

  async function start(i = 0): Promise<void> {
    const child = spawn(natsProgram ?? '', ['-c', join(folder, `${i}.conf`)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.set(i, child);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
      if (output.includes('Server is ready')) resolve();
    });
    child.once('exit', () => reject(new Error(`nats-server ended: ${output}`)));
    await promise;
  }

  async function kill(i = 0, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = running.get(i);
    running.delete(i);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  await Promise.all(Array.from({ length: count }, (_, i) => start(i)));
  const addresses = clients.map((port) => `127.0.0.1:${port}`);
  return {
    addresses,
    url: `nats://${addresses.join(',')}`,
    kill,
    pause: (i) => void running.get(i)?.kill('SIGSTOP'),
    resume: (i) => void running.get(i)?.kill('SIGCONT'),
    start,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys()].map((i) => kill(i)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const portHolders = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = portHolders.map((server) => (server.address() as { port: number }).port);
  await Promise.all(portHolders.map((server) => once(server.close(), 'close')));
  return ports;
}
