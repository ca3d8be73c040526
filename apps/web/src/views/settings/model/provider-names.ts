// Providers as they call themselves; the same in every language. One that the user added has the name they gave it.
const names: Record<string, string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  gemini: 'Google Gemini',
  openrouter: 'OpenRouter',
  deepseek: 'DeepSeek',
  mistral: 'Mistral',
  groq: 'Groq',
  xai: 'xAI',
  azure: 'Azure OpenAI',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
};

const examples: Record<string, string> = {
  anthropic: 'https://api.anthropic.com',
  azure: 'https://NAME.openai.azure.com',
  custom: 'https://llm.example.com/v1',
  ollama: '127.0.0.1:11434',
};

export function providerName(provider: string): string {
  return Object.hasOwn(names, provider) ? (names[provider] ?? provider) : provider;
}

export function addressExample(provider: string): string {
  return examples[provider] ?? 'http://127.0.0.1:8080/v1';
}

/** Providers that always have a field; others have one once it is set. */
export const usualKeys: readonly string[] = ['anthropic', 'openai'];
export const usualAddresses: readonly string[] = ['anthropic', 'openai', 'ollama'];

export function shownProviders(isSet: Readonly<Record<string, boolean>>, usual: readonly string[]): string[] {
  return [...usual, ...Object.keys(isSet).filter((name) => isSet[name] === true && !usual.includes(name))];
}
