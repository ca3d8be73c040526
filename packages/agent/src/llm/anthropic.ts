// The messages API of Anthropic.
import { anthropicReader } from './anthropic-reader.ts';
import { anthropicWriter } from './anthropic-writer.ts';
import { optionalParts } from './optional-parts.ts';
import type { Site } from './site.ts';
import type { Wire } from './wire.ts';

/** Older models think between calls only when asked to. */
const interleaved = { 'anthropic-beta': 'interleaved-thinking-2025-05-14' };

export function anthropicWire(site: Site): Wire {
  const { origin, door } = site;
  const parts = optionalParts(origin.model);
  const limits = { mostTokens: Number.POSITIVE_INFINITY };
  const isOfficial = origin.url.hostname === 'api.anthropic.com';
  return {
    origin,
    door: isOfficial ? { ...door, headers: { ...door.headers, ...interleaved } } : door,
    write: anthropicWriter(site, parts, limits),
    read: (request) => anthropicReader(site, request),
    adapt(trouble) {
      // `max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens`
      const most = Number(/max_tokens: \d+ > (\d+)/.exec(trouble.message)?.[1]);
      if (!(most > 0 && most < limits.mostTokens)) return parts.refuse(trouble);
      limits.mostTokens = most;
      return {};
    },
  };
}
