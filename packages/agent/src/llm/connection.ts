// From a provider's name to where it is asked and with whose key: what the user set counts more than the environment, and that
// more than the provider's own row.
import { type Effort, ToolError } from '@codelab/protocol';
import { type Price, type Provider, providers, type Quirks, type WireName } from './providers.ts';

/** What the user set for a provider that is known, or all of one that is not. */
export type OwnProvider = {
  base_url?: string | undefined;
  wire?: WireName | undefined;
  key?: string | undefined;
  /** The variable that holds the key. */
  key_env?: string | undefined;
  /** By the model's name at the provider; what is set here counts more. */
  models?: Record<string, OwnFacts> | undefined;
} & OwnFacts;

type OwnFacts = {
  context_window?: number | undefined;
  price?: OwnPrice | undefined;
  /** How much a model reasons. */
  effort?: Effort | undefined;
  /** Of one reply. */
  max_tokens?: number | undefined;
};

type OwnPrice = {
  input: number;
  output: number;
  cache_read?: number | undefined;
  cache_write?: number | undefined;
};

export type ModelSources = { env: NodeJS.ProcessEnv; own?: Readonly<Record<string, OwnProvider>> };

export type ProviderConnection = {
  provider: Provider;
  wire: WireName;
  quirks: Quirks;
  /** What comes before `chat/completions`, `messages` or `models`. */
  base: URL;
  key: string | undefined;
  headers: Record<string, string>;
  /** How a message names the place of the address and of the key. */
  urlFrom: string;
  keyFrom: string;
  /** The provider's own servers, not somebody else's in its manner. */
  isOfficial: boolean;
};

/** Every provider that has a name: the user's own first. */
export function allProviders({ own = {} }: Pick<ModelSources, 'own'>): Provider[] {
  const added = Object.keys(own).filter((name) => !providers.some((one) => one.name === name));
  return [...added.map((name) => rowOf(name, own[name] ?? {})), ...providers];
}

export function findProvider(name: string, { own }: Pick<ModelSources, 'own'>): Provider | undefined {
  const known = providers.find((one) => one.name === name);
  const set = own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
  if (known === undefined) return set && rowOf(name, set);
  return set?.wire === undefined ? known : { ...known, wire: set.wire };
}

/** The provider that a name begins with, and what it is called there. */
export function readModelName(
  name: string,
  sources: Pick<ModelSources, 'own'>,
): { provider: Provider; id: string } | undefined {
  const slash = name.indexOf('/');
  const id = name.slice(slash + 1);
  const provider = slash === -1 || id === '' ? undefined : findProvider(name.slice(0, slash), sources);
  return provider && { provider, id };
}

/** Of a provider that only the user knows. */
function rowOf(name: string, { wire = 'chat' }: OwnProvider): Provider {
  const quirks = providers.find((one) => wire === 'anthropic' && one.wire === wire)?.quirks;
  return { name, label: name, wire, keys: [], urls: [], window: 32_768, ...(quirks && { quirks }) };
}

/** Whether a request to it could be made: it has an address, and a key where it needs one. */
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

/** A short word is no secret, and hiding it would spoil every message that holds it. */
export function secretsOf(url: URL, key = ''): string[] {
  const all = [key, url.password, decodeURIComponent(url.password), ...url.searchParams.values()];
  return all.filter((secret) => secret.length >= 8);
}

function addressOf(provider: Provider, { env, own = {} }: ModelSources): { url: URL; from: string } {
  const { name, urls, url: usual } = provider;
  const set = own[name]?.base_url;
  const variable = urls.find((one) => env[one]?.trim()) ?? urls[0];
  const from = set !== undefined || variable === undefined ? placeOf('address', name) : variable;
  const given = set ?? (variable === undefined ? undefined : env[variable]);
  const text = given?.trim() || usual;
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

/** People paste the whole address of a request; the wire adds its end itself. */
function withoutEndpoint(url: URL): URL {
  const base = new URL(url);
  base.pathname = url.pathname.replace(/\/(?:chat\/completions|responses|messages)\/?$/, '');
  return base;
}

function keyOf(provider: Provider, { env, own = {} }: ModelSources): { key?: string; from: string } {
  const { name, keys } = provider;
  const { key, key_env: named } = own[name] ?? {};
  const place = placeOf('key', name);
  if (key !== undefined && key !== '') return { key: readKey(key, place), from: place };
  const variables = named === undefined ? keys : [named];
  const found = variables.find((one) => env[one]?.trim());
  if (found === undefined) return { from: variables[0] ?? place };
  return { key: readKey(env[found] ?? '', found), from: found };
}

function placeOf(what: 'address' | 'key', name: string): string {
  return `the ${what} of ${name} (\`codelab model add ${name}\`)`;
}

function readUrl(text: string, from: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && !/%(?![\da-f]{2})/i.test(url.username + url.password))
    return url;
  throw new ToolError('INVALID_ARGUMENTS', `${sentence(from)} is not an http or https address.`, {
    field: from,
  });
}

/** A key read from a file often ends in a line break; anything else odd could not be sent. */
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

/** OLLAMA_HOST as Ollama reads it: a host, a port or both, with or without a scheme; where it listens is where it is asked. */
export function ollamaUrl(host = ''): string {
  const text = host.trim();
  const [, scheme = '', rest = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(text) ?? [];
  const [place = '', ...path] = rest.split('/');
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(place) ?? ['', place, ''];
  const asked = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  const shownPort = port || (scheme === '' ? '11434' : '');
  return `${scheme || 'http'}://${asked}${shownPort && `:${shownPort}`}/${path.join('/')}`;
}

/** What one model takes and costs, as the user set it or the row has it. */
export function modelFacts(
  { provider, isOfficial }: Pick<ProviderConnection, 'provider' | 'isOfficial'>,
  id: string,
  { env, own = {} }: ModelSources,
): { window: number; price: Price | undefined } {
  const set = own[provider.name] ?? {};
  const ofModel = set.models !== undefined && Object.hasOwn(set.models, id) ? set.models[id] : undefined;
  const told = Number(env.CODELAB_CONTEXT_TOKENS);
  const price = ofModel?.price ?? set.price;
  const { prices = {} } = provider;
  const dateless = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const published = isOfficial && Object.hasOwn(prices, dateless) ? prices[dateless] : undefined;
  return {
    window:
      Number.isSafeInteger(told) && told > 0
        ? told
        : (ofModel?.context_window ?? set.context_window ?? windowOf(id) ?? provider.window),
    price: price === undefined ? published : readPrice(price),
  };
}

/** `openai/gpt-5` on OpenRouter is the same model. */
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
