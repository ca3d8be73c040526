// `codelab model list|use|pick|remove`: the available models, the model in use, and the known providers.
import '../../shared.ts';
import { nearestModel, openModel, type ProviderModels } from '@codelab/agent';
import { visibleLine } from '@codelab/protocol';
import { commonOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import {
  forgetProvider,
  keepModel,
  type ModelPlaces,
  modelChoice,
  modelPlaces,
  offersNow,
} from '../../model/model-store.ts';
import { paintFor } from '../../output/paint.ts';
import { columns } from '../../output/text-width.ts';

const { workspace, json } = commonOptions;
const mostShown = 12;

export const modelList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists the models you can use now: those of providers with a key (in the environment, or added with \`codelab model add\`) and of
local servers that are running (Ollama, LM Studio, llama.cpp, vLLM).`,
  options: {
    provider: { type: 'string', value: 'NAME', summary: 'list all models of this provider only' },
    all: { type: 'boolean', summary: `list all models, not only ${mostShown} of each provider` },
    workspace,
    json,
  },
  examples: ['codelab model list', 'codelab model list --provider openrouter'],
  async run({ options }) {
    const { sources, named, implied } = modelChoice(modelPlaces(options.workspace));
    const found = await offersNow(sources);
    const offers = found.filter(({ provider }) => [undefined, provider.name].includes(options.provider));
    const current = named ?? implied;
    if (options.json) writeText(1, `${JSON.stringify(listJson(offers, current))}\n`);
    else {
      const maxModels = options.all || options.provider !== undefined ? Number.POSITIVE_INFINITY : mostShown;
      writeText(1, listText(offers, { current, isNamed: named !== undefined, maxModels }));
    }
    return offers.some(({ models }) => models.length > 0) ? 0 : 1;
  },
});

export const modelUse = defineCommand({
  words: '[NAME]',
  takes: { min: 0, max: 1 },
  about: `Sets the default model of \`codelab\`, \`codelab run\` and \`codelab serve\` in your configuration. Without NAME, you choose from a list.`,
  options: {
    force: { type: 'boolean', summary: 'accept a name that the provider does not list' },
    workspace,
    json,
  },
  examples: ['codelab model use', 'codelab model use anthropic/claude-sonnet-4-5'],
  async run({ words: [name], options }) {
    const places = modelPlaces(options.workspace);
    const model = name ?? (await pick(places));
    if (name !== undefined) await checkName(places, name, options.force === true);
    await keepModel(places, model);
    if (options.json) writeText(1, `${JSON.stringify({ model })}\n`);
    else writeText(1, `The model is now ${visibleLine(model)}. \`codelab model test\` tests it.\n`);
    const { CODELAB_MODEL: wins } = process.env;
    if (wins && wins !== model)
      writeText(
        2,
        `codelab: CODELAB_MODEL=${visibleLine(wins)} overrides this choice. Unset CODELAB_MODEL to use it.\n`,
      );
    return 0;
  },
});

export const modelPick: typeof modelUse = {
  ...modelUse,
  words: '',
  takes: { min: 0, max: 0 },
  about: 'Sets the default model in your configuration. You choose from a list.',
  examples: [],
};

export const modelRemove = defineCommand({
  words: 'PROVIDER',
  takes: { min: 1, max: 1 },
  about: `Removes a provider’s stored key and settings. Keys in environment variables are not touched. Exit code 1 when nothing
was stored.`,
  options: { workspace, json },
  examples: ['codelab model remove openrouter'],
  async run({ words: [name = ''], options }) {
    const places = modelPlaces(options.workspace);
    const isForgotten = await forgetProvider(places, name);
    const { named } = modelChoice(places, {});
    const wasUsed = isForgotten && named?.startsWith(`${name}/`) === true;
    if (wasUsed) await keepModel(places, undefined);
    const modelNote = wasUsed
      ? ` ${named} is no longer the model; \`codelab model use\` chooses another.`
      : '';
    const text = isForgotten
      ? `Removed the key and settings of ${name}.${modelNote}`
      : `Nothing is set for ${name}.`;
    if (options.json) writeText(1, `${JSON.stringify({ provider: name, removed: isForgotten })}\n`);
    else writeText(isForgotten ? 1 : 2, `${visibleLine(text)}\n`);
    return isForgotten ? 0 : 1;
  },
});

async function pick(places: ModelPlaces): Promise<string> {
  const { openTty } = await import('../../terminal/open-terminal.ts');
  using terminal = openTty({ isInsisted: true });
  if (terminal === undefined)
    throw new UsageError(
      'Choosing from a list needs a terminal. Name a model instead: codelab model use PROVIDER/NAME. `codelab model list` lists the models.',
    );
  const { pickModel } = await import('../../model/pick-model.ts');
  const { signal } = new AbortController();
  const model = await pickModel(terminal, places, { title: 'Which model?', signal });
  if (model === undefined) throw new UsageError('No model was chosen; nothing has changed.');
  return model;
}

/** Throws for a name that no provider has. */
async function checkName(places: ModelPlaces, name: string, isForced: boolean): Promise<void> {
  const { sources } = modelChoice(places);
  await openModel(name, sources);
  const nearest = isForced || name === 'demo' ? undefined : await nearestModel(name, sources);
  if (nearest !== undefined)
    throw new UsageError(
      `The provider does not list ${name}. Did you mean \`${nearest}\`? To use the name anyway, pass --force.`,
    );
}

function listJson(offers: readonly ProviderModels[], current: string | undefined): object {
  return {
    current: current ?? null,
    providers: offers.map(({ provider, models, problem }) => ({
      name: provider.name,
      label: provider.label,
      problem: problem ?? null,
      models: models.map(({ name, window }) => ({ name, context_window: window ?? null })),
    })),
  };
}

type Listing = { current: string | undefined; isNamed: boolean; maxModels: number };

function listText(offers: readonly ProviderModels[], { current, isNamed, maxModels }: Listing): string {
  const paint = paintFor(1);
  const rows = offers.flatMap(({ provider, models }) =>
    models
      .slice(0, maxModels)
      .map(({ name, window }) => [
        `${name === current ? '❯' : ' '} ${visibleLine(name)}`,
        paint('dim', provider.label),
        paint('dim', window === undefined ? '' : `${Math.round(window / 1000)}k`),
      ]),
  );
  const cut = offers.flatMap(({ provider, models }) =>
    models.length > maxModels
      ? [`… ${models.length - maxModels} more: codelab model list --provider ${provider.name}`]
      : [],
  );
  const problems = offers.flatMap(({ problem }) =>
    problem === undefined ? [] : [paint('yellow', visibleLine(problem))],
  );
  const none =
    rows.length > 0 ? [] : ['No API key and no local server found. Add a key: codelab model add PROVIDER'];
  const hint = isNamed ? '' : ' (the only one available). To set a default: codelab model use';
  const now =
    current === undefined
      ? 'No model is set. Choose one: codelab model use'
      : `The model is ${current}${hint}.`;
  return `${[...columns(rows), ...cut.map((line) => paint('dim', line)), ...problems, ...none, '', now].join('\n')}\n`;
}
