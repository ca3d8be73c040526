// The functions of a server log for gateways that share it: ownership of sessions, membership, and the fence that keeps a former owner from
// appending.
import type { Clock } from './clock.ts';

/** The node that owns a session. `epoch` grows with every change of owner; `node` is empty after a handback. */
export type Lease = { node: string; epoch: number };

export type LeaseStore = {
  get(session: string): Promise<{ lease: Lease; revision: number } | undefined>;
  /** Stores the lease if `revision` is still current (0: there is none yet); undefined when another node was faster. */
  put(session: string, lease: Lease, revision: number): Promise<number | undefined>;
};

export type MemberStore = {
  put(node: string, text: string): Promise<void>;
  remove(node: string): Promise<void>;
  /** Calls the listener for all present nodes, then for every change; undefined: the node has left. Returns a function that stops it. */
  watch(listener: (node: string, text: string | undefined) => void): () => void;
};

/** Data shared by all gateways of a log: remembered rules, signed-in browsers, counts of requests. */
export type SharedStore = {
  get(key: string): Promise<{ text: string; revision: number } | undefined>;
  /** Stores the text if `revision` is still current (0: there is none yet); undefined when another node was faster. */
  put(key: string, text: string, revision: number): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  /** Called for all there are, then for every change; undefined: it was removed. Returns how to stop. */
  watch(listener: (key: string, text: string | undefined) => void): () => void;
  /** Whether the key is used for the first time in the last hours, over all gateways. */
  once(key: string): Promise<boolean>;
};

export type ClusterPorts = {
  leaseMs: number;
  clock: Clock;
  leases: LeaseStore;
  members: MemberStore;
  shared: SharedStore;
  /** From now on, every append of this process must be by the owner of its session. */
  join(node: string): void;
  /** Writes into the session that this lease holds. False: a later one does. */
  fence(session: string, lease: Lease): Promise<boolean>;
  /** Called when a message of another owner becomes known. Returns how to stop. */
  watchOwners(listener: (session: string, lease: Lease) => void): () => void;
};
