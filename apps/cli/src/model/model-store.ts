// The chosen model and the added providers, in the user's own files. Keys have a file of their own.
import '../shared.ts';
import { findModels, type ModelSources, type OwnProvider, type ProviderModels } from '@codelab/agent';
import {
  changeSetting,
  defaultHome,
  loadModelConfig,
  type ModelChoice,
  readKeysFile,
  readModelChoice,
  setKey,
} from '@codelab/server';
import { realRoot } from '../command-line/define-command.ts';

export type ModelPlaces = { home: string; root: string };

export function modelPlaces(workspace?: string): ModelPlaces {
  return { home: defaultHome(), root: realRoot(workspace) };
}

export function modelChoice({ home, root }: ModelPlaces, env = process.env): ModelChoice {
  return readModelChoice(home, loadModelConfig({ home, root }), env);
}

export async function keepModel(places: ModelPlaces, model: string | undefined): Promise<void> {
  await changeSetting({ ...places, scope: 'user' }, ['model'], model);
}

/** A field that is undefined stays unchanged. */
export async function keepProvider(
  places: ModelPlaces,
  name: string,
  { key, ...settings }: OwnProvider,
): Promise<void> {
  for (const [setting, value] of Object.entries(settings))
    if (value !== undefined)
      await changeSetting({ ...places, scope: 'user' }, ['providers', name, setting], value);
  if (key !== undefined) await setKey(places.home, name, key);
}

/** Whether there was an entry to remove. */
export async function forgetProvider(places: ModelPlaces, name: string): Promise<boolean> {
  const hadSettings = await changeSetting({ ...places, scope: 'user' }, ['providers', name], undefined);
  const { keys, base_urls: addresses } = readKeysFile(places.home);
  const hadKey = Object.hasOwn(keys, name) || Object.hasOwn(addresses, name);
  if (hadKey) await setKey(places.home, name, undefined);
  return hadSettings || hadKey;
}

/** The models of `offers`, the recommended ones first. */
export async function offersNow(sources: ModelSources): Promise<ProviderModels[]> {
  const offers = await findModels(sources);
  return offers.map((offer) => {
    const usual = offer.models.find(({ id }) => id === offer.provider.model);
    return usual === undefined
      ? offer
      : { ...offer, models: [usual, ...offer.models.filter((model) => model !== usual)] };
  });
}
