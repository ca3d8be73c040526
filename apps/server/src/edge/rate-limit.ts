// So many at once and so many per second, for each key; what was not used up grows back with time.

export type RateLimit = {
  /** Whether one more may pass now. */
  take(key: string): boolean;
  /** The same question, without using one up. */
  has(key: string): boolean;
};

type Bucket = { left: number; at: number };

const maxKeys = 10_000;

export function createRateLimit({ perSecond, burst }: { perSecond: number; burst: number }): RateLimit {
  const buckets = new Map<string, Bucket>();

  function bucketOf(key: string): Bucket {
    const now = performance.now();
    const { left, at } = buckets.get(key) ?? { left: burst, at: now };
    return { left: Math.min(burst, left + ((now - at) / 1000) * perSecond), at: now };
  }

  return {
    has: (key) => bucketOf(key).left >= 1,
    take(key) {
      const bucket = bucketOf(key);
      // The oldest keys go first, so that strangers can't fill the memory.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value ?? key);
      if (bucket.left < 1) return false;
      bucket.left--;
      return true;
    },
  };
}
