// The known gateways: each sends heartbeats, and counts as gone after a lease time of silence by the listener's clock. Silence counts only
// while the listener receives its own heartbeats: while the servers are away or the listener was paused, it can't judge others.
import type { Owner } from '@codelab/protocol';
import type { Clock } from '../log/clock.ts';
import type { MemberStore } from '../log/cluster-ports.ts';

type Member = {
  /** The address for other gateways. */
  url: string;
  /** The folder it has; undefined: none, and clients carry all calls out. */
  workspace?: string | undefined;
  process: Owner;
};

export type Members = {
  isAlive(node: string): boolean;
  /** Whether the node was heard of, so that its address is known. */
  isHeard(node: string): boolean;
  /** The node's address, until it is gone. */
  reach(node: string): { url: string; gone: AbortSignal };
  /** A node, alive, that has these files. */
  withWorkspace(workspace: string): string | undefined;
  /** Whether a process is one of the gateways heard of, alive or not. */
  isNodeProcess(owner: Owner): boolean;
  /** The other nodes that are alive. */
  readonly others: readonly string[];
  announce(member: Member): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  self: string;
  store: MemberStore;
  leaseMs: number;
  /** A node that was alive is not any more. */
  onGone(node: string): void;
  clock: Clock;
  /** Whether this machine can see that a process has ended, which saves waiting for its silence. */
  isSeenGone?(process: Owner): boolean;
};

type Heard = { member: Member; at: number; gone: AbortController };

/** Share of a lease: a node may miss its own heartbeats this long and still judge others. */
const longestGap = 2 / 3;
/** Heartbeats per lease; each one also checks which nodes have fallen silent. */
const beatsPerLease = 6;

export function openMembers(options: Options): Members {
  const { self, store, leaseMs, clock } = options;
  const since = clock.now();
  const others = createOthers(options);
  let ownMember: Member | undefined;

  const stop = store.watch((node, text) => {
    if (node === self) others.hearSelf();
    else if (text === undefined) others.leave(node);
    else others.hear(node, JSON.parse(text) as Member);
  });
  const stopBeating = clock.every(leaseMs / beatsPerLease, () => {
    others.leaveGone();
    if (ownMember !== undefined) void store.put(self, JSON.stringify(ownMember)).catch(() => undefined);
  });
  const { heardNodes, isHeard, alive } = others;

  return {
    isHeard,
    // An unknown node may be about to send its first heartbeat.
    isAlive: (node) =>
      node === self || isHeard(node) || (!heardNodes.has(node) && clock.now() - since < leaseMs),
    reach(node) {
      const { member, gone } = heardNodes.get(node) ?? {};
      return { url: member?.url ?? '', gone: gone?.signal ?? AbortSignal.abort() };
    },
    withWorkspace: (workspace) => alive().find(([, { member }]) => member.workspace === workspace)?.[0],
    isNodeProcess: ({ pid, startedAt }) =>
      [...heardNodes.values()].some(
        ({ member }) => member.process.pid === pid && member.process.startedAt === startedAt,
      ),
    get others() {
      return alive().map(([node]) => node);
    },
    async announce(member) {
      ownMember = member;
      await store.put(self, JSON.stringify(member));
    },
    async close() {
      stopBeating();
      stop();
      if (ownMember !== undefined) await store.remove(self).catch(() => undefined);
    },
  };
}

type Others = {
  readonly heardNodes: ReadonlyMap<string, Heard>;
  hear(node: string, member: Member): void;
  hearSelf(): void;
  leave(node: string): void;
  /** Leaves all that are gone by now. */
  leaveGone(): void;
  isHeard(node: string): boolean;
  alive(): [string, Heard][];
};

/** The other gateways that were heard of, gone or not. */
function createOthers({ leaseMs, onGone, clock, isSeenGone = () => false }: Options): Others {
  const heardNodes = new Map<string, Heard>();
  let hearing: Hearing | undefined;

  function leave(node: string): void {
    const entry = heardNodes.get(node);
    if (entry === undefined || entry.gone.signal.aborted) return;
    entry.gone.abort();
    onGone(node);
  }

  function isGone({ member, at }: Heard): boolean {
    const silence = hearing === undefined ? clock.now() - at : hearing.last - Math.max(at, hearing.since);
    return silence > leaseMs || isSeenGone(member.process);
  }

  function leaveGone(): void {
    for (const [node, entry] of heardNodes) if (isGone(entry)) leave(node);
  }

  return {
    heardNodes,
    hear(node, member) {
      const before = heardNodes.get(node)?.gone;
      const goneController = before === undefined || before.signal.aborted ? new AbortController() : before;
      heardNodes.set(node, { member, at: clock.now(), gone: goneController });
    },
    hearSelf() {
      hearing = hearingAfter(hearing, clock.now(), leaseMs * longestGap);
      leaveGone();
    },
    leave,
    leaveGone,
    isHeard(node) {
      const entry = heardNodes.get(node);
      if (entry !== undefined && isGone(entry)) leave(node);
      return entry !== undefined && !entry.gone.signal.aborted;
    },
    alive: () => [...heardNodes].filter(([, { gone }]) => !gone.signal.aborted),
  };
}

/** When this node last received its own heartbeat, and since when without a gap. */
type Hearing = { since: number; last: number };

function hearingAfter(before: Hearing | undefined, now: number, longestGapMs: number): Hearing {
  const isUnbroken = before !== undefined && now - before.last <= longestGapMs;
  return { since: isUnbroken ? before.since : now, last: now };
}
