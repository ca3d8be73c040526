// The messages API of Anthropic.
import { anthropicReader } from './anthropic-reader.ts';
import { anthropicWriter } from './anthropic-writer.ts';
import type { Site } from './site.ts';
import type { Wire } from './wire.ts';

export function anthropicWire(site: Site): Wire {
  return {
    origin: site.origin,
    door: site.door,
    write: anthropicWriter(site),
    read: (request) => anthropicReader(site, request),
  };
}
