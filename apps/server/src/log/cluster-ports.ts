// What a log on servers offers to gateways that share it: who may use a session, which gateways there are, and the fence that keeps one
// that lost a session from appending to it.
import type { Clock } from './clock.ts';

/** Which node has a session. `epoch` grows with every change of hands; `node` is empty when it was handed back. */
export type Lease = { node: string; epoch: number };

export type LeaseStore = {
  get(session: string): Promise<{ lease: Lease; revision: number } | undefined>;
  /** Stores the lease if `revision` is still current (0: there is none yet); undefined when another node was faster. */
  put(session: string, lease: Lease, revision: number): Promise<number | undefined>;
};

export type MemberStore = {
  put(node: string, text: string): Promise<void>;
  remove(node: string): Promise<void>;
  /** Called for all there are, then for every change; undefined: the node said goodbye. Returns how to stop. */
  watch(listener: (node: string, text: string | undefined) => void): () => void;
};

/** What all gateways of a log know: remembered rules, signed-in browsers, counts of requests. */
export type SharedStore = {
  get(key: string): Promise<{ text: string; revision: number } | undefined>;
  /** Stores the text if `revision` is still current (0: there is none yet); undefined when another node was faster. */
  put(key: string, text: string, revision: number): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  /** Called for all there are, then for every change; undefined: it was removed. Returns how to stop. */
  watch(listener: (key: string, text: string | undefined) => void): () => void;
  /** Whether nobody has named this key before, at any gateway, in the last hours. */
  once(key: string): Promise<boolean>;
};

export type ClusterPorts = {
  leaseMs: number;
  clock: Clock;
  leases: LeaseStore;
  members: MemberStore;
  shared: SharedStore;
  /** Every append of this process must be by the owner of its session from now on. */
  join(node: string): void;
  /** Writes into the session that this lease holds. False: a later one does. */
  fence(session: string, lease: Lease): Promise<boolean>;
  /** Called when a message of another owner becomes known. Returns how to stop. */
  watchOwners(listener: (session: string, lease: Lease) => void): () => void;
};
