// The model and keys that the gateway uses. Read again for every turn, so that a change on a screen or by `codelab model` applies from the
// next turn on.
import {
  allProviders,
  findProvider,
  type Model,
  type ModelSources,
  noModelChosen,
  openModel,
  readModelName,
} from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import { changeSetting } from '../../config/change-config.ts';
import { loadModelConfig } from '../../config/load-config.ts';
import { ownProviders, readModelChoice } from '../../config/model-sources.ts';
import { readKeysFile, writeKeysFile } from '../../config/state-file.ts';

type ProviderValues = { [provider: string]: string | null | undefined };

/** Null removes a setting, so that the environment counts again. */
type ModelChange = {
  model?: string | null | undefined;
  keys?: ProviderValues | undefined;
  base_urls?: ProviderValues | undefined;
  /** US dollars per million tokens, by PROVIDER/NAME. */
  prices?: { [model: string]: { input: number; output: number } | null | undefined } | undefined;
};

export type ModelSettings = {
  /** The model of turns that name none; undefined when none is chosen. */
  model(): string | undefined;
  sources(): ModelSources;
  /** Opens a model by name, or the chosen one. */
  open(name?: string): Promise<Model>;
  /** Throws when the model can't be opened with the new settings; nothing changes in that case. */
  change(change: ModelChange): Promise<void>;
};

type Options = {
  home: string;
  root: string;
  env: NodeJS.ProcessEnv;
  /** The model named when the gateway was started: it counts until another one is chosen. */
  model?: string | undefined;
  /** The model used when there is no other: the demo, in the sample. */
  fallback?: string | undefined;
};

export function openModelSettings({ home, root, env, fallback, ...start }: Options): ModelSettings {
  /** The model chosen while the gateway runs, which overrides its environment. */
  let chosenModel = start.model;
  const read = () => readModelChoice(home, loadModelConfig({ home, root }), env);
  const model = (): string | undefined => {
    if (chosenModel !== undefined) return chosenModel;
    const { named, implied } = read();
    return named ?? implied ?? fallback;
  };
  const sources = (): ModelSources => read().sources;
  return {
    model,
    sources,
    async open(name) {
      const modelName = name ?? model();
      if (modelName === undefined) throw noModelChosen();
      return await openModel(modelName, sources());
    },
    async change(change) {
      const { keys = {}, base_urls: addresses = {} } = change;
      const priced = Object.keys(change.prices ?? {}).map((name) => name.slice(0, name.indexOf('/')));
      checkProviders([...Object.keys(keys), ...Object.keys(addresses), ...priced], sources());
      if (typeof change.model === 'string')
        await openModel(change.model, sourcesWith(home, root, change, env));
      // Read again: another process may have changed the file meanwhile.
      const storedKeys = readKeysFile(home);
      const { model: _before, ...rest } = storedKeys;
      writeKeysFile(home, {
        ...(change.model === undefined ? storedKeys : rest),
        keys: withChanges(storedKeys.keys, keys),
        base_urls: withChanges(
          storedKeys.base_urls,
          Object.fromEntries(Object.keys(addresses).map((name) => [name, null])),
        ),
      });
      const at = { home, root, scope: 'user' as const };
      for (const [name, address] of Object.entries(addresses))
        if (address !== undefined)
          await changeSetting(at, ['providers', name, 'base_url'], address ?? undefined);
      await keepPrices(at, change.prices ?? {}, sources());
      if (change.model === undefined) return;
      await changeSetting(at, ['model'], change.model ?? undefined);
      chosenModel = change.model ?? undefined;
    },
  };
}

/** Saves prices where `codelab model add PROVIDER --price … --for MODEL` does. Prices of cached tokens stay. */
async function keepPrices(
  at: Parameters<typeof changeSetting>[0],
  prices: NonNullable<ModelChange['prices']>,
  sources: ModelSources,
): Promise<void> {
  for (const [name, price] of Object.entries(prices)) {
    const read = readModelName(name, sources);
    if (read === undefined || price === undefined) continue;
    const { provider, id } = read;
    const before = sources.own?.[provider.name]?.models?.[id]?.price;
    const next = price === null ? undefined : { ...before, ...price };
    await changeSetting(at, ['providers', provider.name, 'models', id, 'price'], next);
  }
}

function checkProviders(names: readonly string[], sources: ModelSources): void {
  const unknown = names.find((name) => findProvider(name, sources) === undefined);
  if (unknown === undefined) return;
  const providerNames = allProviders(sources).map(({ name }) => name);
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `There is no such provider. There are: ${providerNames.join(', ')}.`,
  );
}

/** The sources as they would be after the change. */
function sourcesWith(
  home: string,
  root: string,
  { keys = {}, base_urls: addresses = {} }: ModelChange,
  env: NodeJS.ProcessEnv,
): ModelSources {
  const storedKeys = readKeysFile(home);
  const config = loadModelConfig({ home, root });
  const providers = { ...config.providers };
  for (const [name, address] of Object.entries(addresses)) {
    const { base_url: _before, ...rest } = providers[name] ?? {};
    providers[name] = address == null ? rest : { ...rest, base_url: address };
  }
  const base_urls = withChanges(
    storedKeys.base_urls,
    Object.fromEntries(Object.keys(addresses).map((name) => [name, null])),
  );
  return { env, own: ownProviders({ providers }, { keys: withChanges(storedKeys.keys, keys), base_urls }) };
}

function withChanges(storedKeys: Record<string, string>, changes: ProviderValues): Record<string, string> {
  const keys = Object.entries({ ...storedKeys, ...changes });
  return Object.fromEntries(keys.flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}
