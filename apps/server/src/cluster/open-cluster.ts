// One gateway among several over the same log: takes sessions, hands them back, and knows the addresses of the others.
import { type Owner, ToolError } from '@codelab/protocol';
import { isAlive, isSeenGone, randomId, sha256, thisProcess } from '@codelab/runtime';
import type { ClusterPorts } from '../log/cluster-ports.ts';
import { type Cluster, type LeftSessions, SessionElsewhere } from './cluster.ts';
import { createLeases, type Leases } from './leases.ts';
import { type Members, openMembers } from './members.ts';
import { openSharedRates } from './shared-rates.ts';

/** `workspace`: the folder it has; undefined where clients carry all calls out. */
type Place = { home: string; workspace: string | undefined };

/** How processes are identified and checked; a simulation has several in one. */
type Processes = {
  self: Owner;
  newId(): string;
  isAlive(owner: Owner, home: string): boolean;
  isSeenGone(owner: Owner): boolean;
};

export function openCluster(
  ports: ClusterPorts,
  { home, workspace: ownWorkspace }: Place,
  processes: Processes = { self: thisProcess(), newId: randomId, isAlive, isSeenGone },
): Cluster {
  const { self: ownProcess } = processes;
  const self = processes.newId();
  const lostListeners = new Set<(session: string) => void>();
  const goneListeners = new Set<(sessions: LeftSessions) => void>();
  /** The last seen owner of each session. The lease decides; this only saves requests. */
  const ownerOf = new Map<string, string>();
  ports.join(self);
  const members = openMembers({
    self,
    store: ports.members,
    leaseMs: ports.leaseMs,
    clock: ports.clock,
    isSeenGone: processes.isSeenGone,
    onGone(node) {
      const nodes = [self, ...members.others];
      const isFirst = (session: string): boolean =>
        nodes.every((other) => rank(session, self) >= rank(session, other));
      const leftSessions = { sessions: sessionsOf(node, ownerOf), isFirst };
      for (const listener of goneListeners) listener(leftSessions);
    },
  });
  const leases = createLeases(ports, { self, isAlive: members.isAlive });
  const rates = openSharedRates(ports, self);
  const stopWatching = ports.watchOwners((session, lease) => {
    ownerOf.set(session, lease.node);
    if (leases.lost(session, lease)) for (const listener of lostListeners) listener(session);
  });

  return {
    ...taking({ self, workspace: ownWorkspace, ownerOf, members, leases }),
    ...handingBack(leases),
    isAlive(owner) {
      if (owner.pid === ownProcess.pid && owner.startedAt === ownProcess.startedAt) return true;
      return !members.isNodeProcess(owner) && processes.isAlive(owner, home);
    },
    onLost: (listener) => void lostListeners.add(listener),
    onNodeGone: (listener) => void goneListeners.add(listener),
    announce: (url) => members.announce({ url, workspace: ownWorkspace, process: ownProcess }),
    shared: ports.shared,
    rates,
    state: () => ({ nodes: members.others.length + 1, leases: leases.heldEpochs.size }),
    async close() {
      stopWatching();
      await rates.close();
      await members.close();
    },
  };
}

type Taking = {
  self: string;
  workspace: string | undefined;
  ownerOf: ReadonlyMap<string, string>;
  members: Members;
  leases: Leases;
};

function taking(parts: Taking): Pick<Cluster, 'refuseElsewhere' | 'ownerElsewhere' | 'acquire'> {
  const { self, ownerOf, members, leases } = parts;
  const heldElsewhere = (session: string, node: string): SessionElsewhere =>
    new SessionElsewhere(session, members.reach(node));

  const ownerSeen = (session: string): string =>
    leases.heldEpochs.has(session) ? self : (ownerOf.get(session) ?? self);

  function refuseElsewhere(session: string): void {
    const node = ownerSeen(session);
    if (node !== self && members.isHeard(node)) throw heldElsewhere(session, node);
  }

  return {
    refuseElsewhere,
    ownerElsewhere(session) {
      const node = ownerSeen(session);
      const target = node === self ? undefined : members.reach(node);
      return target?.gone.aborted === false ? target : undefined;
    },
    async acquire(session, workspace) {
      if (workspace !== undefined && workspace !== parts.workspace) {
        const node = members.withWorkspace(workspace);
        if (node === undefined) throw nowhere(session, workspace);
        throw heldElsewhere(session, node);
      }
      refuseElsewhere(session);
      const node = await leases.acquire(session);
      if (node !== self) throw heldElsewhere(session, node);
    },
  };
}

function handingBack(leases: Leases): Pick<Cluster, 'release' | 'releaseAll'> {
  const releasing = new Set<Promise<void>>();
  async function release(session: string): Promise<void> {
    const under = leases.release(session);
    releasing.add(under);
    await under.finally(() => releasing.delete(under));
  }
  return {
    release,
    async releaseAll() {
      await Promise.all([...leases.heldEpochs.keys()].map(release));
      await Promise.allSettled(releasing);
    },
  };
}

function sessionsOf(node: string, owners: ReadonlyMap<string, string>): Set<string> {
  return new Set([...owners].flatMap(([session, owner]) => (owner === node ? [session] : [])));
}

/** All nodes rank each other in the same way for a session, without having to talk. */
function rank(session: string, node: string): string {
  return sha256(`${session} ${node}`);
}

function nowhere(session: string, workspace: string): ToolError {
  return new ToolError(
    'SESSION_NOT_FOUND',
    `No gateway that has the folder ${workspace} is running, so the session ${session} waits. Start one there, with the same --log.`,
  );
}
