// From a provider's name to its address and key: the user's settings override the environment, which overrides the provider's row.
import { type Effort, ToolError } from '@codelab/protocol';
import { type Price, type Provider, providers, type Quirks, type WireName } from './providers.ts';

/** The user's settings for a known provider, or the whole definition of another one. */
export type OwnProvider = {
  base_url?: string | undefined;
  wire?: WireName | undefined;
  key?: string | undefined;
  /** The variable that holds the key. */
  key_env?: string | undefined;
  /** By the provider's name of the model; these settings take precedence. */
  models?: Record<string, OwnFacts> | undefined;
} & OwnFacts;

type OwnFacts = {
  context_window?: number | undefined;
  price?: OwnPrice | undefined;
  /** How much a model reasons. */
  effort?: Effort | undefined;
  /** Limit of one reply. */
  max_tokens?: number | undefined;
};

type OwnPrice = {
  input: number;
  output: number;
  cache_read?: number | undefined;
  cache_write?: number | undefined;
};

export type ModelSources = {
  env: NodeJS.ProcessEnv;
  own?: Readonly<Record<string, OwnProvider>>;
  /** The user has just typed address and key, so messages name these fields and not where settings are stored. */
  isTyped?: true;
};

export type ProviderConnection = {
  provider: Provider;
  wire: WireName;
  quirks: Quirks;
  /** The address before `chat/completions`, `messages` or `models`. */
  base: URL;
  key: string | undefined;
  headers: Record<string, string>;
  /** Where address and key come from, for messages. */
  urlFrom: string;
  keyFrom: string;
  /** The provider's own servers, not another server with the same wire. */
  isOfficial: boolean;
};

/** Every provider with a name: the user's own first. */
export function allProviders({ own = {} }: Pick<ModelSources, 'own'>): Provider[] {
  const added = Object.keys(own).filter((name) => !providers.some((provider) => provider.name === name));
  return [...added.map((name) => rowOf(name, own[name] ?? {})), ...providers];
}

export function findProvider(name: string, { own }: Pick<ModelSources, 'own'>): Provider | undefined {
  const knownProvider = providers.find((provider) => provider.name === name);
  const set = own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
  if (knownProvider === undefined) return set && rowOf(name, set);
  return set?.wire === undefined ? knownProvider : { ...knownProvider, wire: set.wire };
}

/** The provider that a name begins with, and the model's name at that provider. */
export function readModelName(
  name: string,
  sources: Pick<ModelSources, 'own'>,
): { provider: Provider; id: string } | undefined {
  const slash = name.indexOf('/');
  const id = name.slice(slash + 1);
  const provider = slash === -1 || id === '' ? undefined : findProvider(name.slice(0, slash), sources);
  return provider && { provider, id };
}

/** The row of a provider that only the user's settings define. */
function rowOf(name: string, { wire = 'chat' }: OwnProvider): Provider {
  const quirks = providers.find((provider) => wire === 'anthropic' && provider.wire === wire)?.quirks;
  return { name, label: name, wire, keys: [], urls: [], window: 32_768, ...(quirks && { quirks }) };
}

/** Whether a request can be made: the provider has an address, and a key where it needs one. */
export function isReady(provider: Provider, sources: ModelSources): boolean {
  const { own = {}, env } = sources;
  const hasUrl =
    own[provider.name]?.base_url !== undefined || provider.urls.some((name) => env[name]?.trim());
  if (provider.isLocal) return hasUrl || own[provider.name]?.key !== undefined;
  return hasUrl || (provider.url !== undefined && keyOf(provider, sources).key !== undefined);
}

export function providerConnection(provider: Provider, sources: ModelSources): ProviderConnection {
  const { url: base, from: urlFrom } = addressOf(provider, sources);
  const { key, from: keyFrom } = keyOf(provider, sources);
  const isOfficial = provider.url !== undefined && base.hostname === new URL(provider.url).hostname;
  const isOther = provider.isCommonWire === true && !isOfficial;
  const quirks = isOther ? {} : (provider.quirks ?? {});
  const wire = sources.own?.[provider.name]?.wire ?? (isOther ? 'chat' : provider.wire);
  const { keyHeader, headers = {} } = quirks;
  const proof =
    key === undefined
      ? {}
      : keyHeader === undefined
        ? { authorization: `Bearer ${key}` }
        : { [keyHeader]: key };
  return {
    provider,
    wire,
    quirks,
    base,
    key,
    headers: { ...headers, ...proof, 'user-agent': 'codelab' },
    urlFrom,
    keyFrom,
    isOfficial: isOfficial && provider.isLocal !== true,
  };
}

export function urlBelow(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}

/** A short text is no secret, and redacting it would spoil every message that contains it. */
export function secretsOf(url: URL, key = ''): string[] {
  const secrets = [key, url.password, decodeURIComponent(url.password), ...url.searchParams.values()];
  return secrets.filter((secret) => secret.length >= 8);
}

function addressOf(provider: Provider, { env, own = {}, isTyped }: ModelSources): { url: URL; from: string } {
  const { name, urls, url: usual } = provider;
  const set = own[name]?.base_url;
  const variable = urls.find((candidate) => env[candidate]?.trim()) ?? urls[0];
  const from = set !== undefined || variable === undefined ? placeOf('address', name, isTyped) : variable;
  const configured = set ?? (variable === undefined ? undefined : env[variable]);
  const text = configured?.trim() || usual;
  if (text === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${provider.label} needs an address: set ${urls[0]}, or run \`codelab model add ${name} --base-url URL\`.`,
      { field: urls[0] ?? 'base_url' },
    );
  const url = withoutEndpoint(readUrl(name === 'ollama' ? ollamaUrl(text) : text, from));
  const isWhole = provider.path === undefined || /\/v1\/?$/.test(url.pathname);
  return { url: isWhole ? url : urlBelow(url, provider.path ?? ''), from };
}

/** People paste the whole URL of a request; the wire adds the last part itself. */
function withoutEndpoint(url: URL): URL {
  const base = new URL(url);
  base.pathname = url.pathname.replace(/\/(?:chat\/completions|responses|messages)\/?$/, '');
  return base;
}

function keyOf(provider: Provider, { env, own = {}, isTyped }: ModelSources): { key?: string; from: string } {
  const { name, keys } = provider;
  const { key, key_env: keyVariable } = own[name] ?? {};
  const place = placeOf('key', name, isTyped);
  if (key !== undefined && key !== '') return { key: readKey(key, place), from: place };
  const variables = keyVariable === undefined ? keys : [keyVariable];
  const variableName = variables.find((variable) => env[variable]?.trim());
  if (variableName === undefined) return { from: isTyped ? place : (variables[0] ?? place) };
  return { key: readKey(env[variableName] ?? '', variableName), from: variableName };
}

function placeOf(setting: 'address' | 'key', name: string, isTyped = false): string {
  if (isTyped) return setting === 'address' ? 'the base URL' : 'the key';
  return `the ${setting} of ${name} (\`codelab model add ${name}\`)`;
}

function readUrl(text: string, from: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && !/%(?![\da-f]{2})/i.test(url.username + url.password))
    return url;
  throw new ToolError('INVALID_ARGUMENTS', `${sentence(from)} is not an http or https address.`, {
    field: from,
  });
}

/** A key read from a file often ends in a line break; any other odd character could not be sent. */
function readKey(text: string, from: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `${sentence(from)} holds characters that no key has. Copy it again.`,
    {
      field: from,
    },
  );
}

function sentence(text: string): string {
  return text.replace(/^the /, 'The ');
}

/** OLLAMA_HOST as Ollama reads it: a host, a port or both, with or without a scheme. The address it listens on is the one to ask. */
export function ollamaUrl(host = ''): string {
  const text = host.trim();
  const [, scheme = '', rest = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(text) ?? [];
  const [place = '', ...path] = rest.split('/');
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(place) ?? ['', place, ''];
  const hostName = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  const shownPort = port || (scheme === '' ? '11434' : '');
  return `${scheme || 'http'}://${hostName}${shownPort && `:${shownPort}`}/${path.join('/')}`;
}

/** Limits and prices of one model, from the user's settings or the provider's row. */
export function modelFacts(
  { provider, isOfficial }: Pick<ProviderConnection, 'provider' | 'isOfficial'>,
  id: string,
  { env, own = {} }: ModelSources,
): { window: number; price: Price | undefined } {
  const set = own[provider.name] ?? {};
  const ofModel = set.models !== undefined && Object.hasOwn(set.models, id) ? set.models[id] : undefined;
  const fromEnvironment = Number(env.CODELAB_CONTEXT_TOKENS);
  const price = ofModel?.price ?? set.price;
  const { prices = {} } = provider;
  const dateless = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const published = isOfficial && Object.hasOwn(prices, dateless) ? prices[dateless] : undefined;
  return {
    window:
      Number.isSafeInteger(fromEnvironment) && fromEnvironment > 0
        ? fromEnvironment
        : (ofModel?.context_window ?? set.context_window ?? windowOf(id) ?? provider.window),
    price: price === undefined ? published : readPrice(price),
  };
}

/** `openai/gpt-5` on OpenRouter is the same model as `gpt-5`. */
function windowOf(id: string): number | undefined {
  const name = id.slice(id.lastIndexOf('/') + 1);
  const fitting = providers
    .flatMap(({ windows = {} }) => Object.entries(windows))
    .filter(([beginning]) => name.startsWith(beginning));
  return fitting.toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
}

function readPrice({ input, output, cache_read: cacheRead, cache_write: cacheWrite }: OwnPrice): Price {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}
