// Asks a server for the window of a model: each kind of server reports it in its own way, and the loaded size takes precedence over what
// the model could have.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type ProviderConnection, urlBelow } from './connection.ts';
import { keepAliveAgent } from './http/post.ts';
import { contextWindowIn } from './list-models.ts';

const answerMs = 1500;
const maxBytes = 8 * 1024 * 1024;

type Json = Record<string, unknown>;
type GetJson = (path: string, body?: Json) => Promise<Json>;

/** Undefined when the server does not report it. */
export async function fetchContextWindow(
  { base, headers, provider }: ProviderConnection,
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const agent = keepAliveAgent(base, env);
  // The endpoints are beside the OpenAI-compatible path, not below it.
  const root = new URL(base);
  root.pathname = base.pathname.replace(/\/v1\/?$/, '');
  const at =
    (place: URL): GetJson =>
    (path, body) =>
      askJson(urlBelow(place, path), { headers, agent, body }).catch(() => ({}));
  try {
    if (provider.name === 'ollama') return await ollama(at(root), id);
    const [props, studio, list] = await Promise.all([
      at(root)('props'),
      at(root)('api/v0/models'),
      at(base)('models'),
    ]);
    const settings = (props.default_generation_settings ?? {}) as Json;
    const loaded = rowOf(studio, id).loaded_context_length;
    return tokensOf(settings.n_ctx) ?? tokensOf(loaded) ?? contextWindowIn(rowOf(list, id));
  } finally {
    agent.destroy();
  }
}

/** The size in its settings, else the loaded one; before the model is loaded the size is unknown. */
async function ollama(getJson: GetJson, id: string): Promise<number | undefined> {
  const [show, running] = await Promise.all([getJson('api/show', { model: id }), getJson('api/ps')]);
  const [, set] = /^num_ctx\s+(\d+)/m.exec(String(show.parameters ?? '')) ?? [];
  const models = Array.isArray(running.models) ? (running.models as Json[]) : [];
  const loaded = models.find(({ name, model }) => [name, model].some((spelling) => isSame(spelling, id)));
  return tokensOf(Number(set)) ?? tokensOf(loaded?.context_length);
}

function isSame(name: unknown, id: string): boolean {
  return name === id || name === `${id}:latest`;
}

function rowOf({ data }: Json, id: string): Json {
  const rows = Array.isArray(data) ? (data as Json[]) : [];
  return rows.find((row) => row?.id === id) ?? {};
}

function tokensOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

type Order = {
  headers: Record<string, string>;
  agent: ReturnType<typeof keepAliveAgent>;
  body: Json | undefined;
};

/** Never follows a redirect: a key is sent only to the address it was configured for. */
function askJson(url: URL, { headers, agent, body }: Order): Promise<Json> {
  const { promise, resolve, reject } = Promise.withResolvers<Json>();
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const json = body === undefined ? undefined : JSON.stringify(body);
  const request = start(url, {
    ...{ agent, headers, method: json === undefined ? 'GET' : 'POST' },
    signal: AbortSignal.timeout(answerMs),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('error', reject);
    response.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > maxBytes) response.destroy(new Error('too long'));
    });
    response.on('end', () => {
      try {
        const value: unknown = response.statusCode === 200 ? JSON.parse(text) : {};
        resolve(typeof value === 'object' && value !== null ? (value as Json) : {});
      } catch (error) {
        reject(error);
      }
    });
  });
  request.end(json);
  return promise;
}
