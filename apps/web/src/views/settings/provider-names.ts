// Providers as they call themselves; the same in every language.
import type { AddressProvider } from '@codelab/api';

export const providerNames: Record<AddressProvider, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  ollama: 'Ollama',
};

export const addressExamples: Record<AddressProvider, string> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'http://127.0.0.1:8080/v1',
  ollama: '127.0.0.1:11434',
};
