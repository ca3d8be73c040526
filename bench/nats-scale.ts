// Calls at one gateway, and three times as many at three: the processor time of the busiest for each of them. With a core for each gateway,
// three carry out as many times the calls of one. Counted in processor time, since few machines have the cores. Left out where there is no nats-server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsProgram, startNatsServers } from '../test/support/nats-servers.ts';
import { type SpawnedGateway, spawnGateway } from '../test/support/spawn-gateway.ts';
import { liveCpuNs } from './measure.ts';
import { post } from './nats/post.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const sessionsEach = 100;
const rounds = 3;
/** They run code for the first times. */
const roundsBefore = 2;
const atOnce = 8;
const readsEach = 5;

export async function natsScale(): Promise<Row[]> {
  if (natsProgram === undefined) return [];
  await using servers = await startNatsServers();
  using place = scratch();
  writeFileSync(join(place.root, 'read.txt'), 'a line\n'.repeat(200));
  await using stack = new AsyncDisposableStack();
  const spawn = async (log: string, name: string): Promise<SpawnedGateway> => {
    const home = join(place.folder, name);
    mkdirSync(home);
    return stack.use(await spawnGateway({ root: place.root, home, log: `${servers.url}/${log}` }));
  };
  const one = [await spawn('one', 'a')];
  const three = [await spawn('three', 'b'), await spawn('three', 'c'), await spawn('three', 'd')];
  const costs = { alone: 0, bySession: 0, byRequest: 0 };
  for (let round = -roundsBefore; round < rounds; round++) {
    const [alone, bySession, byRequest] = [
      await busiest(one, 'session'),
      await busiest(three, 'session'),
      await busiest(three, 'request'),
    ];
    if (round < 0) continue;
    costs.alone += alone;
    costs.bySession += bySession;
    costs.byRequest += byRequest;
  }
  const row = (name: string, cost: number): Row => ({
    name: `a call at three gateways, ${name}: processor time of the busiest`,
    ours: eachOf(cost),
    baseline: `one gateway ${eachOf(costs.alone)}`,
    ratio: cost / costs.alone,
    goal: 0.5,
  });
  return [row('a session stays at one', costs.bySession), row('any request at any', costs.byRequest)];
}

function eachOf(all: number): string {
  const each = all / (rounds * sessionsEach * (readsEach + 1));
  return `${each.toFixed(2)} ms, ${Math.round(1000 / each)} calls/s`;
}

/**
 * Each session, or each request, goes to another gateway than the one before. Resolves with the processor milliseconds of the
 * busiest one for `sessionsEach` of all sessions.
 */
async function busiest(gateways: readonly SpawnedGateway[], spread: 'session' | 'request'): Promise<number> {
  const before = gateways.map(({ pid = 0 }) => liveCpuNs(pid));
  let left = sessionsEach * gateways.length;
  let next = 0;
  const nextUrl = (): string => gateways[next++ % gateways.length]?.url ?? '';
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const first = nextUrl();
      const { session_id: session = '' } = await post(first, '/sessions', {});
      const call = async (tool: string, args: object): Promise<void> => {
        const url = spread === 'session' ? first : nextUrl();
        await post(url, `/sessions/${session}/calls`, { tool, args, approve: true });
      };
      await call('write_file', { path: `${session}.txt`, content: 'text' });
      for (let n = 0; n < readsEach; n++) await call('read_file', { path: 'read.txt' });
    }
  };
  await Promise.all(Array.from({ length: atOnce * gateways.length }, lane));
  const busiestNs = Math.max(...gateways.map(({ pid = 0 }, i) => liveCpuNs(pid) - (before[i] ?? 0)));
  return busiestNs / 1e6 / gateways.length;
}
