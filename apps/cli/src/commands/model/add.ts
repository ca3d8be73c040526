// `codelab model add`: a key, an address, and the properties of a provider's models. Keys are read without being shown.
import '../../shared.ts';
import { readFileSync } from 'node:fs';
import { findProvider, listModels, type OwnProvider, providers, wireNames } from '@codelab/agent';
import { nearestName, ToolError, visibleLine } from '@codelab/protocol';
import { commonOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { isAddress } from '../../model/address.ts';
import { keepProvider, modelChoice, modelPlaces } from '../../model/model-store.ts';

const { workspace, json } = commonOptions;

export const modelAdd = defineCommand({
  words: 'PROVIDER',
  takes: { min: 1, max: 1 },
  about: `Adds the API key of a known provider, or a provider of your own with --base-url.
Known providers: ${providers.map(({ name }) => name).join(', ')}.
You are prompted for the key. It is not displayed, is checked with the provider, and is stored in a file that only you can read.`,
  options: {
    'base-url': { type: 'string', value: 'URL', summary: 'base URL of the API, usually ending in /v1' },
    wire: {
      type: 'string',
      value: 'NAME',
      choices: wireNames,
      summary: 'API format: OpenAI chat completions, OpenAI responses, or Anthropic messages (default: chat)',
    },
    'key-file': {
      type: 'string',
      value: 'FILE',
      summary: 'read the key from this file; - reads standard input',
    },
    'key-env': {
      type: 'string',
      value: 'NAME',
      summary: 'read the key from this environment variable at each start, and do not store it',
    },
    'no-key': { type: 'boolean', summary: 'the server needs no key' },
    'context-window': { type: 'string', value: 'TOKENS', summary: 'context window of the models, in tokens' },
    price: {
      type: 'string',
      value: 'IN/OUT',
      summary: 'US dollars per million input and output tokens, such as 0.5/1.5',
    },
    for: { type: 'string', value: 'MODEL', summary: 'apply --context-window and --price to this model only' },
    'no-test': { type: 'boolean', summary: 'do not check the key with the provider' },
    workspace,
    json,
  },
  examples: [
    'codelab model add openrouter',
    'codelab model add acme --base-url https://llm.acme.example/v1 --key-file key.txt --context-window 65536',
    'pass show openai | codelab model add openai --key-file -',
  ],
  async run({ words: [name = ''], options }) {
    const places = modelPlaces(options.workspace);
    const { sources } = modelChoice(places);
    checkProviderName(name, options['base-url'], findProvider(name, sources) !== undefined);
    const address = addressOf(options['base-url']);
    const facts = factsOf(options);
    const key = await keyFor(name, options, sources.own?.[name] ?? {});
    const settings: OwnProvider = {
      ...(address !== undefined && { base_url: address }),
      ...(options.wire !== undefined && { wire: wireNames.find((wire) => wire === options.wire) }),
      ...(options['key-env'] !== undefined && { key_env: options['key-env'] }),
      ...(options.for === undefined
        ? facts
        : { models: { ...sources.own?.[name]?.models, [options.for]: facts } }),
      ...(key !== undefined && { key }),
    };
    const ownProviders = { ...sources.own, [name]: { ...sources.own?.[name], ...settings } };
    const models = options['no-test']
      ? undefined
      : await tried(name, { env: sources.env, own: ownProviders });
    await keepProvider(places, name, settings);
    if (options.json) writeText(1, `${JSON.stringify({ provider: name, models: models ?? null })}\n`);
    else writeText(1, resultText(name, models));
    return 0;
  },
});

function checkProviderName(name: string, address: string | undefined, isKnown: boolean): void {
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name))
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid provider name. Use lower-case letters, digits, - and _.`,
    );
  if (isKnown || address !== undefined) return;
  const nearest = nearestName(
    name,
    providers.map((provider) => provider.name),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new UsageError(
    `Unknown provider: ${name}.${hint} To add a provider of your own, pass --base-url URL.`,
  );
}

function addressOf(text: string | undefined): string | undefined {
  if (text === undefined || isAddress(text)) return text;
  throw new UsageError('--base-url must be an http or https URL without a user name or password.');
}

type Facts = Pick<OwnProvider, 'context_window' | 'price'>;

function factsOf(options: { 'context-window'?: string; price?: string }): Facts {
  const { 'context-window': tokens, price } = options;
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(price ?? '') ?? [];
  if (price !== undefined && input === undefined)
    throw new UsageError(`--price takes two numbers, such as 0.5/1.5, not ${price}.`);
  if (tokens !== undefined && !/^[1-9]\d{2,8}$/.test(tokens))
    throw new UsageError(`--context-window takes a number of tokens, not ${tokens}.`);
  return {
    ...(tokens !== undefined && { context_window: Number(tokens) }),
    ...(input !== undefined && { price: { input: Number(input), output: Number(output) } }),
  };
}

type KeyOptions = { 'key-file'?: string; 'key-env'?: string; 'no-key'?: boolean };

/** Undefined when no key is to be saved. A key is never an argument: others can see arguments in the list of processes. */
async function keyFor(name: string, options: KeyOptions, settings: OwnProvider): Promise<string | undefined> {
  const { 'key-file': file, 'key-env': variable, 'no-key': hasNone } = options;
  const isFound = settings.key !== undefined || findProvider(name, {})?.isLocal === true;
  if (variable !== undefined || hasNone) return undefined;
  if (file !== undefined) return checkedKey(readKeyFile(file));
  const { openTty } = await import('../../terminal/open-terminal.ts');
  using terminal = openTty({ isInsisted: true });
  if (terminal === undefined) {
    if (isFound) return undefined;
    throw new UsageError(
      'There is no terminal to ask for the key. Use --key-file FILE (- is standard input), --key-env NAME or --no-key.',
    );
  }
  const { askSecret } = await import('../../terminal/ask-line.ts');
  const page = findProvider(name, {})?.keyPage;
  const pageText = page === undefined ? '' : ` from ${page}`;
  const enterHint = isFound ? 'Enter keeps the current key' : 'not shown; Enter for none';
  const { signal } = new AbortController();
  const typedKey = await askSecret(terminal, {
    prompt: `Key for ${name}${pageText} (${enterHint}): `,
    signal,
  });
  if (typedKey === undefined) throw new UsageError('No key was given; nothing has changed.');
  return typedKey === '' ? undefined : checkedKey(typedKey);
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`The key can’t be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]{1,1000}$/.test(key)) return key;
  throw new UsageError(
    'This is not a valid key: it is empty, or contains spaces or other invalid characters.',
  );
}

/** The number of models that the provider offers. */
async function tried(name: string, sources: Parameters<typeof listModels>[1]): Promise<string[]> {
  const provider = findProvider(name, sources);
  if (provider === undefined) return [];
  try {
    return (await listModels(provider, sources)).map((model) => model.name);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(
      error.code,
      `${error.message} Nothing was saved. To save it anyway, pass --no-test.`,
      error.details,
    );
  }
}

function resultText(name: string, models: readonly string[] | undefined): string {
  if (models === undefined) return `Saved without a test. Choose a model: codelab model use ${name}/NAME\n`;
  if (models.length === 0)
    return `Saved. The provider lists no models. Name one: codelab model use ${name}/NAME\n`;
  const [first = ''] = models;
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  return `Saved: ${name} answers and has ${count}. Choose one: codelab model use ${visibleLine(first)}\n`;
}
