// The models that can be named now: those that the configured providers offer, and the demo. Providers are asked at most once a minute.
import {
  allProviders,
  findModels,
  findProvider,
  listModels,
  type ModelSources,
  type Provider,
  type ProviderModels,
  providerConnection,
} from '@codelab/agent';
import type { ModelName, ModelProvider, ProviderTrial } from '@codelab/api';
import { ToolError } from '@codelab/protocol';

const freshMs = 60_000;
const maxModels = 300;

export type ModelList = {
  list(sources: ModelSources): Promise<ModelName[]>;
  providers(sources: ModelSources): Promise<ModelProvider[]>;
};

export function createModelList(): ModelList {
  let cached: { key: string; at: number; offers: Promise<ProviderModels[]> } | undefined;
  const offers = (sources: ModelSources): Promise<ProviderModels[]> => {
    const request = JSON.stringify(sources);
    if (cached?.key !== request || performance.now() - cached.at > freshMs)
      cached = { key: request, at: performance.now(), offers: findModels(sources) };
    return cached.offers;
  };
  return {
    async list(sources) {
      const found = (await offers(sources)).flatMap(({ models }) => models.slice(0, maxModels));
      return [...found.map(({ name, id }) => ({ name, label: id })), { name: 'demo', label: 'Demo' }];
    },
    async providers(sources) {
      const found = await offers(sources);
      return allProviders(sources).map((provider) => describe(provider, found));
    },
  };
}

function describe(provider: Provider, offers: readonly ProviderModels[]): ModelProvider {
  const { name, label, isLocal = false, url, keyPage } = provider;
  const offer = offers.find((candidate) => candidate.provider.name === name);
  return {
    name,
    label,
    is_local: isLocal,
    is_ready: offer !== undefined,
    needs_address: url === undefined,
    base_url: url ?? null,
    key_page: keyPage ?? null,
    models: (offer?.models ?? []).slice(0, maxModels).map((model) => model.name),
    problem: offer?.problem ?? null,
  };
}

/** The provider's models for this key and address, and the suggested one. */
export async function tryProvider(
  { provider: name, key, base_url }: ProviderTrial,
  { env, own = {} }: ModelSources,
): Promise<{ models: string[]; model: string | null }> {
  const set = {
    ...own[name],
    ...(key !== undefined && { key }),
    ...(base_url !== undefined && { base_url }),
  };
  const sources = { env, own: { ...own, [name]: set }, isTyped: true as const };
  const provider = findProvider(name, sources);
  if (provider === undefined || (own[name] === undefined && findProvider(name, { own }) === undefined))
    throw new ToolError('INVALID_ARGUMENTS', 'There is no such provider.', { field: 'provider' });
  const { isOfficial, key: used, keyFrom } = providerConnection(provider, sources);
  if (isOfficial && used === undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${provider.label} needs a key: enter one, or set ${keyFrom}.`, {
      field: 'key',
    });
  const models = (await listModels(provider, sources)).map((model) => model.name).slice(0, maxModels);
  const usual = `${name}/${provider.model}`;
  return { models, model: models.includes(usual) ? usual : (models[0] ?? null) };
}
