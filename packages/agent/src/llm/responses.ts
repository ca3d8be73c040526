// The Responses API of OpenAI, which keeps a model's reasoning from call to call; vLLM, LM Studio and Ollama speak it as well.
import { optionalParts } from './optional-parts.ts';
import { responsesReader } from './responses-reader.ts';
import { responsesWriter } from './responses-writer.ts';
import type { Site } from './site.ts';
import type { Wire } from './wire.ts';

export function responsesWire(site: Site): Wire {
  const parts = optionalParts(site.origin.model);
  return {
    origin: site.origin,
    door: site.door,
    write: responsesWriter(site, parts),
    read: (request) => responsesReader(site, request),
    adapt: parts.refuse,
  };
}
