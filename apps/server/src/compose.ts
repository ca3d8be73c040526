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
  missingNotices,
  openStateFolder,
  type ProfileSource,
  type RuleBook,
  type RuleSource,
  recover,
  type Tool,
} from '@codelab/runtime';
import { narrowedTo, profileSource } from './agent/agent-profile.ts';
import { createRunningAgents, type RunningAgents } from './agent/running-agents.ts';
import { createTaskTool } from './agent/task-tool.ts';
import type { Cluster } from './cluster/cluster.ts';
import { type LoadedConfig, loadConfig, loadRules } from './config/load-config.ts';
import { dropRule, keepRule, watchRules } from './config/rules-file.ts';
import { checkFolderOwner, emptyFolder } from './config/state-file.ts';
import type { NatsAuth } from './log/jetstream/address.ts';
import { openStoredLog, type StoredLog } from './log/open-log.ts';
import type { Sealing } from './log/seals/sealer.ts';
import { createMcpTools } from './mcp/client/mcp-tools.ts';

export type ComposeOptions = {
  workspace: string;
  home: string;
  /** There are no files here: every session is carried out by a client, and `workspace` is not looked at. */
  isFileless?: boolean;
  mode?: PolicyMode;
  /** A person sits at it: where no mode is named, the one they chose for the workspace holds, else balanced. */
  isForPerson?: boolean;
  /** A session may have a mode of its own; without it, every session has the mode of this process. */
  hasSessionModes?: boolean;
  /** Every profile sees only these tools, of those it has. */
  allowedTools?: readonly string[] | undefined;
  /** Tools of the embedding program, beside the built-in ones. */
  tools?: readonly Tool[];
  limits?: Partial<Limits>;
  env?: NodeJS.ProcessEnv;
  /** Where the session log is: `sqlite:PATH` or `nats://…`; without it CODELAB_LOG says, else it is in the home. */
  log?: string;
  /** How to sign in where it is on NATS; without it CODELAB_NATS_CREDS and the like say. */
  nats?: NatsAuth;
  /** A gateway: where servers keep the log, it shares the sessions with others over it. */
  isGateway?: boolean;
  /** Stands between the host and its log. */
  watchLog?(log: SessionLog): SessionLog;
  /** Told in a sentence what was recovered from an earlier process that died, and what could not be. */
  onNotice?(text: string): void;
  /** Told when the audit record can't be signed or an anchor not written; `onNotice` is, without it. */
  onAuditProblem?(text: string): void;
  /** The process ends right after this is disposed of. */
  isShortLived?: boolean;
  /** How long a short-lived process goes on (default: a turn). */
  endsAfter?: 'call' | 'turn';
};

export type Composed = AsyncDisposable & {
  host: Host;
  readonly agents: RunningAgents;
  log: StoredLog;
  config: LoadedConfig;
  cluster: Cluster | undefined;
};

export async function compose(options: ComposeOptions): Promise<Composed> {
  const { home, env = process.env } = options;
  checkFolderOwner(home, 'The state folder');
  const root = realRoot(options.isFileless ? emptyFolder(home) : options.workspace);
  if (!options.isFileless) checkRoot(root, openStateFolder(home));
  // Begun before the files are read, so that no change of them is missed.
  const reload = watchRules({ home, root }, () => loadRules({ home, root }));
  const config = await loadConfig({ home, root, mode: options.mode, env });
  for (const problem of config.problems) options.onNotice?.(problem);
  const log = await openLog(options, { root, env, config });
  const cluster = await joinCluster(options, { log, root });
  const rules = await openRules(options, { config, cluster, root, reload });
  const limits = { ...fromConfig(config), ...options.limits };
  const { sandbox, shows, environment, hosts } = config;
  const servers = config.mcpServers;
  // Programs of others would run on this machine.
  const hasServers = !options.isFileless && Object.keys(servers).length > 0;
  const agents = lazily(() => createRunningAgents(config));
  const host = createHost({
    root,
    home,
    log: options.watchLog?.(log) ?? log,
    tools: (own) => [...catalogue, ...(options.tools ?? []), createTaskTool(() => own, agents)],
    ...(hasServers && { foreign: createMcpTools({ servers, root, home, env }) }),
    ...{ rules, limits, atOnce: config.atOnce },
    profiles: profilesFor(options, { root, config }),
    ...{ sandbox, shows, environment, hosts, lsp: config.lsp },
    ...(cluster && { isAlive: cluster.isAlive }),
    ...(options.isShortLived && { endsAfter: options.endsAfter ?? 'turn' }),
  });
  const { notices } = await recover(host, { isShared: cluster !== undefined });
  for (const notice of [...notices, ...missingServers(options, config, root)]) options.onNotice?.(notice);
  return {
    ...{ host, log, config, cluster },
    get agents() {
      return agents();
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await cluster?.close();
      if (options.isShortLived) await log.leave();
      else await log.close();
    },
  };
}

function profilesFor(
  { home, allowedTools }: ComposeOptions,
  { root, config }: Pick<Place, 'root' | 'config'>,
): ProfileSource {
  const all = profileSource({ home, root, isTrusted: config.workspace === 'trusted' });
  return allowedTools === undefined ? all : narrowedTo(allowedTools, all);
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

/** Remembered in the home, or by all gateways that share the sessions. */
async function keptRules(
  { home, isFileless }: ComposeOptions,
  { cluster, root, reload, sources }: Keeping & { sources: readonly RuleSource[] },
): Promise<Pick<Parameters<typeof createRuleBook>[0], 'reload' | 'save' | 'drop'>> {
  const own = {
    reload,
    save: (scope: 'user' | 'workspace', rule: Rule) => keepRule(home, { scope, root }, rule),
    drop: (scope: 'user' | 'workspace', id: string) => dropRule(home, { scope, root }, id),
  };
  if (cluster === undefined) return own;
  const { openSharedRules } = await import('./config/shared-rules.ts');
  // Without files, the folder is one of the home and says nothing.
  const shared = await openSharedRules(cluster.shared, isFileless ? '' : root, { sources, reload });
  return {
    reload: shared.reload,
    save: shared.keep,
    // One of before may still stand in the home's own file.
    drop: async (scope, id) => [await shared.drop(scope, id), await own.drop(scope, id)].includes(true),
  };
}

type Place = { root: string; env: NodeJS.ProcessEnv; config: LoadedConfig };

function openLog(options: ComposeOptions, { root, env, config }: Place): Promise<StoredLog> {
  const { home, nats, log: words = env.CODELAB_LOG } = options;
  const onProblem = options.onAuditProblem ?? options.onNotice;
  const sealing: Sealing = {
    // Asked for when a seal is told to them.
    get anchors() {
      return config.anchors;
    },
    ...(onProblem && { onProblem }),
  };
  return openStoredLog({ home, words, root, nats, env, sealing });
}

/** A single call says it itself when it needs one. */
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

function fromConfig(config: LoadedConfig): Partial<Limits> {
  const { approvalMs, runMs, outputBytes, parallel, queued, processes, memoryBytes, cpuMs, tmpBytes } =
    config;
  return {
    ...(approvalMs === undefined ? {} : { approvalMs, attendedApprovalMs: approvalMs }),
    ...(runMs === undefined ? {} : { runMs }),
    ...(outputBytes === undefined ? {} : { outputBytes }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(queued === undefined ? {} : { queued }),
    ...(processes === undefined ? {} : { processes }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
    ...(tmpBytes === undefined ? {} : { tmpBytes }),
  };
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
