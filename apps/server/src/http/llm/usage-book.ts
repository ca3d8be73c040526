// The usage of each key and model since the gateway started.
type Used = { requests: number; inputTokens: number; outputTokens: number; unmetered: number };

export type UsageBook = {
  /** Undefined counts mean that the provider reported none. */
  add(key: string, model: string, counts: { inputTokens: number; outputTokens: number } | undefined): void;
  of(key: string): { model: string; used: Used }[];
  /** The total of all keys. */
  total(): { model: string; used: Used }[];
};

const maxEntries = 10_000;

export function createUsageBook(): UsageBook {
  const byKey = new Map<string, Map<string, Used>>();
  const totals = new Map<string, Used>();
  let entries = 0;
  const count = (
    byModel: Map<string, Used>,
    model: string,
    counts: Parameters<UsageBook['add']>[2],
  ): void => {
    // Clients choose the model names, so the number of entries is bounded.
    if (!byModel.has(model) && entries >= maxEntries) return;
    const used = byModel.get(model) ?? { requests: 0, inputTokens: 0, outputTokens: 0, unmetered: 0 };
    if (!byModel.has(model)) entries++;
    used.requests++;
    if (counts === undefined) used.unmetered++;
    used.inputTokens += counts?.inputTokens ?? 0;
    used.outputTokens += counts?.outputTokens ?? 0;
    byModel.set(model, used);
  };
  return {
    add(key, model, counts) {
      const ofKey = byKey.get(key) ?? new Map<string, Used>();
      count(ofKey, model, counts);
      if (ofKey.size > 0) byKey.set(key, ofKey);
      count(totals, model, counts);
    },
    of: (key) => list(byKey.get(key) ?? new Map()),
    total: () => list(totals),
  };
}

function list(byModel: ReadonlyMap<string, Used>): { model: string; used: Used }[] {
  return [...byModel].map(([model, used]) => ({ model, used: { ...used } }));
}
