// One gateway among several over the same log: takes sessions, hands them back, and knows where the others are reached.
import { type Owner, ToolError } from '@codelab/protocol';
import { isAlive, isSeenGone, randomId, sha256, thisProcess } from '@codelab/runtime';
import type { ClusterPorts } from '../log/cluster-ports.ts';
import { type Cluster, type LeftSessions, SessionElsewhere } from './cluster.ts';
import { createLeases, type Leases } from './leases.ts';
import { type Members, openMembers } from './members.ts';
import { openSharedRates } from './shared-rates.ts';

/** `workspace`: the folder it has; undefined where clients carry all calls out. */
type Place = { home: string; workspace: string | undefined };

/** How processes are told apart, and whether they run; a simulation has several in one. */
type Processes = {
  own: Owner;
  newId(): string;
  isAlive(owner: Owner, home: string): boolean;
  isSeenGone(owner: Owner): boolean;
};

export function openCluster(
  ports: ClusterPorts,
  { home, workspace: ownWorkspace }: Place,
  processes: Processes = { own: thisProcess(), newId: randomId, isAlive, isSeenGone },
): Cluster {
  const { own } = processes;
  const self = processes.newId();
  const lostListeners = new Set<(session: string) => void>();
  const goneListeners = new Set<(left: LeftSessions) => void>();
  /** Who was seen to have a session, until it was seen otherwise. Asking for the lease decides; this only spares the asking. */
  const seen = new Map<string, string>();
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
        nodes.every((one) => rank(session, self) >= rank(session, one));
      const left = { sessions: sessionsOf(node, seen), isFirst };
      for (const listener of goneListeners) listener(left);
    },
  });
  const leases = createLeases(ports, { self, isAlive: members.isAlive });
  const rates = openSharedRates(ports, self);
  const stopWatching = ports.watchOwners((session, lease) => {
    seen.set(session, lease.node);
    if (leases.lost(session, lease)) for (const listener of lostListeners) listener(session);
  });

  return {
    ...taking({ self, workspace: ownWorkspace, seen, members, leases }),
    ...handingBack(leases),
    isAlive(owner) {
      if (owner.pid === own.pid && owner.startedAt === own.startedAt) return true;
      return !members.isNodeProcess(owner) && processes.isAlive(owner, home);
    },
    onLost: (listener) => void lostListeners.add(listener),
    onNodeGone: (listener) => void goneListeners.add(listener),
    announce: (url) => members.announce({ url, workspace: ownWorkspace, process: own }),
    shared: ports.shared,
    rates,
    state: () => ({ nodes: members.others.length + 1, leases: leases.held.size }),
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
  seen: ReadonlyMap<string, string>;
  members: Members;
  leases: Leases;
};

function taking(own: Taking): Pick<Cluster, 'refuseElsewhere' | 'acquire'> {
  const { self, seen, members, leases } = own;
  const elsewhere = (session: string, node: string): SessionElsewhere =>
    new SessionElsewhere(session, members.reach(node));

  function refuseElsewhere(session: string): void {
    const node = leases.held.has(session) ? self : (seen.get(session) ?? self);
    if (node !== self && members.isHeard(node)) throw elsewhere(session, node);
  }

  return {
    refuseElsewhere,
    async acquire(session, workspace) {
      if (workspace !== undefined && workspace !== own.workspace) {
        const node = members.withWorkspace(workspace);
        if (node === undefined) throw nowhere(session, workspace);
        throw elsewhere(session, node);
      }
      refuseElsewhere(session);
      const node = await leases.acquire(session);
      if (node !== self) throw elsewhere(session, node);
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
      await Promise.all([...leases.held.keys()].map(release));
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
