// What a reply cost: token counts as the OpenAI-style wires report them, and their price.
import type { Usage } from '@codelab/protocol';
import type { Site } from '../wire.ts';

/** Token counts as chat completions and responses give them; zero where a server doesn't count. */
export function readOpenaiUsage(usage: unknown, site: Site): Usage {
  const given = record(usage);
  const input = count(given.prompt_tokens ?? given.input_tokens);
  const outputTokens = count(given.completion_tokens ?? given.output_tokens);
  const details = record(given.prompt_tokens_details ?? given.input_tokens_details);
  const cached = details.cached_tokens ?? given.prompt_cache_hit_tokens;
  const cachedTokens = count(cached);
  // Cached tokens are counted among those of the input, but where they are more: there the input is what was not cached.
  const inputTokens = cachedTokens > input ? input + cachedTokens : input;
  // OpenRouter says itself what it took.
  const cost =
    typeof given.cost === 'number'
      ? given.cost
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

/** What a reply costs, in US dollars, where the price is known. */
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
