// What a reply costs, in US dollars, where the price is known.
import type { Site } from './site.ts';

type Counts = { fresh: number; cacheRead: number; cacheWrite: number; output: number };

export function costOf({ price }: Pick<Site, 'price'>, counts: Counts): number | undefined {
  if (price === undefined) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const cost =
    counts.fresh * input +
    counts.cacheRead * cacheRead +
    counts.cacheWrite * cacheWrite +
    counts.output * output;
  return cost / 1_000_000;
}
