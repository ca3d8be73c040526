// The configured model and the keys of providers: the user's config.json and keys.json, and the environment.
import { chooseModel, type ModelSources, type OwnProvider } from '@codelab/agent';
import type { Config } from './config.ts';
import { type KeysFile, readKeysFile } from './state-file.ts';

export type ModelConfig = Pick<Config, 'model' | 'providers'>;

/** A workspace that is trusted may name the model; where its keys are sent is for the user to say. */
export function modelsIn(files: { user: Config; own: Config; isTrusted: boolean }): ModelConfig {
  const { user, own, isTrusted } = files;
  const model = (isTrusted ? own.model : undefined) ?? user.model;
  return {
    ...(model !== undefined && { model }),
    ...(user.providers !== undefined && { providers: user.providers }),
  };
}

export type ModelChoice = {
  sources: ModelSources;
  /** The configured model: CODELAB_MODEL, else the configuration. */
  named: string | undefined;
  /** The default model of a provider with a key, when no model is configured. */
  implied: string | undefined;
};

export function readModelChoice(home: string, config: ModelConfig, env: NodeJS.ProcessEnv): ModelChoice {
  const storedKeys = readKeysFile(home);
  const sources = { env, own: ownProviders(config, storedKeys) };
  return {
    sources,
    named: env.CODELAB_MODEL || config.model || storedKeys.model,
    implied: chooseModel(sources),
  };
}

/** Addresses and the model in keys.json are from versions before config.json had them. */
export function ownProviders(
  { providers = {} }: ModelConfig,
  { keys, base_urls: addresses }: KeysFile,
): Record<string, OwnProvider> {
  const names = new Set([...Object.keys(providers), ...Object.keys(keys), ...Object.keys(addresses)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const set = providers[name] ?? {};
      const base_url = set.base_url ?? addresses[name];
      const key = keys[name];
      return [
        name,
        { ...set, ...(base_url !== undefined && { base_url }), ...(key !== undefined && { key }) },
      ];
    }),
  );
}
