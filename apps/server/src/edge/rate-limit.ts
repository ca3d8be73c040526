// A token bucket for each key: a burst, then a number per second.

export type RateLimit = {
  /** Whether one more request may pass now. */
  take(key: string): boolean;
  /** The same question, without using one up. */
  has(key: string): boolean;
};

type Bucket = { tokens: number; at: number };

const maxKeys = 10_000;

type Rate = { perSecond: number; burst: number };

/** Exchanges the used-up tokens with other gateways. */
type Share = {
  note(key: string): void;
  onUsed(listener: (key: string, count: number) => void): void;
};

/** The limits that are counted with other gateways, by name. */
export type RateShares = { of(name: string): Share };

export function createRateLimit({ perSecond, burst }: Rate, share?: Share): RateLimit {
  const buckets = new Map<string, Bucket>();

  function bucketOf(key: string): Bucket {
    const now = performance.now();
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now };
    return { tokens: Math.min(burst, tokens + ((now - at) / 1000) * perSecond), at: now };
  }

  // The oldest keys go first, so that strangers can't fill the memory.
  function keep(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value ?? key);
  }

  share?.onUsed((key, count) => {
    const { tokens, at } = bucketOf(key);
    // A debt is paid back with time, but is never more than one burst.
    keep(key, { tokens: Math.max(-burst, tokens - count), at });
  });
  return {
    has: (key) => bucketOf(key).tokens >= 1,
    take(key) {
      const bucket = bucketOf(key);
      keep(key, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens--;
      share?.note(key);
      return true;
    },
  };
}
