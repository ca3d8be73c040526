// Token counts as chat completions and responses give them; zero where a server doesn't count.
import type { Usage } from '@codelab/protocol';
import { costOf } from './prices.ts';
import type { Site } from './site.ts';

export function readOpenaiUsage(usage: unknown, site: Site): Usage {
  const given = record(usage);
  const inputTokens = count(given.prompt_tokens ?? given.input_tokens);
  const outputTokens = count(given.completion_tokens ?? given.output_tokens);
  const details = record(given.prompt_tokens_details ?? given.input_tokens_details);
  const cached = details.cached_tokens ?? given.prompt_cache_hit_tokens;
  const cachedTokens = Math.min(count(cached), inputTokens);
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
