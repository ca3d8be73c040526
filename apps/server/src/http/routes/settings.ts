// Settings of the gateway for a screen: the model, keys that go in and never out, and how much runs unasked.
import { allProviders, type ModelSources } from '@codelab/agent';
import { type Settings, settingRoutes } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { type Host, sandboxHere } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { route } from '../route.ts';
import { createModelList, tryProvider } from '../settings/list-models.ts';
import type { ModelSettings } from '../settings/model-settings.ts';

export type SettingsOptions = { settings: ModelSettings; version?: string };

export function serveSettings(
  app: FastifyInstance,
  { host }: Gateway,
  { settings, version }: SettingsOptions,
): void {
  const models = createModelList();
  const view = (peer: Peer): Promise<Settings> => describe(host, settings, { peer, version });

  route(app, settingRoutes.get, ({ peer }) => view(peer));

  route(app, settingRoutes.update, async ({ peer, body: { mode, ...wanted } }) => {
    checkOperator(peer);
    if (Object.keys(wanted).length > 0) await settings.change(wanted);
    if (mode !== undefined) host.rules.mode = mode;
    return await view(peer);
  });

  route(app, settingRoutes.models, async () => {
    const found = await models.list(settings.sources());
    const current = settings.model() ?? '';
    const isListed = current === '' || found.some(({ name }) => name === current);
    return { models: isListed ? found : [{ name: current, label: labelOf(current) }, ...found], current };
  });

  route(app, settingRoutes.providers, async () => ({
    providers: await models.providers(settings.sources()),
  }));

  // A key is sent to an address that the caller names: not for everybody to say.
  route(app, settingRoutes.tryProvider, async ({ peer, body }) => {
    checkOperator(peer);
    return await tryProvider(body, settings.sources());
  });
}

function checkOperator(peer: Peer): void {
  if (!peer.isOperator)
    throw new ToolError('PERMISSION_DENIED', 'Only the operator of this gateway may change its settings.');
}

async function describe(
  host: Host,
  settings: ModelSettings,
  { peer, version }: { peer: Peer; version: string | undefined },
): Promise<Settings> {
  const limits = host.limits('codelab');
  const model = settings.model() ?? '';
  const { keys, addresses } = setProviders(settings.sources());
  return {
    model,
    model_label: labelOf(model),
    is_demo: model === 'demo',
    keys,
    base_urls: addresses,
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

function setProviders({
  env,
  own = {},
}: ModelSources): Record<'keys' | 'addresses', Record<string, boolean>> {
  const rows = allProviders({ own });
  const has = (variables: readonly string[]): boolean => variables.some((name) => env[name]?.trim());
  return {
    keys: Object.fromEntries(
      rows
        .filter((one) => !one.isLocal)
        .map(({ name, keys }) => [name, own[name]?.key !== undefined || has(keys)]),
    ),
    addresses: Object.fromEntries(
      rows.map(({ name, urls }) => [name, own[name]?.base_url !== undefined || has(urls)]),
    ),
  };
}

function labelOf(model: string): string {
  return model === 'demo' ? 'Demo' : model.slice(model.indexOf('/') + 1);
}
