// Asks a model whose server is on loopback, and collects its stream.
import { type Model, type ModelEvent, type ModelRequest, openModel } from '@codelab/agent';
import type { Reply } from '@codelab/protocol';

type Options = NonNullable<Parameters<typeof openModel>[1]>;

export const tools = [
  {
    name: 'read_file',
    summary: 'Reads.',
    input: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'integer' } } },
  },
  { name: 'list_files', summary: 'Lists.', input: { type: 'object', properties: {} } },
];

export const question: ModelRequest = {
  system: 'Be short.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools,
};

export const secret = 'sk-very-secret-key';

/** Quick to try again, as no test should wait. */
export function modelAt(
  url: string,
  wire: 'openai' | 'responses' | 'anthropic' = 'openai',
  patience: Options['patience'] = {},
  extraEnv: NodeJS.ProcessEnv = {},
): Promise<Model> {
  const env = {
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: secret,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: secret,
    ...extraEnv,
  };
  const options = { env, patience: { backoffMs: 1, ...patience } };
  if (wire !== 'responses') return openModel(`${wire}/m`, options);
  return openModel('openai/m', { ...options, own: { openai: { wire } } });
}

export type Heard = { events: ModelEvent[]; reply: Reply };

export async function ask(
  model: Model,
  request: ModelRequest = question,
  signal = new AbortController().signal,
): Promise<Heard> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'reply') return { events, reply: event.reply };
    events.push(event);
  }
  throw new Error('The stream ended without a reply.');
}

/** The text as it was shown. */
export function shownText(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

export type Failure = { code: string; message: string; details: Record<string, unknown> };

/** The failure; no part of it may contain a key. */
export async function failure(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (thrown: Failure) => thrown,
  );
  if (error === undefined) throw new Error('It should have failed.');
  if (`${error.message} ${JSON.stringify(error.details)}`.includes(secret))
    throw new Error('It tells the key.');
  return error;
}
