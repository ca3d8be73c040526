// From a name such as `openai/gpt-5` to a model that can be asked. Only the wire that is named gets loaded.
import { nearestName, ToolError } from '@codelab/protocol';
import type { Model } from '../model.ts';
import {
  allProviders,
  below,
  type Connection,
  connectionOf,
  factsOf,
  findProvider,
  type ModelSources,
} from './connection.ts';
import { type Patience, patienceFor } from './patience.ts';
import { openAgent } from './post.ts';
import { type Provider, providers, type WireName } from './providers.ts';
import type { Site } from './site.ts';
import { streamReply } from './stream-reply.ts';
import type { Wire } from './wire.ts';

export type OpenOptions = ModelSources & { patience?: Partial<Patience> };

export async function openModel(name: string, options: OpenOptions): Promise<Model> {
  if (name === 'demo') return (await import('../demo/demo-model.ts')).demoModel;
  const { connection, site, window } = siteFor(name, options);
  const wire = await wires[connection.provider.wire](site);
  const wait = patienceFor(site.door.url, options.patience);
  return {
    name,
    contextTokens: window,
    stream: (request, signal) => streamReply(wire, request, wait, signal),
  };
}

/** Where a model is asked in OpenAI's manner; undefined for one that is asked otherwise. */
export function chatSite(name: string, sources: ModelSources): Site | undefined {
  const { connection, site } = name === 'demo' ? {} : siteFor(name, sources);
  return connection?.provider.wire === 'chat' ? site : undefined;
}

const wires: Record<WireName, (site: Site) => Promise<Wire>> = {
  chat: async (site) => (await import('./openai.ts')).openaiWire(site),
  anthropic: async (site) => (await import('./anthropic.ts')).anthropicWire(site),
};

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

function siteFor(
  name: string,
  sources: ModelSources,
): { connection: Connection; site: Site; window: number } {
  const read = readModelName(name, sources);
  if (read === undefined) throw noModel(name, sources);
  const { provider, id } = read;
  const connection = connectionOf(provider, sources);
  const { base, key, headers, urlFrom, keyFrom, quirks } = connection;
  if (connection.isOfficial && key === undefined) throw noKey(name, provider, keyFrom);
  const url = endpointOf(base, provider.wire);
  const { window, price } = factsOf(connection, id, sources);
  const site: Site = {
    id,
    quirks,
    price,
    origin: { model: name, url, urlFrom, keyFrom, secrets: secretsOf(url, key) },
    door: { url, headers, agent: openAgent(url, sources.env) },
  };
  return { connection, site, window };
}

function endpointOf(base: URL, wire: WireName): URL {
  if (wire === 'chat') return below(base, 'chat/completions');
  return below(base, /\/v1\/?$/.test(base.pathname) ? 'messages' : 'v1/messages');
}

/** A short word is no secret, and hiding it would spoil every message that holds it. */
export function secretsOf(url: URL, key = ''): string[] {
  const all = [key, url.password, decodeURIComponent(url.password), ...url.searchParams.values()];
  return all.filter((secret) => secret.length >= 8);
}

function noModel(name: string, sources: ModelSources): ToolError {
  const choices = allProviders(sources).map((one) => `${one.name}/NAME`);
  const near = nearModel(name, sources);
  return new ToolError(
    'INVALID_ARGUMENTS',
    `There is no model \`${name}\`.${near === undefined ? '' : ` Did you mean \`${near}\`?`} Choose ${choices.join(', ')} or demo; \`codelab model list\` shows which there are.`,
    { field: 'model' },
  );
}

/** A bare name whose provider is known, or a provider that is misspelled. */
function nearModel(name: string, sources: ModelSources): string | undefined {
  const slash = name.indexOf('/');
  if (slash === -1) {
    const owner = providers.find(({ windows = {} }) =>
      Object.keys(windows).some((beginning) => name.startsWith(beginning)),
    );
    return owner === undefined ? nearestName(name, ['demo']) : `${owner.name}/${name}`;
  }
  const id = name.slice(slash + 1);
  const names = allProviders(sources).map((one) => one.name);
  const near = nearestName(name.slice(0, slash), names);
  return near === undefined || id === '' ? undefined : `${near}/${id}`;
}

function noKey(model: string, { name }: Provider, from: string): ToolError {
  return new ToolError(
    'LLM_ERROR',
    `${model} needs a key: set ${from}, or run \`codelab model add ${name}\`.`,
    { model, reason: 'no_key' },
  );
}
