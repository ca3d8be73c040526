// Text of files read lately. It is served only when the file just found is, by its identity, the very version that was kept; taking away the right to read it changes that too.
import type { BigIntStats } from 'node:fs';
import { identity } from './identity.ts';
import type { Text } from './text.ts';

const maxBytes = 32 * 1024 * 1024;
// A file changed within the clock's grain of being read could change again without its times showing it. The change time
// counts: nobody can set it back.
const grainNs = 50_000_000n;

type Kept = { text: Text; bytes: number; until: number };

export type ReadCache = {
  get(stat: BigIntStats): Text | undefined;
  put(stat: BigIntStats, text: Text, keepMs: number): void;
};

export function createReadCache(now: () => number = Date.now): ReadCache {
  const kept = new Map<string, Kept>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(stat) {
      const key = identity(stat);
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (found.until > now()) return found.text;
      drop(key);
      return undefined;
    },
    put(stat, text, keepMs) {
      const bytes = Number(stat.size);
      const fresh = BigInt(now()) * 1_000_000n - stat.ctimeNs < grainNs;
      if (keepMs <= 0 || fresh || bytes > maxBytes / 4) return;
      const key = identity(stat);
      drop(key);
      kept.set(key, { text, bytes, until: now() + keepMs });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
