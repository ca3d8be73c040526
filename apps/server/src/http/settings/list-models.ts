// Which models can be named: those that the configured providers offer just now, and the demo. A provider that does not answer soon is left out.
import type { ModelName } from '@codelab/api';
import { keyVariables } from './model-settings.ts';

const waitMs = 2500;
const freshMs = 60_000;
const maxBytes = 2 * 1024 * 1024;
const maxModels = 300;

type Door = { provider: string; url: URL; headers: Record<string, string> };

export function createModelList(): { list(env: NodeJS.ProcessEnv): Promise<ModelName[]> } {
  let known: { doors: string; at: number; models: Promise<ModelName[]> } | undefined;
  return {
    list(env) {
      const doors = doorsOf(env);
      const asked = JSON.stringify(doors);
      if (known?.doors !== asked || performance.now() - known.at > freshMs)
        known = { doors: asked, at: performance.now(), models: listAll(doors) };
      return known.models;
    },
  };
}

async function listAll(doors: readonly Door[]): Promise<ModelName[]> {
  const found = await Promise.all(doors.map((door) => namesAt(door).catch(() => [])));
  return [...found.flat(), { name: 'demo', label: 'Demo' }];
}

/** A provider counts as configured when it has a key, or an address of its own. */
function doorsOf(env: NodeJS.ProcessEnv): Door[] {
  const { OPENAI_BASE_URL: openaiUrl, ANTHROPIC_BASE_URL: anthropicUrl, OLLAMA_HOST: ollama } = env;
  const openai = env[keyVariables.openai]?.trim();
  const anthropic = env[keyVariables.anthropic]?.trim();
  return [
    ...(openai || openaiUrl
      ? door(
          'openai',
          openaiUrl || 'https://api.openai.com/v1',
          'models',
          openai ? { authorization: `Bearer ${openai}` } : {},
        )
      : []),
    ...(anthropic || anthropicUrl
      ? door(
          'anthropic',
          (anthropicUrl || 'https://api.anthropic.com').replace(/\/v1\/?$/, ''),
          'v1/models',
          {
            'anthropic-version': '2023-06-01',
            ...(anthropic && { 'x-api-key': anthropic }),
          },
        )
      : []),
    ...(ollama ? door('ollama', /^https?:/.test(ollama) ? ollama : `http://${ollama}`, 'v1/models', {}) : []),
  ];
}

function door(provider: string, base: string, path: string, headers: Record<string, string>): Door[] {
  const url = URL.parse(`${base.trim().replace(/\/+$/, '')}/${path}`);
  return url !== null && /^https?:$/.test(url.protocol) ? [{ provider, url, headers }] : [];
}

async function namesAt({ provider, url, headers }: Door): Promise<ModelName[]> {
  // A key goes to the address it was given for, and nowhere it is sent on to.
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(waitMs) });
  if (!answer.ok) return [];
  const { data } = JSON.parse(await textOf(answer)) as { data?: unknown };
  const ids = (Array.isArray(data) ? data : []).map((one: unknown) => (one as { id?: unknown } | null)?.id);
  const names = ids.filter((id): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,150}$/.test(id));
  return names.slice(0, maxModels).map((id) => ({ name: `${provider}/${id}`, label: id }));
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
