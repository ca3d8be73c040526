// The messages API of Anthropic.

import { lengthLimit } from '../request/length-limit.ts';
import { optionalParts } from '../request/optional-parts.ts';
import type { Site, Wire } from '../wire.ts';
import { anthropicReader } from './anthropic-reader.ts';
import { anthropicWriter } from './anthropic-writer.ts';

/** Older models think between calls only with this header. */
const interleaved = { 'anthropic-beta': 'interleaved-thinking-2025-05-14' };

export function anthropicWire(site: Site): Wire {
  const { origin, endpoint } = site;
  const parts = optionalParts(origin.model);
  const length = lengthLimit('max_tokens');
  const isOfficial = origin.url.hostname === 'api.anthropic.com';
  return {
    origin,
    endpoint: isOfficial ? { ...endpoint, headers: { ...endpoint.headers, ...interleaved } } : endpoint,
    write: anthropicWriter(site, parts, length),
    read: (request) => anthropicReader(site, request),
    isStreamed: () => parts.takes('stream'),
    adapt: (trouble) => (length.adapt(trouble) ? {} : parts.refuse(trouble)),
  };
}
