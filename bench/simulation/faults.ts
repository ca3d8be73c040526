// The injected faults: gateways are killed, paused, cut off in one direction or both, or restarted in order; the leader changes; a server
// fails.
import { startNode } from './gateway/node.ts';
import { createProcess } from './machine/process.ts';
import type { SessionRecord } from './session-record.ts';
import type { Fault, GatewayNode, World } from './world.ts';

/** Starts a gateway in a place; each process has a unique name and a clock with its own error. */
export async function occupy(world: World, place: number): Promise<void> {
  const { random, scheduler, nodes, options } = world;
  const skew = random.between(-1, 1) * options.skewMs;
  const rate = 1 + random.between(-1, 1) * options.drift;
  const name = `n${place}.${starts(world)}`;
  const process = createProcess(scheduler, { name, skewMs: skew, rate });
  const before = [...nodes].find(([key]) => key.startsWith(`n${place}.`))?.[0];
  const node = await startNode(world, process).catch(() => undefined);
  if (node === undefined) {
    // The servers were away; the supervisor of the gateways starts it again.
    process.kill();
    scheduler.after(startAgainMs, () => void occupy(world, place));
    return;
  }
  if (before !== undefined) nodes.delete(before);
  nodes.set(name, node);
  world.laws.note(`${name} is there`);
}

const startAgainMs = 1000;
const started = new WeakMap<World, number>();

function starts(world: World): number {
  const next = (started.get(world) ?? 0) + 1;
  started.set(world, next);
  return next;
}

/** Until the given moment, one after the other. */
export function injectFaults(world: World, until: number): void {
  const { scheduler, random, options } = world;
  if (options.faults.length === 0) return;
  scheduler.after(random.wait(options.everyMs), () => {
    if (scheduler.now > until) return;
    inject(world, random.pick(options.faults));
    injectFaults(world, until);
  });
}

function inject(world: World, kind: Fault): void {
  const { scheduler, random, nodes, server, network, options, laws } = world;
  const able = [...nodes.values()].filter(({ process }) => !process.isDead && !process.isPaused);
  const node = random.pick(able);
  // One node is always left running.
  if (node === undefined || (able.length < 2 && kind !== 'leader' && kind !== 'server')) return;
  const { name } = node.process;
  const place = Number(/\d+/.exec(name)?.[0]);
  const lasting = random.between(0.2, 3) * options.leaseMs;
  laws.note(`${kind} ${kind === 'leader' || kind === 'server' ? '' : name} for ${Math.round(lasting)} ms`);
  const later = (work: () => void): void => void scheduler.after(lasting, work);
  switch (kind) {
    case 'kill':
      watchFailover(world, node);
      node.kill();
      later(() => void occupy(world, place));
      return;
    case 'restart':
      void node.drain().then(() => occupy(world, place));
      return;
    case 'pause':
      watchFailover(world, node);
      pause(world, node, lasting);
      return;
    case 'partition':
      cutOff(world, node, lasting);
      return;
    case 'one-way': {
      const direction = random.chance(0.5)
        ? ([name, server.process.name] as const)
        : ([server.process.name, name] as const);
      network.cut(...direction);
      later(() => network.heal(...direction));
      return;
    }
    case 'leader':
      server.changeLeader(random.between(200, 4000));
      return;
    case 'server':
      server.changeLeader(random.between(200, 4000));
      for (const node of able)
        if (random.chance(1 / 3)) loseConnection(world, node, random.between(250, 3000));
  }
}

/** As in `examples/cluster/balance.ts`: checks every half second, waits two seconds for the answer. */
const balancer = { checkMs: 500, answerMs: 2000 };

function pause({ scheduler }: World, node: GatewayNode, forMs: number): void {
  const { process, front } = node;
  process.pause();
  scheduler.after(balancer.checkMs + balancer.answerMs, () => {
    if (!process.isPaused) return;
    front.isReady = false;
    front.cut.abort();
  });
  scheduler.after(forMs, () => process.resume());
  scheduler.after(forMs + balancer.checkMs, () => {
    node.front = { isReady: true, cut: new AbortController() };
  });
}

function loseConnection({ scheduler }: World, node: GatewayNode, forMs: number): void {
  node.connection.lose();
  scheduler.after(forMs, () => node.connection.restore());
}

/** Cut off from all servers and gateways; users on another route still reach it. */
function cutOff(world: World, node: GatewayNode, forMs: number): void {
  const { scheduler, network, nodes, server } = world;
  const { name } = node.process;
  const others = [server.process.name, ...[...nodes.keys()].filter((other) => other !== name)];
  for (const other of others)
    for (const direction of [
      [name, other],
      [other, name],
    ] as const)
      network.cut(...direction);
  scheduler.after(forMs, () => {
    node.connection.lose();
    for (const other of others)
      for (const direction of [
        [name, other],
        [other, name],
      ] as const)
        network.heal(...direction);
    node.connection.restore();
  });
}

const lookMs = 50;
const longestLookMs = 120_000;

/** How long the node's sessions with an open call wait for the next append: by another gateway, or by the node itself when it continues. */
function watchFailover(world: World, node: GatewayNode): void {
  const { scheduler, laws, failovers } = world;
  const since = scheduler.now;
  const isWaiting = (id: string): boolean => {
    const found = laws.record(id);
    return found?.writer === node.process.name && hasOpenCall(found);
  };
  const waitingSessions = new Set(node.sessions().filter(isWaiting));
  const checkSessions = (): void => {
    for (const id of waitingSessions) {
      const at = laws.record(id)?.lastAt ?? 0;
      if (at <= since) continue;
      failovers.push(at - since);
      waitingSessions.delete(id);
    }
    if (waitingSessions.size > 0 && scheduler.now - since < longestLookMs)
      scheduler.after(lookMs, checkSessions);
  };
  checkSessions();
}

function hasOpenCall({ calls }: SessionRecord): boolean {
  return [...calls.values()].some(({ finished }) => finished === 0);
}
