// The chat completions of OpenAI, which vLLM, LM Studio, llama.cpp, OpenRouter, Ollama and many others speak as well.
import { openaiReader } from './openai-reader.ts';
import { openaiWriter } from './openai-writer.ts';
import { optionalParts } from './optional-parts.ts';
import type { Site } from './site.ts';
import type { Wire } from './wire.ts';

export function openaiWire(site: Site): Wire {
  const parts = optionalParts(site.origin.model);
  return {
    origin: site.origin,
    door: site.door,
    write: openaiWriter(site, parts),
    read: (request) => openaiReader(site, request),
    adapt: parts.refuse,
  };
}
