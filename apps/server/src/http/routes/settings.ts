// Settings of the gateway for a screen: the model, keys that go in and never out, and how much runs unasked.
import { ToolError } from '@codelab/protocol';
import { type Host, type PolicyMode, sandboxHere } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { createModelList } from '../settings/list-models.ts';
import { keyVariables, type ModelSettings, urlVariables } from '../settings/model-settings.ts';

const key = () => z.nullish(z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/)));
const url = () => z.nullish(z.string().check(z.maxLength(2000), z.refine(isAddress)));
const modes = ['strict', 'balanced', 'trusted'] as const satisfies readonly PolicyMode[];
const Change = () =>
  z.strictObject({
    model: z.nullish(z.string().check(z.minLength(1), z.maxLength(200))),
    keys: z.optional(z.strictObject({ openai: key(), anthropic: key() })),
    base_urls: z.optional(z.strictObject({ openai: url(), anthropic: url(), ollama: url() })),
    mode: z.optional(z.enum(modes)),
  });

export type SettingsOptions = { settings: ModelSettings; version?: string };

export function settingsRoutes(
  app: FastifyInstance,
  { host }: Gateway,
  { settings, version }: SettingsOptions,
): void {
  const models = createModelList();
  const view = (peer: Peer): Promise<object> => describe(host, settings, { peer, version });

  const looking = { summary: 'The settings; of keys only whether there are any' };
  app.get('/api/v1/settings', { config: { about: looking } }, ({ peer }) => view(peer));

  const changing = { summary: 'Changes settings; null takes one back', body: Change };
  app.put('/api/v1/settings', { config: { about: changing } }, async ({ peer, body }) => {
    if (!peer.isOperator)
      throw new ToolError('PERMISSION_DENIED', 'Only the operator of this gateway may change its settings.');
    const { mode, ...wanted } = readInput(Change(), body);
    if (Object.keys(wanted).length > 0) await settings.change(wanted);
    if (mode !== undefined) host.rules.mode = mode;
    return await view(peer);
  });

  const listing = { summary: 'The models that can be named' };
  app.get('/api/v1/models', { config: { about: listing } }, async () => {
    const found = await models.list(settings.env);
    const current = settings.model;
    const isListed = found.some(({ name }) => name === current);
    return { models: isListed ? found : [{ name: current, label: labelOf(current) }, ...found], current };
  });
}

async function describe(
  host: Host,
  { model, env }: ModelSettings,
  { peer, version }: { peer: Peer; version: string | undefined },
): Promise<object> {
  const limits = host.limits('codelab');
  const isSet = (variables: Record<string, string>): object =>
    Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, Boolean(env[variable])]));
  return {
    model,
    model_label: labelOf(model),
    is_demo: model === 'demo',
    keys: isSet(keyVariables),
    base_urls: isSet(urlVariables),
    mode: host.rules.mode,
    limits: {
      approval_seconds: limits.approvalMs / 1000,
      call_seconds: limits.runMs / 1000,
      parallel: limits.parallel,
      read_bytes: limits.readBytes,
      write_bytes: limits.writeBytes,
    },
    sandbox: { choice: host.sandbox, ...(await sandboxHere()) },
    workspace: host.workspace.root.real,
    version: version ?? null,
    user: peer.subject,
    is_operator: peer.isOperator === true,
  };
}

function labelOf(model: string): string {
  return model === 'demo' ? 'Demo' : model.slice(model.indexOf('/') + 1);
}

// Ollama's may be a host and a port alone.
function isAddress(text: string): boolean {
  const found = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  return found !== null && /^https?:$/.test(found.protocol) && found.hostname !== '';
}
