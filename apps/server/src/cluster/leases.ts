// The sessions of this node. A lease is taken by a conditional write, then written into the session itself; from then on no earlier owner
// can append to it, however long it was paused. Clocks of other machines are never compared with ours.
import type { ClusterPorts, Lease } from '../log/cluster-ports.ts';

/** This node's beliefs about others; wrong beliefs cost a change of ownership, never a lost or duplicated entry. */
export type Beliefs = { self: string; isAlive(node: string): boolean };

export type Leases = {
  /** Returns the node that has the session: this one, or another that is believed to be alive. */
  acquire(session: string): Promise<string>;
  /** Hands it back, so that another node need not wait. */
  release(session: string): Promise<void>;
  /** Call when another node was seen with the lease of the session. */
  lost(session: string, lease: Lease): boolean;
  readonly heldEpochs: ReadonlyMap<string, number>;
};

/** The owner of a session that its node has handed back. */
const noNode = '';

export function createLeases(
  { leases, fence }: Pick<ClusterPorts, 'leases' | 'fence'>,
  { self, isAlive }: Beliefs,
): Leases {
  const heldEpochs = new Map<string, number>();
  const acquiring = new Map<string, Promise<string>>();

  async function take(session: string): Promise<string> {
    for (;;) {
      const found = await leases.get(session);
      const { node = noNode, epoch = 0 } = found?.lease ?? {};
      if (node !== noNode && node !== self && isAlive(node)) return node;
      const lease = { node: self, epoch: epoch + 1 };
      const revision = await leases.put(session, lease, found?.revision ?? 0);
      // Another node was first, or a later lease exists: read the lease again.
      if (revision === undefined || !(await fence(session, lease))) continue;
      heldEpochs.set(session, lease.epoch);
      return self;
    }
  }

  return {
    heldEpochs,
    async acquire(session) {
      if (heldEpochs.has(session)) return self;
      const under = acquiring.get(session) ?? take(session).finally(() => acquiring.delete(session));
      acquiring.set(session, under);
      return await under;
    },
    async release(session) {
      const epoch = heldEpochs.get(session);
      if (epoch === undefined) return;
      heldEpochs.delete(session);
      const found = await leases.get(session);
      if (found?.lease.node !== self || found.lease.epoch !== epoch) return;
      await leases.put(session, { node: noNode, epoch }, found.revision);
    },
    lost(session, { node, epoch }) {
      const ownEpoch = heldEpochs.get(session);
      if (ownEpoch === undefined || node === self || epoch <= ownEpoch) return false;
      heldEpochs.delete(session);
      return true;
    },
  };
}
