// Lists the models that a provider offers now, with one bounded GET, and finds servers on this machine.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { nearestName, ToolError } from '@codelab/protocol';
import {
  allProviders,
  isReady,
  type ModelSources,
  type ProviderConnection,
  providerConnection,
  readModelName,
  secretsOf,
  urlBelow,
} from './connection.ts';
import { failedAnswer, failedConnection, type Origin } from './http/failure.ts';
import { keepAliveAgent } from './http/post.ts';
import { type Provider, providers } from './providers.ts';

export type ListedModel = {
  /** The name in CodeLab: `openai/gpt-5`. */
  name: string;
  id: string;
  window?: number;
};

export type ProviderModels = {
  provider: Provider;
  models: readonly ListedModel[];
  /** Why there are none. */
  problem?: string;
};

const maxBytes = 4 * 1024 * 1024;
const maxModels = 1000;
const answerMs = 4000;
/** A server on this machine answers at once, or there is none. */
const localMs = 600;

/**
 * Models that can be named now: of providers with a key or an address, and of servers at their usual ports on this machine. Servers that
 * were only probed and not found are left out; a provider that fails says why.
 */
export async function findModels(sources: ModelSources): Promise<ProviderModels[]> {
  const offers = allProviders(sources).map(async (provider): Promise<ProviderModels[]> => {
    const isSet = isReady(provider, sources);
    if (!isSet && !provider.isLocal) return [];
    try {
      // An unknown process at such a port gets no key, and no proxy is used.
      const models = isSet
        ? await listModels(provider, sources)
        : await listModels(provider, { env: {} }, localMs);
      return isSet || models.length > 0 ? [{ provider, models }] : [];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return isSet ? [{ provider, models: [], problem: naming(provider, error.message) }] : [];
    }
  });
  return (await Promise.all(offers)).flat();
}

/** A message about an address alone does not name the provider. */
function naming({ label }: Provider, message: string): string {
  return message.startsWith(label) ? message : `${label}: ${message}`;
}

/** Throws a ToolError: LLM_ERROR with `reason`, or INVALID_ARGUMENTS for an invalid address or key. */
export async function listModels(
  provider: Provider,
  sources: ModelSources,
  waitMs = answerMs,
): Promise<ListedModel[]> {
  const connection = providerConnection(provider, sources);
  const url = listAddress(connection);
  const { urlFrom, keyFrom, key } = connection;
  const origin: Origin = { model: provider.label, url, urlFrom, keyFrom, secrets: secretsOf(url, key) };
  const { status, headers, text } = await get(connection, { url, waitMs, env: sources.env }).catch(
    (error: unknown) => {
      throw toolErrorOf(failedConnection(codeOf(error), origin));
    },
  );
  // Some servers have no such list.
  if (status === 404 || status === 405) return [];
  if (status !== 200) throw toolErrorOf(failedAnswer(status, headers, text, origin));
  return readModels(text, provider.name);
}

/** The offered name most similar to this one; undefined when this name is offered, or nothing is similar. */
export async function nearestModel(name: string, sources: ModelSources): Promise<string | undefined> {
  const read = readModelName(name, sources);
  if (read === undefined) return undefined;
  const models = await listModels(read.provider, sources).catch(() => []);
  if (models.some(({ id }) => id === read.id)) return undefined;
  const nearestId = nearestName(
    read.id,
    models.map(({ id }) => id),
  );
  return nearestId && `${read.provider.name}/${nearestId}`;
}

function listAddress({ base, provider }: ProviderConnection): URL {
  if (provider.wire !== 'anthropic') return urlBelow(base, 'models');
  const url = urlBelow(base, /\/v1\/?$/.test(base.pathname) ? 'models' : 'v1/models');
  url.searchParams.set('limit', '1000');
  return url;
}

type Got = { status: number; headers: IncomingHttpHeaders; text: string };

/** Never follows a redirect: a key is sent only to the address it was configured for. */
function get(
  { headers }: ProviderConnection,
  { url, waitMs, env }: { url: URL; waitMs: number; env: NodeJS.ProcessEnv },
): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const agent = keepAliveAgent(url, env);
  const request = start(url, { headers, agent, signal: AbortSignal.timeout(waitMs) });
  request.on('error', reject);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('error', reject);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) response.destroy(new Error('too long'));
    });
    response.on('end', () => {
      agent.destroy();
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
  });
  request.end();
  return promise;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return 'ETIMEDOUT';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'no answer';
}

function toolErrorOf({ message, facts }: ReturnType<typeof failedConnection>): ToolError {
  const { status, reason } = facts;
  return new ToolError('LLM_ERROR', message, {
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
  });
}

/** A different program at the port of a model server answers with something else. */
function readModels(text: string, provider: string): ListedModel[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const { data } = (value ?? {}) as { data?: unknown };
  const rows = Array.isArray(data) ? data.slice(0, maxModels) : [];
  return rows.flatMap((row: unknown) => {
    const { id: listedId, ...rest } = (row ?? {}) as Record<string, unknown>;
    // Google prefixes the id.
    const id = typeof listedId === 'string' ? listedId.replace(/^models\//, '') : '';
    if (!/^[\x21-\x7e]{1,150}$/.test(id) || isOther.test(id)) return [];
    const window = contextWindowIn(rest);
    return [{ name: `${provider}/${id}`, id, ...(window !== undefined && { window }) }];
  });
}

/** Models for audio, images or embeddings. */
const isOther =
  /embed|whisper|(^|[-/])tts|dall-e|moderation|-image|imagen|veo-|realtime|transcribe|sora|babbage|davinci|rerank|-audio/i;

/** The fields of OpenRouter, vLLM, Groq, LM Studio, and llama.cpp, in this order. */
export function contextWindowIn(row: Record<string, unknown>): number | undefined {
  const meta = (row.meta ?? {}) as Record<string, unknown>;
  const windowSizes = [
    row.context_length,
    row.max_model_len,
    row.context_window,
    row.max_context_length,
    meta.n_ctx,
  ];
  return windowSizes.find((tokens): tokens is number => Number.isSafeInteger(tokens) && Number(tokens) > 0);
}

// The default model: CODELAB_MODEL, else the usual model of a provider whose key is in the environment.

/** Undefined when there is none and the user must choose. The address of an own server does not show which model is meant. */
export function chooseModel({ env, own = {} }: ModelSources): string | undefined {
  if (env.CODELAB_MODEL) return env.CODELAB_MODEL;
  const readyProvider = providers.find(
    ({ name, model, keys, urls }) =>
      model !== undefined &&
      (own[name]?.key !== undefined || keys.some((key) => env[key]?.trim())) &&
      own[name]?.base_url === undefined &&
      !urls.some((url) => env[url]?.trim()),
  );
  return readyProvider && `${readyProvider.name}/${readyProvider.model}`;
}

export function noModelChosen(): ToolError {
  return new ToolError(
    'LLM_ERROR',
    'No model is set. Run `codelab model use` to choose one and `codelab model add PROVIDER` to enter a key, or pass --model PROVIDER/NAME (CODELAB_MODEL does the same); --model demo plays a script without AI.',
    { reason: 'no_model' },
  );
}
