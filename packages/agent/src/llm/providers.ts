// The providers known by name: address, key variables, and the quirks of their servers. Plain rows, so that adding a provider is adding
// data.

/** The wire of a provider: OpenAI's chat completions or responses, or Anthropic's messages. */
export const wireNames = ['chat', 'responses', 'anthropic'] as const;
export type WireName = (typeof wireNames)[number];

/** US dollars per million tokens. */
export type Price = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

export type Quirks = {
  /** The header that carries the key (default: `authorization`, as a bearer). */
  keyHeader?: 'x-api-key' | 'api-key';
  headers?: Record<string, string>;
  /** Field name for the limit of a reply's length (default: `max_tokens`). */
  lengthLimit?: 'max_completion_tokens';
  /** The accepted ids of calls (default: up to 40 characters). */
  callIds?: { maxLength: number; isExact?: boolean };
  /** Always counts tokens, and may refuse `stream_options`. */
  isCountedUnasked?: boolean;
  /** Accepts `prompt_cache_key`, so that requests of one conversation meet the same cache. */
  takesCacheKey?: boolean;
  /** Accepts the reasoning effort as `reasoning: { effort }` (default: `reasoning_effort`). */
  effortInObject?: boolean;
  /** The maximum number of tools in one request. */
  mostTools?: number;
  /** The provider's models never write a call as text, so text is not searched for calls. */
  isNative?: boolean;
};

export type Provider = {
  name: string;
  label: string;
  wire: WireName;
  /** Undefined when the user must configure it. */
  url?: string;
  /** Appended to an address that does not end in `v1`. */
  path?: string;
  /** The variables that hold its key, the usual one first. */
  keys: readonly string[];
  /** The variables that hold its address. */
  urls: readonly string[];
  /** The provider's address variable often names another server with chat completions; the provider's quirks do not apply there. */
  isCommonWire?: boolean;
  /** Needs no key, and is searched for on this machine. */
  isLocal?: boolean;
  /** Where a person gets a key. */
  keyPage?: string;
  /** The default when only the key is known. */
  model?: string;
  /** For unknown models: tokens of a request and its reply together. */
  window: number;
  quirks?: Quirks;
  /** By the beginning of a model's name: the longest match counts. */
  windows?: Record<string, number>;
  /** By the whole name without its date, where published; valid on the provider's own servers. */
  prices?: Record<string, Price>;
};

/** A server that people run on their own machine, at the port it has by itself. */
const local = { wire: 'chat', path: 'v1', keys: [], isLocal: true, window: 32_768 } as const;

export const providers: readonly Provider[] = [
  {
    name: 'anthropic',
    label: 'Anthropic',
    wire: 'anthropic',
    url: 'https://api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY'],
    urls: ['ANTHROPIC_BASE_URL'],
    keyPage: 'https://console.anthropic.com/settings/keys',
    model: 'claude-sonnet-4-5',
    window: 200_000,
    quirks: {
      keyHeader: 'x-api-key',
      headers: { 'anthropic-version': '2023-06-01' },
      callIds: { maxLength: 64 },
      isNative: true,
    },
    windows: { 'claude-': 200_000 },
    prices: {
      'claude-opus-4': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
      'claude-opus-4-1': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
      'claude-opus-4-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
      'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    },
  },
  {
    name: 'openai',
    label: 'OpenAI',
    wire: 'responses',
    url: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    urls: ['OPENAI_BASE_URL'],
    isCommonWire: true,
    keyPage: 'https://platform.openai.com/api-keys',
    model: 'gpt-5',
    window: 128_000,
    quirks: { lengthLimit: 'max_completion_tokens', takesCacheKey: true, mostTools: 128, isNative: true },
    windows: {
      // 400,000 in all, of which 272,000 may be input.
      'gpt-5': 272_000,
      'gpt-4.1': 1_000_000,
      'gpt-4o': 128_000,
      o1: 200_000,
      o3: 200_000,
      o4: 200_000,
    },
    prices: {
      'gpt-5': { input: 1.25, cacheRead: 0.125, output: 10 },
      'gpt-5-mini': { input: 0.25, cacheRead: 0.025, output: 2 },
      'gpt-5-nano': { input: 0.05, cacheRead: 0.005, output: 0.4 },
      'gpt-4.1': { input: 2, cacheRead: 0.5, output: 8 },
      'gpt-4.1-mini': { input: 0.4, cacheRead: 0.1, output: 1.6 },
      'gpt-4.1-nano': { input: 0.1, cacheRead: 0.025, output: 0.4 },
      'gpt-4o': { input: 2.5, cacheRead: 1.25, output: 10 },
      'gpt-4o-mini': { input: 0.15, cacheRead: 0.075, output: 0.6 },
    },
  },
  {
    name: 'gemini',
    label: 'Google Gemini',
    wire: 'chat',
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    urls: ['GEMINI_BASE_URL'],
    keyPage: 'https://aistudio.google.com/apikey',
    model: 'gemini-2.5-pro',
    window: 1_000_000,
    quirks: { mostTools: 128 },
    windows: { 'gemini-': 1_000_000 },
  },
  {
    name: 'openrouter',
    label: 'OpenRouter',
    wire: 'chat',
    url: 'https://openrouter.ai/api/v1',
    keys: ['OPENROUTER_API_KEY'],
    urls: ['OPENROUTER_BASE_URL'],
    keyPage: 'https://openrouter.ai/keys',
    model: 'anthropic/claude-sonnet-4.5',
    window: 128_000,
    quirks: { effortInObject: true },
  },
  {
    name: 'deepseek',
    label: 'DeepSeek',
    wire: 'chat',
    url: 'https://api.deepseek.com/v1',
    keys: ['DEEPSEEK_API_KEY'],
    urls: ['DEEPSEEK_BASE_URL'],
    keyPage: 'https://platform.deepseek.com/api_keys',
    model: 'deepseek-chat',
    window: 128_000,
    quirks: { mostTools: 128 },
  },
  {
    name: 'mistral',
    label: 'Mistral',
    wire: 'chat',
    url: 'https://api.mistral.ai/v1',
    keys: ['MISTRAL_API_KEY'],
    urls: ['MISTRAL_BASE_URL'],
    keyPage: 'https://console.mistral.ai/api-keys',
    model: 'devstral-medium-latest',
    window: 128_000,
    quirks: { callIds: { maxLength: 9, isExact: true }, isCountedUnasked: true },
  },
  {
    name: 'groq',
    label: 'Groq',
    wire: 'chat',
    url: 'https://api.groq.com/openai/v1',
    keys: ['GROQ_API_KEY'],
    urls: ['GROQ_BASE_URL'],
    keyPage: 'https://console.groq.com/keys',
    model: 'openai/gpt-oss-120b',
    window: 131_072,
    quirks: { lengthLimit: 'max_completion_tokens', mostTools: 128 },
  },
  {
    name: 'xai',
    label: 'xAI',
    wire: 'chat',
    url: 'https://api.x.ai/v1',
    keys: ['XAI_API_KEY'],
    urls: ['XAI_BASE_URL'],
    keyPage: 'https://console.x.ai',
    model: 'grok-code-fast-1',
    window: 256_000,
    quirks: { mostTools: 128 },
  },
  {
    // The name of a model is that of a deployment.
    name: 'azure',
    label: 'Azure OpenAI',
    wire: 'chat',
    path: 'openai/v1',
    keys: ['AZURE_OPENAI_API_KEY'],
    urls: ['AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_BASE_URL'],
    keyPage: 'https://portal.azure.com',
    window: 128_000,
    quirks: {
      keyHeader: 'api-key',
      lengthLimit: 'max_completion_tokens',
      takesCacheKey: true,
      mostTools: 128,
      isNative: true,
    },
  },
  { ...local, name: 'ollama', label: 'Ollama', url: 'http://127.0.0.1:11434/v1', urls: ['OLLAMA_HOST'] },
  {
    ...local,
    name: 'lmstudio',
    label: 'LM Studio',
    url: 'http://127.0.0.1:1234/v1',
    urls: ['LMSTUDIO_BASE_URL'],
  },
  {
    ...local,
    name: 'llamacpp',
    label: 'llama.cpp',
    url: 'http://127.0.0.1:8080/v1',
    urls: ['LLAMACPP_BASE_URL'],
    keys: ['LLAMA_API_KEY'],
  },
  {
    ...local,
    name: 'vllm',
    label: 'vLLM',
    url: 'http://127.0.0.1:8000/v1',
    urls: ['VLLM_BASE_URL'],
    keys: ['VLLM_API_KEY'],
  },
  {
    // A company's proxy, or a provider without a row: only the address is required, the key may be missing.
    name: 'custom',
    label: 'Other (OpenAI-compatible)',
    wire: 'chat',
    path: 'v1',
    keys: ['CODELAB_CUSTOM_API_KEY'],
    urls: ['CODELAB_CUSTOM_BASE_URL'],
    window: 32_768,
  },
];
