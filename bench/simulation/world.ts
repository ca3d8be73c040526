// The state of one run: time, randomness, servers, network, gateways and counters.
import { ToolError } from '@codelab/protocol';
import type { Cluster } from '../../apps/server/src/cluster/cluster.ts';
import type { ServedSession } from './gateway/served-session.ts';
import { createLaws, type Laws } from './laws.ts';
import { createNetwork, type Network } from './machine/network.ts';
import type { SimProcess } from './machine/process.ts';
import { createProcess } from './machine/process.ts';
import { createRandom, createScheduler, type Random, type Scheduler } from './machine/scheduler.ts';
import type { Connection } from './servers/connection.ts';
import { createStreamServer, type StreamServer } from './servers/stream-server.ts';

export const allFaults = ['kill', 'pause', 'partition', 'one-way', 'leader', 'server', 'restart'] as const;
export type Fault = (typeof allFaults)[number];

export type Options = {
  seed: number;
  nodes: number;
  sessions: number;
  /** The period in which users arrive; their work is finished after it. */
  minutes: number;
  turns: number;
  leaseMs: number;
  latencyMs: number;
  loss: number;
  /** Largest difference of a wall clock, and of the speed of a clock. */
  skewMs: number;
  drift: number;
  faults: readonly Fault[];
  /** Mean time between two faults. */
  everyMs: number;
  /** For testing the laws themselves. */
  broken?: 'no-fence' | 'no-order' | undefined;
};

/** A user's request to any gateway; `via` is set by a gateway that forwards it. */
export type UserRequest<T> = { session: string; via?: string; work(session: ServedSession): Promise<T> };

export type Reply<T> = { value: T } | { error: unknown };

export type GatewayNode = {
  process: SimProcess;
  connection: Connection;
  cluster: Cluster;
  /** Aborts when its process ends: the system closes its connections then, as it does for a killed one. */
  ended: AbortSignal;
  serve<T>(request: UserRequest<T>, reply: (answer: Reply<T>) => void): void;
  /** The load balancer's view of it. `cut` aborts when its connections are cut. */
  front: { isReady: boolean; cut: AbortController };
  /** The sessions that it serves now. */
  sessions(): string[];
  /** Hands everything over and ends. */
  drain(): Promise<void>;
  kill(): void;
};

export type World = {
  options: Options;
  scheduler: Scheduler;
  random: Random;
  network: Network;
  server: StreamServer;
  laws: Laws;
  /** By the name under which they are reached; a killed one stays until another takes its place. */
  nodes: Map<string, GatewayNode>;
  counts: { handedOn: number; requests: number; retries: number; faults: Record<string, number> };
  failovers: number[];
  fault(node: string, error: unknown): void;
};

export function createWorld(options: Options): World {
  const scheduler = createScheduler();
  const random = createRandom(options.seed);
  const laws = createLaws(scheduler);
  const process = createProcess(scheduler, { name: 'servers' });
  const server = createStreamServer(
    { scheduler, random, process },
    { hasOrder: options.broken !== 'no-order' },
  );
  server.store.onAppend(laws.appended);
  const counts: World['counts'] = { handedOn: 0, requests: 0, retries: 0, faults: {} };
  return {
    options,
    scheduler,
    random,
    network: createNetwork({ scheduler, random }, options),
    server,
    laws,
    nodes: new Map(),
    counts,
    failovers: [],
    fault(node, error) {
      const code = error instanceof ToolError ? error.code : 'INTERNAL';
      counts.faults[code] = (counts.faults[code] ?? 0) + 1;
      if (code === 'INTERNAL')
        laws.breaks(`${node}: ${error instanceof Error ? error.stack : String(error)}`);
    },
  };
}
