// The chat completions of OpenAI, which vLLM, LM Studio, llama.cpp, OpenRouter, Ollama and many others speak as well.

import { openaiReader } from './openai-reader.ts';
import { openaiWriter } from './openai-writer.ts';
import type { Site } from './site.ts';
import type { Wire } from './wire.ts';

export function openaiWire(site: Site): Wire {
  const writer = openaiWriter(site);
  return {
    origin: site.origin,
    door: site.door,
    write: writer.write,
    read: (request) => openaiReader(site, request),
    // Some servers refuse what they don't know.
    adapt({ facts, message }) {
      if (facts.status !== 400 && facts.status !== 422) return false;
      return message.includes('stream_options') && writer.leaveOutUsage();
    },
  };
}
