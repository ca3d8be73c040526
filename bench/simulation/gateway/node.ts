// A simulated gateway: the product's log, leases, members, routing and list of open sessions over a simulated connection, process and network.
import { limitProfiles, type Owner } from '@codelab/protocol';
import { type Cluster, SessionElsewhere } from '../../../apps/server/src/cluster/cluster.ts';
import { openCluster } from '../../../apps/server/src/cluster/open-cluster.ts';
import type { ClusterPorts } from '../../../apps/server/src/log/cluster-ports.ts';
import { createJetStreamLog } from '../../../apps/server/src/log/jetstream/jetstream-log.ts';
import { adoptSessions, createSharedSessions } from '../../../apps/server/src/sessions/open-sessions.ts';
import { createSessionHeaders } from '../../../apps/server/src/sessions/session-header.ts';
import { exceptMoved, inCluster } from '../../../apps/server/src/sessions/shared-log.ts';
import type { LiveSession } from '../../../packages/runtime/src/core/session/live-session.ts';
import type { SimProcess } from '../machine/process.ts';
import { connectTo } from '../servers/connection.ts';
import type { GatewayNode, Reply, UserRequest, World } from '../world.ts';
import { workspace } from './bodies.ts';
import {
  movedAway,
  openLive,
  recoverCalls,
  type ServedSession,
  type Serving,
  serveSession,
} from './served-session.ts';

const idleMs = 15_000;

export async function startNode(world: World, process: SimProcess): Promise<GatewayNode> {
  const { server, network, random, laws, options } = world;
  const connection = connectTo({ process, server, network, random });
  const log = createJetStreamLog(connection, { leaseMs: options.leaseMs });
  const owner: Owner = { host: process.name, pid: 1, startedAt: process.name };
  const ports = await log.cluster();
  const cluster = openCluster(
    options.broken === 'no-fence' ? unfenced(ports) : ports,
    { home: '', workspace },
    { self: owner, newId: () => process.name, isAlive: () => false, isSeenGone: () => false },
  );
  const onFault = exceptMoved((error) => world.fault(process.name, error));
  const run = (session: string, callId: string): number => {
    laws.ran(session, callId, process.name);
    return random.wait(1000);
  };
  const { shared, adopting } = shareSessions(cluster, { log, clock: process.clock, owner, run, onFault });
  await cluster.announce(process.name);

  const ended = new AbortController();
  function kill(): void {
    process.kill();
    ended.abort();
    connection.lose();
  }

  return {
    process,
    connection,
    cluster,
    ended: ended.signal,
    front: { isReady: true, cut: new AbortController() },
    serve(request, reply) {
      void (async () => request.work(await shared.open(request.session)))().then(
        (value) => reply({ value }),
        (error: unknown) => {
          if (error instanceof SessionElsewhere) handOn(world, { process, to: error, request, reply });
          else reply({ error });
        },
      );
    },
    sessions: () => [...shared.all()].map(([id]) => id),
    async drain() {
      await adopting[Symbol.asyncDispose]();
      await shared[Symbol.asyncDispose]();
      await cluster.releaseAll();
      await cluster.close();
      kill();
    },
    kill,
  };
}

type Sharing = {
  shared: ReturnType<typeof createSharedSessions<ServedSession>>;
  adopting: ReturnType<typeof adoptSessions>;
};

/** In the order of `sessions/open-gateway.ts`: takes a session, ends the leftovers of a dead gateway, then serves it. */
function shareSessions(cluster: Cluster, serving: Serving): Sharing {
  const { log, clock, onFault } = serving;
  const live = new Map<string, Promise<LiveSession>>();
  const liveOf = (id: string): Promise<LiveSession> => {
    const found = live.get(id) ?? openLive(log, id);
    live.set(id, found);
    found.catch(() => live.delete(id));
    return found;
  };
  const { take, forget, follow } = inCluster(cluster, {
    headers: createSessionHeaders(log, async () => undefined),
    host: { forget: (id) => void live.delete(id) },
    recover: async (id) => recoverCalls(await liveOf(id), serving, cluster.isAlive),
    orphaned: { adopt: async () => undefined },
    onFault,
  });
  const share = async (id: string): Promise<ServedSession> => {
    await take(id, undefined);
    return serveSession(await liveOf(id), serving);
  };
  const shared = createSharedSessions<ServedSession>({ share, forget, onFault, idleMs, clock });
  log.watchHeads?.((id, seq) => {
    void (async () => await (await shared.opened(id))?.catchUp(seq))().catch(onFault);
  });
  const waited = { log, limits: () => limitProfiles.codelab, workspace: { root: { real: workspace } } };
  const adopting = adoptSessions(waited, { open: shared.open, onFault, clock });
  follow(shared, adopting);
  return { shared, adopting };
}

type HandedOn<T> = {
  process: SimProcess;
  to: SessionElsewhere;
  request: UserRequest<T>;
  reply(answer: Reply<T>): void;
};

/** As `edge/forward.ts` does over HTTP: once, and aborted when that gateway counts as dead. */
function handOn<T>(world: World, { process, to, request, reply }: HandedOn<T>): void {
  const { network, nodes, counts } = world;
  const target = nodes.get(to.url);
  if (request.via !== undefined || target === undefined || to.gone.aborted || target.ended.aborted) {
    reply({ error: movedAway() });
    return;
  }
  counts.handedOn++;
  const stop = AbortSignal.any([to.gone, target.ended]);
  const giveUp = (): void => process.run(() => reply({ error: movedAway() }));
  stop.addEventListener('abort', giveUp, { once: true });
  network.send(process.name, target.process, () =>
    target.serve({ ...request, via: process.name }, (answer) =>
      network.send(target.process.name, process, () => {
        stop.removeEventListener('abort', giveUp);
        reply(answer);
      }),
    ),
  );
}

/** Broken on purpose to test the laws: leases are taken without the fence in the session. */
function unfenced(ports: ClusterPorts): ClusterPorts {
  return { ...ports, join: () => undefined, fence: async () => true };
}
