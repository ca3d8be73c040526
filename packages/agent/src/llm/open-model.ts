// Opens a model by a name such as `openai/gpt-5`. Only the wire that is named gets loaded.
import { efforts, nearestName, ToolError } from '@codelab/protocol';
import type { Model, ModelRequest } from '../model.ts';
import {
  allProviders,
  type ModelSources,
  modelFacts,
  type ProviderConnection,
  providerConnection,
  readModelName,
  secretsOf,
  urlBelow,
} from './connection.ts';
import { isLocalHost, keepAliveAgent, type RetryLimits, retryLimitsFor } from './http/post.ts';
import { streamReply } from './http/stream-reply.ts';
import { type Price, type Provider, providers, type WireName } from './providers.ts';
import { withToolLimit } from './request/tool-limit.ts';
import type { Site, Wire } from './wire.ts';

export type OpenOptions = ModelSources & { patience?: Partial<RetryLimits> };

export async function openModel(name: string, options: OpenOptions): Promise<Model> {
  if (name === 'demo') return (await import('../demo/demo-model.ts')).demoModel;
  const { connection, site, window } = siteFor(name, options);
  const settings = replySettings(connection.provider.name, site.id, options);
  const wire = {
    ...withToolLimit(await wires[connection.wire](site), site.quirks.mostTools),
    suggest: async () => (await import('./list-models.ts')).nearestModel(name, options),
  };
  const wait = retryLimitsFor(site.endpoint.url, options.patience);
  const model: Model = {
    name,
    contextTokens: window,
    stream: (request, signal) =>
      streamReply(wire, { ...settings, window: model.contextTokens, ...request }, wait, signal),
  };
  if (isOpenQuestion(connection, site.id, options))
    model.learnWindow = windowLearner(model, connection, site.id, options.env);
  return model;
}

/** Smaller requests fit every window; only Ollama cuts silently, and its window is often no more than 4,096. */
const askedFrom = 8000;
const mostAsked = 3;

function windowLearner(
  model: Model,
  connection: ProviderConnection,
  id: string,
  env: NodeJS.ProcessEnv,
): (tokens: number) => Promise<void> {
  const guess = model.contextTokens;
  let attempts = 0;
  return async (tokens) => {
    if (attempts >= mostAsked || (tokens < askedFrom && connection.provider.name !== 'ollama')) return;
    attempts++;
    const { fetchContextWindow } = await import('./context-window.ts');
    const windowKnown = fetchContextWindow(connection, id, env).then((window) => {
      if (window === undefined) return;
      attempts = mostAsked;
      // A refused request may have lowered the window meanwhile.
      model.contextTokens = model.contextTokens === guess ? window : Math.min(window, model.contextTokens);
    });
    // A server on this machine answers at once; the answer of a remote one is used from the next request on.
    if (isLocalHost(connection.base.hostname)) await windowKnown;
    else windowKnown.catch(() => undefined);
  };
}

/** Whether the context window is missing in both the user's settings and the provider's table of models. */
function isOpenQuestion(
  { provider, isOfficial }: ProviderConnection,
  id: string,
  { env, own = {} }: ModelSources,
): boolean {
  const set = own[provider.name];
  const isSet = env.CODELAB_CONTEXT_TOKENS || set?.context_window || set?.models?.[id]?.context_window;
  const isKnown =
    isOfficial && Object.keys(provider.windows ?? {}).some((beginning) => id.startsWith(beginning));
  return !isSet && !isKnown;
}

/** Where a model is asked with chat completions; undefined for one with another wire. */
export function chatSite(name: string, sources: ModelSources): Site | undefined {
  if (name === 'demo') return undefined;
  // A provider with the Responses API also has chat completions.
  const { connection, site } = siteFor(name, sources, 'chat');
  return connection.wire === 'anthropic' ? undefined : site;
}

/** The price of a model such as `openai/gpt-5`, and whether it is the user's; undefined where neither the user nor the provider's row has one. */
export function priceOf(name: string, sources: ModelSources): { price: Price; isOwn: boolean } | undefined {
  const read = readModelName(name, sources);
  if (read === undefined) return undefined;
  const { provider, id } = read;
  const configuredPrice = modelFacts({ provider, isOfficial: false }, id, sources).price;
  if (configuredPrice !== undefined) return { price: configuredPrice, isOwn: true };
  try {
    const { price } = modelFacts(providerConnection(provider, sources), id, sources);
    return price && { price, isOwn: false };
  } catch (error) {
    // Without an address the owner of the servers is unknown.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

const wires: Record<WireName, (site: Site) => Promise<Wire>> = {
  chat: async (site) => (await import('./wires/openai.ts')).openaiWire(site),
  responses: async (site) => (await import('./wires/responses.ts')).responsesWire(site),
  anthropic: async (site) => (await import('./wires/anthropic.ts')).anthropicWire(site),
};

function siteFor(
  name: string,
  sources: ModelSources,
  wire?: WireName,
): { connection: ProviderConnection; site: Site; window: number } {
  const read = readModelName(name, sources);
  if (read === undefined) throw noModel(name, sources);
  const { provider, id } = read;
  const connection = providerConnection(provider, sources);
  const { base, key, headers, urlFrom, keyFrom, quirks } = connection;
  if (connection.isOfficial && key === undefined) throw noKey(name, provider, keyFrom);
  const url = endpointOf(base, wire ?? connection.wire);
  const { window, price } = modelFacts(connection, id, sources);
  const site: Site = {
    id,
    quirks,
    price,
    origin: { model: name, url, urlFrom, keyFrom, secrets: secretsOf(url, key) },
    endpoint: { url, headers, agent: keepAliveAgent(url, sources.env) },
  };
  return { connection, site, window };
}

function endpointOf(base: URL, wire: WireName): URL {
  if (wire === 'chat') return urlBelow(base, 'chat/completions');
  if (wire === 'responses') return urlBelow(base, 'responses');
  return urlBelow(base, /\/v1\/?$/.test(base.pathname) ? 'messages' : 'v1/messages');
}

function noModel(name: string, sources: ModelSources): ToolError {
  const nearest = nearModel(name, sources);
  const choices = allProviders(sources).map((provider) => `${provider.name}/NAME`);
  const next =
    nearest === undefined ? `Choose ${choices.join(', ')} or demo.` : `Did you mean \`${nearest}\`?`;
  const message = `There is no model \`${name}\`. ${next} \`codelab model list\` lists the models.`;
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'model' });
}

/** A bare name whose provider is known, or a misspelled provider. */
function nearModel(name: string, sources: ModelSources): string | undefined {
  const slash = name.indexOf('/');
  if (slash === -1) {
    const owner = providers.find(({ windows = {} }) =>
      Object.keys(windows).some((beginning) => name.startsWith(beginning)),
    );
    return owner === undefined ? nearestName(name, ['demo']) : `${owner.name}/${name}`;
  }
  const id = name.slice(slash + 1);
  const names = allProviders(sources).map((provider) => provider.name);
  const nearest = nearestName(name.slice(0, slash), names);
  return nearest === undefined || id === '' ? undefined : `${nearest}/${id}`;
}

function noKey(model: string, { name }: Provider, from: string): ToolError {
  return new ToolError(
    'LLM_ERROR',
    `${model} needs a key: set ${from}, or run \`codelab model add ${name}\`.`,
    { model, reason: 'no_key' },
  );
}

/**
 * The user's settings for every reply: how much the model reasons, and how long a reply may be. The environment overrides the settings of
 * a model, which override those of its provider.
 */
function replySettings(
  provider: string,
  id: string,
  { env, own = {} }: ModelSources,
): Pick<ModelRequest, 'effort' | 'maxTokens'> {
  const set = Object.hasOwn(own, provider) ? own[provider] : undefined;
  const ofModel = set?.models !== undefined && Object.hasOwn(set.models, id) ? set.models[id] : undefined;
  const effort = readEffort(env.CODELAB_EFFORT?.trim()) ?? ofModel?.effort ?? set?.effort;
  const maxTokens = readTokens(env.CODELAB_MAX_TOKENS?.trim()) ?? ofModel?.max_tokens ?? set?.max_tokens;
  return { ...(effort !== undefined && { effort }), ...(maxTokens !== undefined && { maxTokens }) };
}

function readEffort(text: string | undefined): ModelRequest['effort'] {
  const effort = efforts.find((candidate) => candidate === text);
  if (!text || effort !== undefined) return effort;
  throw new ToolError('INVALID_ARGUMENTS', `CODELAB_EFFORT must be one of: ${efforts.join(', ')}.`, {
    field: 'CODELAB_EFFORT',
  });
}

function readTokens(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const tokens = Number(text);
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new ToolError('INVALID_ARGUMENTS', 'CODELAB_MAX_TOKENS must be a positive integer.', {
    field: 'CODELAB_MAX_TOKENS',
  });
}
