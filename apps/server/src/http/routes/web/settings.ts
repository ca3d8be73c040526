// Settings of the gateway for a screen: the model, keys that go in and never out, and how much runs unasked.
import { allProviders, type ModelSources, priceOf } from '@codelab/agent';
import { type GatewaySettings, settingRoutes } from '@codelab/api';
import { type PolicyMode, ToolError } from '@codelab/protocol';
import { type Host, sandboxHere } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { rootInstructions } from '../../../agent/context/instructions.ts';
import { setInstructionTrust } from '../../../config/trust.ts';
import { setWorkspaceMode, workspaceMode } from '../../../config/workspace-mode.ts';
import type { Gateway, Peer } from '../../../sessions/gateway.ts';
import { serveRoute } from '../../route.ts';
import { createModelList, tryProvider } from '../../settings/list-models.ts';
import type { ModelSettings } from '../../settings/model-settings.ts';

export type SettingsOptions = { settings: ModelSettings; isModeNamed: boolean; version?: string };

export function serveSettings(
  app: FastifyInstance,
  { host }: Gateway,
  { settings, version, ...options }: SettingsOptions,
): void {
  const models = createModelList();
  let { isModeNamed } = options;
  const view = async (peer: Peer): Promise<GatewaySettings> => ({
    ...(await describe(host, settings, { peer, version })),
    ...modeOfNew(host, isModeNamed),
    ...(peer.isOperator === true && (await instructionsOf(host))),
  });

  serveRoute(app, settingRoutes.get, ({ peer }) => view(peer));

  serveRoute(app, settingRoutes.update, async ({ peer, body }) => {
    const { mode, workspace_mode: newSessionMode, instruction_trust: trust, ...modelChange } = body;
    checkOperator(peer);
    if (Object.keys(modelChange).length > 0) await settings.change(modelChange);
    if (newSessionMode !== undefined)
      await setWorkspaceMode(host.home, host.workspace.root.real, newSessionMode ?? undefined);
    if (trust !== undefined)
      await setInstructionTrust(host.home, host.workspace.root.real, trust ?? undefined);
    if (mode !== undefined) {
      host.rules.mode = mode;
      isModeNamed = true;
    }
    return await view(peer);
  });

  serveRoute(app, settingRoutes.models, async () => {
    const found = await models.list(settings.sources());
    const current = settings.model() ?? '';
    const isListed = current === '' || found.some(({ name }) => name === current);
    return { models: isListed ? found : [{ name: current, label: labelOf(current) }, ...found], current };
  });

  serveRoute(app, settingRoutes.providers, async () => ({
    providers: await models.providers(settings.sources()),
  }));

  // A key is sent to an address that the caller names: not for everybody to say.
  serveRoute(app, settingRoutes.tryProvider, async ({ peer, body }) => {
    checkOperator(peer);
    return await tryProvider(body, settings.sources());
  });
}

function checkOperator(peer: Peer): void {
  if (!peer.isOperator)
    throw new ToolError('PERMISSION_DENIED', 'Only the operator of this gateway may change its settings.');
}

type ModeOfNew = Pick<GatewaySettings, 'new_session_mode' | 'mode_from'>;

/** The mode of a new session: named at the start, chosen for the workspace, or `balanced`. */
function modeOfNew({ rules, home, workspace }: Host, isNamed: boolean): ModeOfNew {
  if (isNamed) return { new_session_mode: rules.mode, mode_from: 'named' };
  const chosenMode: PolicyMode | undefined = workspaceMode(home, workspace.root.real);
  return {
    new_session_mode: chosenMode ?? 'balanced',
    mode_from: chosenMode === undefined ? 'default' : 'chosen',
  };
}

async function instructionsOf({ home, workspace }: Host): Promise<Pick<GatewaySettings, 'instructions'>> {
  const { files, untrusted, trust = 'undecided' } = await rootInstructions(home, workspace.root.real);
  const used = files.filter(({ from }) => from !== 'user').map(({ path }) => path);
  return used.length + untrusted.length === 0
    ? {}
    : { instructions: { trust, files: used, held: [...untrusted] } };
}

async function describe(
  host: Host,
  settings: ModelSettings,
  { peer, version }: { peer: Peer; version: string | undefined },
): Promise<Omit<GatewaySettings, keyof ModeOfNew | 'instructions'>> {
  const limits = host.limits('codelab');
  const model = settings.model() ?? '';
  const sources = settings.sources();
  const { keys, addresses } = setProviders(sources);
  const price = priceOf(model, sources);
  return {
    model,
    model_label: labelOf(model),
    is_demo: model === 'demo',
    price: price ? { input: price.price.input, output: price.price.output, is_own: price.isOwn } : null,
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
  own: configured = {},
}: ModelSources): Record<'keys' | 'addresses', Record<string, boolean>> {
  const rows = allProviders({ own: configured });
  const has = (variables: readonly string[]): boolean => variables.some((name) => env[name]?.trim());
  return {
    keys: Object.fromEntries(
      rows
        .filter((provider) => !provider.isLocal)
        .map(({ name, keys }) => [name, configured[name]?.key !== undefined || has(keys)]),
    ),
    addresses: Object.fromEntries(
      rows.map(({ name, urls }) => [name, configured[name]?.base_url !== undefined || has(urls)]),
    ),
  };
}

function labelOf(model: string): string {
  return model === 'demo' ? 'Demo' : model.slice(model.indexOf('/') + 1);
}
