// The cost of a reply: token counts as the OpenAI-style wires report them, and their price.
import type { Usage } from '@codelab/protocol';
import type { Site } from '../wire.ts';

/** Token counts of chat completions and responses; zero where a server does not count. */
export function readOpenaiUsage(usage: unknown, site: Site): Usage {
  const counts = record(usage);
  const input = count(counts.prompt_tokens ?? counts.input_tokens);
  const outputTokens = count(counts.completion_tokens ?? counts.output_tokens);
  const details = record(counts.prompt_tokens_details ?? counts.input_tokens_details);
  const cached = details.cached_tokens ?? counts.prompt_cache_hit_tokens;
  const cachedTokens = count(cached);
  // Cached tokens are part of the input count. Where they exceed it, the input count excludes them.
  const inputTokens = cachedTokens > input ? input + cachedTokens : input;
  // OpenRouter reports its own price.
  const cost =
    typeof counts.cost === 'number'
      ? counts.cost
      : costOf(site, {
          fresh: inputTokens - cachedTokens,
          cacheRead: cachedTokens,
          cacheWrite: 0,
          output: outputTokens,
        });
  return {
    inputTokens,
    outputTokens,
    ...(cached !== undefined && cached !== null && { cachedTokens }),
    ...(cost !== undefined && usage !== undefined && { cost }),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The cost of a reply in US dollars, where the price is known. */
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
