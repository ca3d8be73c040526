// The chat completions of OpenAI, which vLLM, LM Studio, llama.cpp, OpenRouter, Ollama and many others speak as well.
import { lengthLimit } from '../request/length-limit.ts';
import { optionalParts } from '../request/optional-parts.ts';
import type { Site, Wire } from '../wire.ts';
import { openaiReader } from './openai-reader.ts';
import { openaiWriter } from './openai-writer.ts';

export function openaiWire(site: Site): Wire {
  const parts = optionalParts(site.origin.model);
  const length = lengthLimit(site.quirks.lengthLimit ?? 'max_tokens');
  return {
    origin: site.origin,
    endpoint: site.endpoint,
    write: openaiWriter(site, parts, length),
    read: (request) => openaiReader(site, request),
    isStreamed: () => parts.takes('stream'),
    adapt: (trouble) => (length.adapt(trouble) ? {} : parts.refuse(trouble)),
  };
}
