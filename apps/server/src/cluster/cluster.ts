// A gateway's interface to the other gateways over the same log.
import type { Owner } from '@codelab/protocol';
import type { SharedStore } from '../log/cluster-ports.ts';
import type { SharedRates } from './shared-rates.ts';

/** The session is with another gateway, which answers at this address. */
export class SessionElsewhere extends Error {
  override readonly name = 'SessionElsewhere';
  readonly url: string;
  /** Aborts when that gateway is taken for gone. */
  readonly gone: AbortSignal;

  constructor(session: string, { url, gone }: { url: string; gone: AbortSignal }) {
    super(`The session ${session} is served at ${url}.`);
    this.url = url;
    this.gone = gone;
  }
}

/** The sessions of a node that is gone. `isFirst`: this node is to take it before the others try to. */
export type LeftSessions = { sessions: ReadonlySet<string>; isFirst(session: string): boolean };

export type Cluster = {
  /** Resolves when this node has the session; throws SessionElsewhere when another one has it. `workspace`: whose files it needs. */
  acquire(session: string, workspace: string | undefined): Promise<void>;
  /** Throws SessionElsewhere when another node was seen to have the session; asks no other node. */
  refuseElsewhere(session: string): void;
  /** The other node that was seen to have the session, if it is not known to be gone; looks nowhere. */
  ownerElsewhere(session: string): Pick<SessionElsewhere, 'url' | 'gone'> | undefined;
  release(session: string): Promise<void>;
  releaseAll(): Promise<void>;
  /** Whether the process that runs a call of one of this node's sessions is alive. */
  isAlive(owner: Owner): boolean;
  /** Called with a session that another node has taken. */
  onLost(listener: (session: string) => void): void;
  /** Called with the sessions that were with a node that is gone. */
  onNodeGone(listener: (sessions: LeftSessions) => void): void;
  /** Publishes the address at which other gateways reach this one. */
  announce(url: string): Promise<void>;
  /** The store that all gateways share. */
  shared: SharedStore;
  /** Limits that are counted by all gateways together. */
  rates: SharedRates;
  state(): { nodes: number; leases: number };
  close(): Promise<void>;
};
