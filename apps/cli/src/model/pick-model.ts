// Choosing a model at a terminal: from the keys and servers that were found, or from any other provider by its key. The choice is saved.
import '../shared.ts';
import {
  allProviders,
  type ListedModel,
  listModels,
  type ModelSources,
  type Provider,
  type ProviderModels,
} from '@codelab/agent';
import { ToolError, visibleLine } from '@codelab/protocol';
import { askLine } from '../terminal/ask-line.ts';
import { printNotice, type Tty } from '../terminal/open-terminal.ts';
import { type ListItem, pickFromList } from '../terminal/pick-from-list.ts';
import { askConnection, needsKey, type TypedConnection } from './ask-connection.ts';
import { keepModel, keepProvider, type ModelPlaces, modelChoice, offersNow } from './model-store.ts';

type Picked = { model: string } | { connect: true };

/** Undefined when the user chose nothing. A choice is saved. */
export async function pickModel(
  terminal: Tty,
  places: ModelPlaces,
  { title, signal }: { title: string; signal: AbortSignal },
): Promise<string | undefined> {
  for (;;) {
    const { sources, named } = modelChoice(places);
    const offers = await offersNow(sources);
    for (const { problem } of offers) if (problem !== undefined) printNotice(terminal, problem);
    const picked = await pickFromList(terminal, { title, items: itemsOf(offers, named), signal });
    if (picked === undefined) return undefined;
    const model =
      'model' in picked ? picked.model : await connectProvider(terminal, places, { sources, signal });
    if (model === undefined) continue;
    await keepModel(places, model);
    return model;
  }
}

function itemsOf(offers: readonly ProviderModels[], current: string | undefined): ListItem<Picked>[] {
  const models = offers.flatMap(({ provider, models: offeredModels }) =>
    offeredModels.map((model) => ({
      label: visibleLine(model.name),
      hint: [model.name === current ? 'now' : '', provider.label, windowText(model)]
        .filter(Boolean)
        .join(' · '),
      value: { model: model.name },
    })),
  );
  const connect = {
    label: 'Connect a provider…',
    hint: 'a key for OpenAI, Anthropic, Gemini, OpenRouter and others, or the address of a server',
    value: { connect: true as const },
  };
  return [...models, connect];
}

function windowText({ window }: ListedModel): string {
  return window === undefined ? '' : `${Math.round(window / 1000)}k context`;
}

/** Asks for the provider's connection until it answers, and returns the model to use. */
async function connectProvider(
  terminal: Tty,
  places: ModelPlaces,
  { sources, signal }: { sources: ModelSources; signal: AbortSignal },
): Promise<string | undefined> {
  const provider = await pickFromList(terminal, {
    title: 'Whose models?',
    items: allProviders(sources).map((provider) => ({
      label: provider.label,
      hint: needs(provider),
      value: provider,
    })),
    signal,
  });
  if (provider === undefined) return undefined;
  const stored = sources.own?.[provider.name];
  for (let typedConnection: TypedConnection = {}; ; ) {
    const connection = await askConnection(terminal, provider, {
      before: { ...stored, ...typedConnection },
      signal,
    });
    if (connection === undefined) return undefined;
    typedConnection = connection;
    const ownProviders = { ...sources.own, [provider.name]: { ...stored, ...connection } };
    try {
      const models = await listModels(provider, { env: sources.env, own: ownProviders, isTyped: true });
      await keepProvider(places, provider.name, connection);
      return await oneOf(terminal, provider, models, signal);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      printNotice(terminal, error.message);
    }
  }
}

function needs(provider: Provider): string {
  const { isLocal, url, keyPage } = provider;
  if (isLocal) return `a server of your own, usually ${url}`;
  if (url !== undefined) return `a key: ${keyPage}`;
  return needsKey(provider) ? 'an address and a key' : 'an address, and a key if the server wants one';
}

async function oneOf(
  terminal: Tty,
  provider: Provider,
  models: readonly ListedModel[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (models.length > 0) {
    const usual = models.filter(({ id }) => id === provider.model);
    const items = [...usual, ...models.filter((model) => !usual.includes(model))].map((model) => ({
      label: visibleLine(model.name),
      hint: windowText(model),
      value: model.name,
    }));
    return await pickFromList(terminal, { title: `${provider.label} answers. Which model?`, items, signal });
  }
  const example = provider.model === undefined ? '' : `, such as ${provider.model}`;
  const typedName = await askLine(terminal, {
    prompt: `Name of the model at ${provider.label}${example}: `,
    signal,
  });
  return typedName?.trim() ? `${provider.name}/${typedName.trim()}` : undefined;
}
