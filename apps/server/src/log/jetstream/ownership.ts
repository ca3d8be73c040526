// Data that gateways share on JetStream: leases, nodes and the shared store in KV buckets, and the fence as a message without entries in
// the session's own subject.
import type { ClusterPorts, Lease, LeaseStore, MemberStore, SharedStore } from '../cluster-ports.ts';
import type { Identity, Publish } from './append.ts';
import type { Broker } from './broker.ts';
import type { Feed } from './feed.ts';
import { latestChange, type Standing } from './message.ts';
import type { Reader } from './reading/read-session.ts';
import { codeOf, wrongLastSequence } from './requests.ts';
import type { Bucket } from './streams.ts';
import { tokenOf } from './texts.ts';

type Parts = {
  broker: Broker;
  reader: Reader;
  publish: Publish;
  feed: Feed;
  identity: Identity;
  /** Called with the state after a fence. */
  note(session: string, standing: Standing): void;
  leaseMs: number;
};

export async function openOwnership(parts: Parts): Promise<ClusterPorts> {
  const { broker, feed, identity, leaseMs } = parts;
  const [leases, nodes] = [await broker.openBucket('leases'), await broker.openBucket('nodes')];
  const shared = await broker.openBucket('shared');
  const once = await broker.openBucket('once', { ttlMs: onceMs });
  return {
    leaseMs,
    clock: broker.clock,
    leases: leaseStore(broker, leases),
    members: memberStore(broker, nodes),
    shared: {
      ...keyedStore(broker, shared),
      once: async (key) => (await keyedStore(broker, once).put(key, '1', 0)) !== undefined,
    },
    join(node) {
      identity.node = node;
    },
    fence: (session, lease) => fence(parts, session, lease),
    watchOwners: (listener) =>
      feed.watchAll((session, { owner }) => {
        if (owner !== undefined) listener(session, owner);
      }),
  };
}

async function fence(
  { reader, feed, publish, identity, note }: Parts,
  session: string,
  lease: Lease,
): Promise<boolean> {
  // The feed may be out of date: then the servers refuse the message, and the state is read from them.
  for (let known = feed.known(session); ; known = undefined) {
    const head = known ?? (await reader.standing(session));
    if ((head.owner?.epoch ?? 0) > lease.epoch) return false;
    identity.epochs.set(session, lease.epoch);
    // An empty session has no entry that another node could append to.
    if (head.seq === 0) return true;
    const after = {
      ...head,
      messages: head.messages + 1,
      first: head.seq + 1,
      changes: [],
      changedBefore: latestChange(head),
      owner: lease,
    };
    const stored = await publish({ session, payload: '', before: head, after });
    if (stored === undefined) continue;
    note(session, stored);
    return true;
  }
}

function leaseStore(broker: Broker, kv: Bucket): LeaseStore {
  const store = keyedStore(broker, kv);
  return {
    async get(session) {
      const found = await store.get(tokenOf(session));
      return found && { lease: JSON.parse(found.text) as Lease, revision: found.revision };
    },
    put: (session, lease, revision) => store.put(tokenOf(session), JSON.stringify(lease), revision),
  };
}

function memberStore(broker: Broker, kv: Bucket): MemberStore {
  const { remove, watch } = keyedStore(broker, kv);
  return {
    async put(node, text) {
      // A late heartbeat is useless; the next one follows.
      await kv.put(node, text);
    },
    remove,
    watch,
  };
}

const retryMs = 500;
/** Longer than the life of any one-use proof. */
const onceMs = 3 * 3600_000;

function keyedStore({ withRetries, clock }: Broker, kv: Bucket): Omit<SharedStore, 'once'> {
  return {
    async get(key) {
      const entry = await withRetries(() => kv.get(key));
      // A removed entry stays as a mark without a text.
      return entry === null || entry.string() === ''
        ? undefined
        : { text: entry.string(), revision: entry.revision };
    },
    put: (key, text, revision) =>
      withRetries(async () => {
        try {
          return await kv.put(key, text, { previousSeq: revision });
        } catch (error) {
          if (wrongLastSequence.includes(codeOf(error) ?? 0)) return undefined;
          throw error;
        }
      }),
    remove: (key) => withRetries(() => kv.delete(key)),
    watch(listener) {
      const stop = new AbortController();
      void (async () => {
        while (!stop.signal.aborted) {
          try {
            const entries = await kv.watch();
            stop.signal.addEventListener('abort', () => entries.stop(), { once: true });
            for await (const entry of entries)
              listener(entry.key, entry.operation === 'PUT' ? entry.string() : undefined);
          } catch {
            // The servers are away, and so is everything they would report.
          }
          if (!stop.signal.aborted) await clock.rest(retryMs, { ref: false });
        }
      })();
      return () => stop.abort();
    },
  };
}
