// Rates counted over all gateways: each counts locally and reports its use to the others once a second, so that no request waits. Within
// that second a key may use its remainder at each gateway.
import type { ClusterPorts } from '../log/cluster-ports.ts';

/** One kind of limited requests. */
type RateShare = {
  /** One more was used here. */
  note(key: string): void;
  /** Calls the listener with use at other gateways. */
  onUsed(listener: (key: string, count: number) => void): void;
};

export type SharedRates = { of(name: string): RateShare; close(): Promise<void> };

type Counts = Record<string, Record<string, number>>;

const tellMs = 1000;
const maxKeys = 500;

export function openSharedRates(
  { shared, clock }: Pick<ClusterPorts, 'shared' | 'clock'>,
  self: string,
): SharedRates {
  const ownKey = `${prefix}${self}`;
  const used = new Map<string, Map<string, number>>();
  const listeners = new Map<string, (key: string, count: number) => void>();
  /** The revision of this gateway's own entry; undefined when it has to be read. */
  let revision: number | undefined = 0;
  let isTelling = false;

  async function publishCounts(): Promise<void> {
    if (used.size === 0 || isTelling) return;
    isTelling = true;
    const text = JSON.stringify(countsOf(used));
    used.clear();
    try {
      revision = await shared.put(ownKey, text, revision ?? (await shared.get(ownKey))?.revision ?? 0);
    } catch {
      // The counts are lost while the servers are away: nothing is recorded then anyway.
      revision = undefined;
    } finally {
      isTelling = false;
    }
  }

  const stopTelling = clock.every(tellMs, () => void publishCounts());
  const stopWatching = shared.watch((key, text) => {
    if (!key.startsWith(prefix) || key === ownKey || text === undefined) return;
    for (const [name, counts] of Object.entries(JSON.parse(text) as Counts))
      for (const [rateKey, count] of Object.entries(counts)) listeners.get(name)?.(rateKey, count);
  });
  return {
    of: (name) => ({
      note(key) {
        const counts = used.get(name) ?? new Map<string, number>();
        used.set(name, counts.set(key, (counts.get(key) ?? 0) + 1));
      },
      onUsed: (listener) => void listeners.set(name, listener),
    }),
    async close() {
      stopTelling();
      stopWatching();
      await shared.remove(ownKey).catch(() => undefined);
    },
  };
}

const prefix = 'rate.';

/** Keeps the keys with the highest counts when there are too many keys. */
function countsOf(used: ReadonlyMap<string, ReadonlyMap<string, number>>): Counts {
  const perName = [...used].map(([name, counts]) => {
    const highest = [...counts].sort(([, a], [, b]) => b - a).slice(0, maxKeys);
    return [name, Object.fromEntries(highest)] as const;
  });
  return Object.fromEntries(perName);
}
