// The only place where everything is wired: configuration, log, policy, tools and workspace become one host.
import { realpathSync } from 'node:fs';
import {
  type Limits,
  lazily,
  type PolicyMode,
  type Rule,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import {
  catalogue,
  checkRoot,
  createHost,
  createRuleBook,
  type Host,
  type HostAtOptions,
  missingNotices,
  openStateFolder,
  type RuleBook,
  type RuleSource,
  recover,
  type Tool,
} from '@codelab/runtime';
import {
  createRunningAgents,
  createTaskTool,
  narrowedTo,
  profileSource,
  type RunningAgents,
} from './agent/host-agents.ts';
import type { Cluster } from './cluster/cluster.ts';
import { type ConfigPlaces, configPlaces, watchRules } from './config/config-files.ts';
import { type LoadedConfig, loadConfig, loadRules } from './config/load-config.ts';
import { dropRule, keepRule } from './config/rules-file.ts';
import { checkFolderOwner, emptyFolder } from './config/state-file.ts';
import type { NatsAuth } from './log/jetstream/address.ts';
import { openStoredLog, type StoredLog } from './log/open-log.ts';
import type { Sealing } from './log/seals/sealer.ts';
import { openSqliteLog } from './log/sqlite/sqlite-log.ts';
import { createMcpTools } from './mcp/client/mcp-tools.ts';
import type { WorktreeParts } from './worktrees/worktree-hosts.ts';

export type ComposeOptions = {
  workspace: string;
  home: string;
  /** This process has no files: a client runs the calls of every session, and `workspace` is not read. */
  isFileless?: boolean;
  mode?: PolicyMode;
  /** A person uses this process: without a named mode, the one they chose for the workspace applies, else balanced. */
  isForPerson?: boolean;
  /** A session may have its own mode; without this, every session has the mode of the process. */
  hasSessionModes?: boolean;
  /** Every profile sees only these tools, of those it has. */
  allowedTools?: readonly string[] | undefined;
  /** Tools of the embedding program, beside the built-in ones. */
  tools?: readonly Tool[];
  limits?: Partial<Limits>;
  env?: NodeJS.ProcessEnv;
  /** The session log: `sqlite:PATH` or `nats://…`; default: CODELAB_LOG, else a file in the home. */
  log?: string;
  /** How to sign in to NATS; default: CODELAB_NATS_CREDS and similar variables. */
  nats?: NatsAuth;
  /** This process is a gateway: with the log on servers, it shares the sessions with other gateways. */
  isGateway?: boolean;
  /** Wraps the log before the host uses it. */
  watchLog?(log: SessionLog): SessionLog;
  /** Called with a sentence about what was recovered from an earlier process that died, or could not be. */
  onNotice?(text: string): void;
  /** Called when the audit record can't be signed or an anchor can't be written; default: `onNotice`. */
  onAuditProblem?(text: string): void;
  /** The process ends right after this is disposed of. */
  isShortLived?: boolean;
  /** How long a short-lived process lasts (default: a turn). */
  endsAfter?: 'call' | 'turn';
};

export type Composed = AsyncDisposable & {
  host: Host;
  readonly agents: RunningAgents;
  log: StoredLog;
  config: LoadedConfig;
  cluster: Cluster | undefined;
  /** The parts of a host over a worktree of this workspace. */
  worktreeParts(path: string): Promise<WorktreeParts>;
};

export async function compose(options: ComposeOptions): Promise<Composed> {
  const { home, env = process.env } = options;
  checkFolderOwner(home, 'The state folder');
  const folder = realRoot(options.isFileless ? emptyFolder(home) : options.workspace);
  if (!options.isFileless) checkRoot(folder, openStateFolder(home));
  const places = configPlaces(home, folder);
  const { root } = places;
  // Watching starts before the files are read, so that no change is missed.
  const reload = watchRules(places, () => loadRules(places));
  const config = await loadConfig({ ...places, mode: options.mode, env });
  for (const problem of config.problems) options.onNotice?.(problem);
  const log = await openLog(options, { root, env, config });
  const cluster = await joinCluster(options, { log, root: folder });
  const limits = { ...config.limits, ...options.limits };
  const agents = lazily(() => createRunningAgents(config));
  const parts = await folderParts(options, { places, config, cluster, reload });
  const host = createHost({
    ...parts,
    settingsRoot: root,
    home,
    log: options.watchLog?.(log) ?? log,
    tools: (newHost) => [...catalogue, ...(options.tools ?? []), createTaskTool(() => newHost, agents)],
    ...{ limits, atOnce: config.atOnce },
    ...(cluster && { isAlive: cluster.isAlive }),
    ...(options.isShortLived && { endsAfter: options.endsAfter ?? 'turn' }),
  });
  const { notices } = await recover(host, { isShared: cluster !== undefined });
  for (const notice of [...notices, ...missingServers(options, config, folder)]) options.onNotice?.(notice);
  const modeAtStart = host.rules.mode;
  return {
    ...{ host, log, config, cluster },
    get agents() {
      return agents();
    },
    async worktreeParts(path) {
      const { hooks, ...ownParts } = await worktreeParts(options, { home, root, worktree: path }, cluster);
      // A mode that was set for the running gateway applies in its worktrees as well.
      if (host.rules.mode !== modeAtStart) ownParts.host.rules.mode = host.rules.mode;
      return { ...ownParts, agents: { ...agents(), hooks } };
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await cluster?.close();
      if (options.isShortLived) await log.leave();
      else await log.close();
    },
  };
}

/** The parts that belong to the agent's folder: its rules, profiles and foreign tools. */
async function folderParts(
  options: ComposeOptions,
  { places, config, ...keeping }: Omit<Keeping, 'root'> & { places: ConfigPlaces; config: LoadedConfig },
): Promise<HostAtOptions> {
  const { env = process.env } = options;
  const { home, root, worktree: folder = root } = places;
  const servers = config.mcpServers;
  // Programs of others would run on this machine.
  const hasServers = !options.isFileless && Object.keys(servers).length > 0;
  const { sandbox, shows, environment, hosts, lsp } = config;
  const profiles = profileSource({ home, root: folder, isTrusted: config.workspace === 'trusted' });
  return {
    ...{ root: folder, sandbox, shows, environment, hosts, lsp },
    rules: await openRules(options, { config, root, ...keeping }),
    profiles: narrowedTo(options.allowedTools, profiles),
    ...(hasServers && { foreign: createMcpTools({ servers, root: folder, home, env }) }),
  };
}

async function worktreeParts(
  options: ComposeOptions,
  places: ConfigPlaces,
  cluster: Cluster | undefined,
): Promise<{ host: HostAtOptions; hooks: LoadedConfig['hooks'] }> {
  const reload = watchRules(places, () => loadRules(places));
  const config = await loadConfig({ ...places, mode: options.mode, env: options.env ?? process.env });
  return { host: await folderParts(options, { places, config, cluster, reload }), hooks: config.hooks };
}

type Keeping = { cluster: Cluster | undefined; root: string; reload: ReturnType<typeof watchRules> };

async function openRules(
  options: ComposeOptions,
  { config, ...keeping }: Keeping & { config: LoadedConfig },
): Promise<RuleBook> {
  const { sources } = config;
  return createRuleBook({
    mode: options.isForPerson ? config.personMode : config.mode,
    isModeFixed: options.hasSessionModes !== true,
    sources,
    ...(await keptRules(options, { ...keeping, sources })),
  });
}

/** Rules are remembered in the home, or by all gateways that share the sessions. */
async function keptRules(
  { home, isFileless }: ComposeOptions,
  { cluster, root, reload, sources }: Keeping & { sources: readonly RuleSource[] },
): Promise<Pick<Parameters<typeof createRuleBook>[0], 'reload' | 'save' | 'drop'>> {
  const inHome = {
    reload,
    save: (scope: 'user' | 'workspace', rule: Rule) => keepRule(home, { scope, root }, rule),
    drop: (scope: 'user' | 'workspace', id: string) => dropRule(home, { scope, root }, id),
  };
  if (cluster === undefined) return inHome;
  const { openSharedRules } = await import('./config/shared-rules.ts');
  // Without files, the folder is in the home and has no rules.
  const shared = await openSharedRules(cluster.shared, isFileless ? '' : root, { sources, reload });
  return {
    reload: shared.reload,
    save: shared.keep,
    // A rule remembered before may still be in the home's own file.
    drop: async (scope, id) => [await shared.drop(scope, id), await inHome.drop(scope, id)].includes(true),
  };
}

type Place = { root: string; env: NodeJS.ProcessEnv; config: LoadedConfig };

async function openLog(options: ComposeOptions, { root, env, config }: Place): Promise<StoredLog> {
  const { home, nats, log: words = env.CODELAB_LOG } = options;
  const onProblem = options.onAuditProblem ?? options.onNotice;
  const sealing: Sealing = {
    // Read when a seal is written to the anchors.
    get anchors() {
      return config.anchors;
    },
    ...(onProblem && { onProblem }),
  };
  const isDefault = !words && nats === undefined;
  return isDefault
    ? openSqliteLog(home, undefined, sealing)
    : await openStoredLog({ home, words, root, nats, env, sealing });
}

/** A single call reports a missing server itself when it needs one. */
function missingServers(
  { endsAfter, isFileless }: ComposeOptions,
  config: LoadedConfig,
  root: string,
): string[] {
  const isNeeded = endsAfter !== 'call' && !isFileless && Object.keys(config.lsp.servers ?? {}).length > 0;
  return isNeeded ? missingNotices(config.lsp, root) : [];
}

type Shared = { log: StoredLog; root: string };

async function joinCluster(options: ComposeOptions, { log, root }: Shared): Promise<Cluster | undefined> {
  if (!options.isGateway || log.cluster === undefined) return undefined;
  const { openCluster } = await import('./cluster/open-cluster.ts');
  const workspace = options.isFileless ? undefined : root;
  return openCluster(await log.cluster(), { home: options.home, workspace });
}

function realRoot(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch {
    throw new ToolError(
      'FILE_NOT_FOUND',
      `There is no folder ${workspace}. Give the workspace with --workspace DIR.`,
    );
  }
}
