// From a name such as `openai/gpt-5` to a model that can be asked. Only the wire that is named gets loaded.
import { ToolError } from '@codelab/protocol';
import type { Model } from '../model.ts';
import { contextTokens } from './context-tokens.ts';
import type { Origin } from './failure.ts';
import { type Patience, patienceFor } from './patience.ts';
import { openAgent } from './post.ts';
import type { Site } from './site.ts';
import { streamReply } from './stream-reply.ts';
import type { Wire } from './wire.ts';

export type OpenOptions = {
  env: NodeJS.ProcessEnv;
  patience?: Partial<Patience>;
};

const modelChoices =
  '`openai/NAME` (any compatible server, see OPENAI_BASE_URL), `anthropic/NAME`, `ollama/NAME` or `demo`';

export async function openModel(name: string, options: OpenOptions): Promise<Model> {
  if (name === 'demo') return (await import('../demo/demo-model.ts')).demoModel;
  const slash = name.indexOf('/');
  const id = name.slice(slash + 1);
  const open = slash === -1 || id === '' ? undefined : providers.get(name.slice(0, slash));
  if (open === undefined)
    throw new ToolError('INVALID_ARGUMENTS', `There is no model \`${name}\`. Choose ${modelChoices}.`, {
      field: 'model',
    });
  return await open(name, id, options);
}

type Open = (name: string, id: string, options: OpenOptions) => Promise<Model>;

const providers = new Map<string, Open>([
  ['openai', openOpenai],
  ['anthropic', openAnthropic],
  ['ollama', openOllama],
]);

async function openOpenai(name: string, id: string, options: OpenOptions): Promise<Model> {
  const { openaiWire } = await import('./openai.ts');
  const site = openaiSite(name, id, options.env);
  return modelOf(site, openaiWire(site), 128_000, options);
}

function openaiSite(name: string, id: string, env: NodeJS.ProcessEnv): Site {
  const base = readUrl(env.OPENAI_BASE_URL, 'OPENAI_BASE_URL', 'https://api.openai.com/v1');
  const key = readKey(env, 'OPENAI_API_KEY');
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const from = { urlFrom: 'OPENAI_BASE_URL', keyFrom: 'OPENAI_API_KEY' };
  const isOfficial = base.hostname === 'api.openai.com';
  if (isOfficial && key === undefined) throw noKey(name, from.keyFrom);
  return siteOf({ name, id, url: below(base, 'chat/completions'), headers, key, isOfficial, from, env });
}

async function openAnthropic(name: string, id: string, options: OpenOptions): Promise<Model> {
  const { env } = options;
  const { anthropicWire } = await import('./anthropic.ts');
  const base = readUrl(env.ANTHROPIC_BASE_URL, 'ANTHROPIC_BASE_URL', 'https://api.anthropic.com');
  const key = readKey(env, 'ANTHROPIC_API_KEY');
  const headers = { 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) };
  const from = { urlFrom: 'ANTHROPIC_BASE_URL', keyFrom: 'ANTHROPIC_API_KEY' };
  const isOfficial = base.hostname === 'api.anthropic.com';
  if (isOfficial && key === undefined) throw noKey(name, from.keyFrom);
  const path = /\/v1\/?$/.test(base.pathname) ? 'messages' : 'v1/messages';
  const site = siteOf({ name, id, url: below(base, path), headers, key, isOfficial, from, env });
  return modelOf(site, anthropicWire(site), 200_000, options);
}

/** Through its endpoint in OpenAI's manner: it streams calls as well as its own does. */
async function openOllama(name: string, id: string, options: OpenOptions): Promise<Model> {
  const { openaiWire } = await import('./openai.ts');
  const site = await ollamaSite(name, id, options.env);
  return modelOf(site, openaiWire(site), 32_768, options);
}

async function ollamaSite(name: string, id: string, env: NodeJS.ProcessEnv): Promise<Site> {
  const { ollamaUrl } = await import('./ollama-url.ts');
  const base = readUrl(ollamaUrl(env.OLLAMA_HOST), 'OLLAMA_HOST', '');
  const from = { urlFrom: 'OLLAMA_HOST', keyFrom: 'OLLAMA_HOST' };
  const url = below(base, 'v1/chat/completions');
  return siteOf({ name, id, url, headers: {}, key: undefined, isOfficial: false, from, env });
}

/** Where a model is asked in OpenAI's manner; undefined for one that is asked otherwise. */
export async function chatSite(name: string, env: NodeJS.ProcessEnv): Promise<Site | undefined> {
  const [provider, ...rest] = name.split('/');
  const id = rest.join('/');
  if (id === '') return undefined;
  if (provider === 'openai') return openaiSite(name, id, env);
  return provider === 'ollama' ? await ollamaSite(name, id, env) : undefined;
}

type SiteFacts = {
  name: string;
  id: string;
  url: URL;
  headers: Record<string, string>;
  key: string | undefined;
  isOfficial: boolean;
  from: Pick<Origin, 'urlFrom' | 'keyFrom'>;
  env: NodeJS.ProcessEnv;
};

function siteOf({ name, id, url, headers, key, isOfficial, from, env }: SiteFacts): Site {
  return {
    id,
    isOfficial,
    origin: { model: name, url, ...from, secrets: secretsOf(url, key) },
    door: { url, headers: { ...headers, 'user-agent': 'codelab' }, agent: openAgent(url, env) },
  };
}

/** A short word is no secret, and hiding it would spoil every message that holds it. */
function secretsOf(url: URL, key = ''): string[] {
  const all = [key, url.password, decodeURIComponent(url.password), ...url.searchParams.values()];
  return all.filter((secret) => secret.length >= 8);
}

function modelOf(site: Site, wire: Wire, tokens: number, { env, patience }: OpenOptions): Model {
  const wait = patienceFor(site.door.url, patience);
  return {
    name: site.origin.model,
    contextTokens: contextTokens(site.id, tokens, env),
    stream: (request, signal) => streamReply(wire, request, wait, signal),
  };
}

function readUrl(text: string | undefined, from: string, otherwise: string): URL {
  const url = URL.parse(text?.trim() || otherwise);
  if (url !== null && /^https?:$/.test(url.protocol) && !/%(?![\da-f]{2})/i.test(url.username + url.password))
    return url;
  throw new ToolError('INVALID_ARGUMENTS', `${from} is not an http or https address.`, { field: from });
}

function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}

/** A key read from a file often ends in a line break; anything else odd could not be sent. */
function readKey(env: NodeJS.ProcessEnv, from: string): string | undefined {
  const key = env[from]?.trim();
  if (!key) return undefined;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ToolError('INVALID_ARGUMENTS', `${from} holds characters that no key has. Copy it again.`, {
    field: from,
  });
}

function noKey(name: string, from: string): ToolError {
  return new ToolError('LLM_ERROR', `${name} needs a key: set ${from}, or choose the model \`demo\`.`, {
    model: name,
  });
}
