// The cost of a run for each session, and, from unit costs measured on real servers, the first exhausted resource.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readStanding, type Standing } from '../../apps/server/src/log/jetstream/message.ts';
import type { UnitCosts } from './unit-costs.ts';
import type { World } from './world.ts';

type PerSession = {
  appends: number;
  bytes: number;
  reads: number;
  kvReads: number;
  kvWrites: number;
  requests: number;
  handedOn: number;
};

/** Measured by `npm run simulate -- --measure`: three nats-servers 2.10 and the log on two shared cores, processor milliseconds. */
export const measuredCosts: UnitCosts = {
  appendsPerSecond: 9800,
  gateway: { append: 0.057, read: 0.092, heard: 0.033 },
  server: { append: 0.065, read: 0.05, heard: 0.005 },
};

export function costPerSession({ server, counts, options }: World): PerSession {
  const { store, buckets } = server;
  const each = (count: number): number => count / options.sessions;
  return {
    appends: each(store.counts.appends),
    bytes: each(store.counts.bytes),
    reads: each(server.counts.reads - buckets.counts.reads),
    kvReads: each(buckets.counts.reads),
    kvWrites: each(buckets.counts.writes.leases ?? 0),
    requests: each(counts.requests),
    handedOn: each(counts.handedOn),
  };
}

/** How many sessions per second exhaust this resource. */
type Limit = { subject: string; perSecond: number };

const servers = 3;
const leastIndexed = 50_000;

/** With one core per gateway and server; the first exhausted resource comes first. */
export function limitsOf(
  nodes: number,
  cost: PerSession,
  { appendsPerSecond, gateway, server }: UnitCosts,
): Limit[] {
  const writes = cost.appends + cost.kvWrites;
  const reads = cost.reads + cost.kvReads;
  // Every gateway receives every append.
  const atServers = writes * server.append + reads * server.read + cost.appends * nodes * server.heard;
  const atGateway = (writes * gateway.append + reads * gateway.read) / nodes + cost.appends * gateway.heard;
  return [
    { subject: 'appends of the stream', perSecond: appendsPerSecond / writes },
    { subject: 'processor of the servers', perSecond: (1000 * servers) / atServers },
    { subject: 'processor of a gateway', perSecond: 1000 / atGateway },
  ].sort((a, b) => a.perSecond - b.perSecond);
}

/** Bytes that each gateway keeps in memory for each session of the log, busy or not. */
export function indexBytes({ server }: World): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const last = server.store.lastOfAll();
  if (last.length === 0) return 0;
  collect();
  const before = process.memoryUsage().heapUsed;
  const index = new Map<string, Standing>();
  // A few sessions would not be visible among everything else in memory.
  for (let round = 0; index.size < leastIndexed; round++)
    for (const { subject, standing, seq } of last)
      index.set(`${subject}.${round}`, readStanding(standing, seq));
  collect();
  return (process.memoryUsage().heapUsed - before) / index.size;
}

export function part(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
