// Three gateways behind a load balancer over a log on three nats-servers, with many users at work, while nodes are killed and paused at
// random and a server is killed. Reports broken laws, and how long sessions of a killed node waited for their next entry.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { startBalancer } from '../../examples/cluster/balance.ts';
import { checkCluster, type Found } from './cluster-checks.ts';
import { openUser } from './cluster-client.ts';
import { type FailedOver, watchFailover } from './cluster-failover.ts';
import { type NatsServers, startNatsServers } from './nats-servers.ts';
import { createRandom, type Random } from './random.ts';
import { scratchFolder } from './scratch-folder.ts';
import { type SpawnedGateway, spawnGateway } from './spawn-gateway.ts';

export type ClusterChaosOptions = {
  sessions: number;
  seconds: number;
  seed: number;
  leaseSeconds: number;
  /** How long a paused node stays paused. */
  pauseMs: number;
  /** Between two faults, at most. */
  everyMs: number;
  /** Between two turns of a user, at most. */
  thinkMs?: number;
  onEvent?(text: string): void;
};

export type ClusterChaosReport = Found & {
  kills: number;
  pauses: number;
  brokerKills: number;
  /** The shortest first; `before` and `after`: the entries around the wait. */
  failovers: (FailedOver & { before: string; after: string })[];
};

const nodes = 3;
const lastTurnMs = 120_000;
const token = 'a-long-token';

export async function runClusterChaos(options: ClusterChaosOptions): Promise<ClusterChaosReport> {
  const { sessions, seconds, leaseSeconds, seed, thinkMs = 0 } = options;
  using scratch = scratchFolder();
  const runs = join(scratch.root, 'runs');
  appendFileSync(runs, '');
  await using servers = await startNatsServers({ count: 3 });
  const log = await openJetStreamLog(`${servers.url}?wait=60`);
  await using cluster = await startNodes(
    (i) => join(scratch.folder, `home-${i}`),
    (home) => ({
      ...{ root: scratch.root, home, log: `${servers.url}?wait=60&lease=${leaseSeconds}`, isEachTurn: true },
      script: [{ calls: [['run_command', { command: 'echo $SAID >> runs' }]] }, { text: 'Ran $SAID.' }],
    }),
  );
  const stop = AbortSignal.timeout(seconds * 1000);
  const users = Array.from({ length: sessions }, (_, i) =>
    openUser({
      ...{ url: cluster.url, token, session: `s${i}`, signal: stop },
      restMs: () => Math.random() * thinkMs,
    }),
  );
  const failover = await watchFailover(log, (session) => users[Number(session.slice(1))]?.isWaiting ?? false);
  const counts = { kills: 0, pauses: 0, brokerKills: 0 };
  await breakThings({ ...options, random: createRandom(seed), cluster, servers, failover, counts, stop });
  const isDone = await Promise.race([
    Promise.all(users.map(({ finished }) => finished)).then(() => true),
    rest(lastTurnMs, false, { ref: false }),
  ]);
  const found = await checkCluster(log, users, runs);
  if (!isDone)
    for (const { session, isWaiting, view, line } of users)
      if (isWaiting)
        found.failures.push(`${session} did not end: ${view.get(view.size)?.body.type}, ${line()}`);
  for (const user of users) user.close();
  failover.stop();
  await log.close();
  const typeAt = (session: string, seq: number): string =>
    users[Number(session.slice(1))]?.view.get(seq)?.body.type ?? '';
  const failovers = failover.failovers
    .toSorted((a, b) => a.ms - b.ms)
    .map((entry) => ({
      ...entry,
      before: typeAt(entry.session, entry.seq),
      after: typeAt(entry.session, entry.seq + 1),
    }));
  return { ...found, ...counts, failovers };
}

type Nodes = AsyncDisposable & {
  url: string;
  at(i: number): SpawnedGateway;
  restart(i: number): Promise<void>;
};

async function startNodes(
  homeOf: (i: number) => string,
  optionsFor: (home: string) => Parameters<typeof spawnGateway>[0],
): Promise<Nodes> {
  const running: SpawnedGateway[] = [];
  const balancer = await startBalancer(0, []);
  async function start(i: number): Promise<void> {
    mkdirSync(homeOf(i), { recursive: true });
    running[i] = await spawnGateway(optionsFor(homeOf(i)));
    balancer.use(running.flatMap((gateway) => (gateway ? [gateway.url] : [])));
  }
  for (let i = 0; i < nodes; i++) await start(i);
  return {
    url: balancer.url,
    at: (i) => running[i] as SpawnedGateway,
    restart: start,
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((gateway) => gateway.kill()));
      await balancer[Symbol.asyncDispose]();
    },
  };
}

type Breaking = ClusterChaosOptions & {
  random: Random;
  cluster: Nodes;
  servers: NatsServers;
  failover: Pick<Awaited<ReturnType<typeof watchFailover>>, 'noteExit'>;
  counts: Pick<ClusterChaosReport, 'kills' | 'pauses' | 'brokerKills'>;
  stop: AbortSignal;
};

/** One fault at a time for each node; a server is killed once, and is back before the end. */
async function breakThings(breaking: Breaking): Promise<void> {
  const { random, cluster, servers, counts, seconds, pauseMs, everyMs, stop, failover } = breaking;
  const report = breaking.onEvent ?? (() => undefined);
  const brokerAt = performance.now() + (0.3 + random.below(40) / 100) * seconds * 1000;
  const healing: Promise<void>[] = [];
  while (!stop.aborted) {
    await rest(everyMs / 2 + random.below(everyMs / 2), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
    const i = random.below(nodes);
    if (counts.brokerKills === 0 && performance.now() > brokerAt) {
      counts.brokerKills++;
      report(`server ${i} is killed`);
      await servers.kill(i);
      healing.push(rest(5000).then(() => servers.start(i)));
    } else if (random.chance(0.5)) {
      counts.kills++;
      report(`node ${i} is killed`);
      failover.noteExit(cluster.at(i).pid, 'killed');
      await cluster.at(i).kill();
      await cluster.restart(i);
    } else {
      counts.pauses++;
      report(`node ${i} stands still`);
      cluster.at(i).signal('SIGSTOP');
      failover.noteExit(cluster.at(i).pid, 'paused');
      await rest(pauseMs);
      cluster.at(i).signal('SIGCONT');
    }
  }
  await Promise.all(healing);
}
