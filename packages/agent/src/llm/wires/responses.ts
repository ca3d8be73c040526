// The Responses API of OpenAI, which keeps a model's reasoning from call to call; vLLM, LM Studio and Ollama have it as well.
import { lengthLimit } from '../request/length-limit.ts';
import { optionalParts } from '../request/optional-parts.ts';
import type { Site, Wire } from '../wire.ts';
import { responsesReader } from './responses-reader.ts';
import { responsesWriter } from './responses-writer.ts';

export function responsesWire(site: Site): Wire {
  const parts = optionalParts(site.origin.model);
  const length = lengthLimit('max_output_tokens');
  return {
    origin: site.origin,
    endpoint: site.endpoint,
    write: responsesWriter(site, parts, length),
    read: (request) => responsesReader(site, request),
    isStreamed: () => parts.takes('stream'),
    adapt: (trouble) => (length.adapt(trouble) ? {} : parts.refuse(trouble)),
  };
}
