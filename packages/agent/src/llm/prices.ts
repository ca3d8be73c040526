// What models cost, in US dollars per million tokens, only where it is published and the request went to the provider itself.
import type { Site } from './site.ts';

type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

type Counts = { fresh: number; cacheRead: number; cacheWrite: number; output: number };

export function costOf({ id, isOfficial }: Site, counts: Counts): number | undefined {
  const price = isOfficial ? prices.get(id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')) : undefined;
  if (price === undefined) return undefined;
  const { fresh, cacheRead, cacheWrite, output } = counts;
  return (
    (fresh * price.input +
      cacheRead * price.cacheRead +
      cacheWrite * price.cacheWrite +
      output * price.output) /
    1_000_000
  );
}

function openai(input: number, cacheRead: number, output: number): Price {
  return { input, output, cacheRead, cacheWrite: input };
}

function anthropic(input: number, output: number): Price {
  return { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 };
}

const prices = new Map<string, Price>([
  ['gpt-4o', openai(2.5, 1.25, 10)],
  ['gpt-4o-mini', openai(0.15, 0.075, 0.6)],
  ['gpt-4.1', openai(2, 0.5, 8)],
  ['gpt-4.1-mini', openai(0.4, 0.1, 1.6)],
  ['gpt-4.1-nano', openai(0.1, 0.025, 0.4)],
  ['gpt-5', openai(1.25, 0.125, 10)],
  ['gpt-5-mini', openai(0.25, 0.025, 2)],
  ['gpt-5-nano', openai(0.05, 0.005, 0.4)],
  ['claude-opus-4', anthropic(15, 75)],
  ['claude-opus-4-1', anthropic(15, 75)],
  ['claude-opus-4-5', anthropic(5, 25)],
  ['claude-sonnet-4', anthropic(3, 15)],
  ['claude-sonnet-4-5', anthropic(3, 15)],
  ['claude-haiku-4-5', anthropic(1, 5)],
]);
