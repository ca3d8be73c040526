// Settings of the gateway for a screen: the model, keys that go in and never out, and how much runs unasked.
import { type Settings, settingRoutes } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import { type Host, sandboxHere } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { route } from '../route.ts';
import { createModelList } from '../settings/list-models.ts';
import { keyVariables, type ModelSettings, urlVariables } from '../settings/model-settings.ts';

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
    if (!peer.isOperator)
      throw new ToolError('PERMISSION_DENIED', 'Only the operator of this gateway may change its settings.');
    if (Object.keys(wanted).length > 0) await settings.change(wanted);
    if (mode !== undefined) host.rules.mode = mode;
    return await view(peer);
  });

  route(app, settingRoutes.models, async () => {
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
): Promise<Settings> {
  const limits = host.limits('codelab');
  const isSet = <Name extends string>(variables: Record<Name, string>): Record<Name, boolean> =>
    Object.fromEntries(
      Object.entries<string>(variables).map(([name, variable]) => [name, Boolean(env[variable])]),
    ) as Record<Name, boolean>;
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
