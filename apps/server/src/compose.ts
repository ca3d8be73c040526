// The only place where everything is wired: configuration, log, policy, tools and workspace become one host.
import { realpathSync } from 'node:fs';
import type { Limits, PolicyMode, SessionLog } from '@codelab/protocol';
import { ToolError } from '@codelab/protocol';
import {
  catalogue,
  checkRoot,
  createHost,
  createRuleBook,
  type Host,
  openStateFolder,
  recover,
} from '@codelab/runtime';
import { narrowedTo, profileSource } from './agent/profile-source.ts';
import { createRunningAgents, type RunningAgents } from './agent/running-agents.ts';
import { createTaskTool } from './agent/task-tool.ts';
import { type LoadedConfig, loadConfig, loadRules } from './config/load-config.ts';
import { dropRule, keepRule, watchRules } from './config/rules-file.ts';
import { checkOwner, emptyFolder } from './config/state-file.ts';
import { logFile } from './log/open-database.ts';
import { openSqliteLog, type SqliteLog } from './log/sqlite-log.ts';
import { createMcpTools } from './mcp/client/mcp-tools.ts';

export type ComposeOptions = {
  workspace: string;
  home: string;
  /** There are no files here: every session is carried out by a client, and `workspace` is not looked at. */
  isFileless?: boolean;
  mode?: PolicyMode;
  /** Every profile sees only these tools, of those it has. */
  allowedTools?: readonly string[] | undefined;
  limits?: Partial<Limits>;
  env?: NodeJS.ProcessEnv;
  /** Where the session log is, such as `sqlite:PATH`; without it CODELAB_LOG says, else it is in the home. */
  log?: string;
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
  agents: RunningAgents;
  log: SqliteLog;
  config: LoadedConfig;
};

export async function compose(options: ComposeOptions): Promise<Composed> {
  const { home, env = process.env } = options;
  checkOwner(home, 'The state folder');
  const root = realRoot(options.isFileless ? emptyFolder(home) : options.workspace);
  if (!options.isFileless) checkRoot(root, openStateFolder(home));
  // Begun before the files are read, so that no change of them is missed.
  const reload = watchRules({ home, root }, () => loadRules({ home, root }));
  const config = await loadConfig({ home, root, mode: options.mode, env });
  for (const problem of config.problems) options.onNotice?.(problem);
  const onProblem = options.onAuditProblem ?? options.onNotice;
  const log = openSqliteLog(home, logFile(options.log ?? env.CODELAB_LOG, root), {
    anchors: config.anchors,
    ...(onProblem && { onProblem }),
  });
  const rules = createRuleBook({
    mode: config.mode,
    sources: config.sources,
    reload,
    save: (scope, rule) => keepRule(home, { scope, root }, rule),
    drop: (scope, id) => dropRule(home, { scope, root }, id),
  });
  const limits = { ...fromConfig(config), ...options.limits };
  const { sandbox, shows } = config;
  const all = profileSource({ home, root, isTrusted: config.workspace === 'trusted' });
  const profiles = options.allowedTools === undefined ? all : narrowedTo(options.allowedTools, all);
  const servers = config.mcpServers;
  // Programs of others would run on this machine.
  const hasServers = !options.isFileless && Object.keys(servers).length > 0;
  const agents = createRunningAgents(config.hooks);
  const host = createHost({
    root,
    home,
    log: options.watchLog?.(log) ?? log,
    tools: (own) => [...catalogue, createTaskTool(() => own, agents)],
    ...(hasServers && { foreign: createMcpTools({ servers, root, home, env }) }),
    rules,
    profiles,
    limits,
    atOnce: config.atOnce,
    sandbox,
    shows,
    ...(options.isShortLived && { endsAfter: options.endsAfter ?? 'turn' }),
  });
  const { notices } = await recover(host);
  for (const notice of notices) options.onNotice?.(notice);
  return {
    host,
    agents,
    log,
    config,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      if (options.isShortLived) await log.leave();
      else await log.close();
    },
  };
}

function fromConfig(config: LoadedConfig): Partial<Limits> {
  const { approvalMs, runMs, outputBytes, parallel, queued, processes, memoryBytes, cpuMs } = config;
  return {
    ...(approvalMs === undefined ? {} : { approvalMs }),
    ...(runMs === undefined ? {} : { runMs }),
    ...(outputBytes === undefined ? {} : { outputBytes }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(queued === undefined ? {} : { queued }),
    ...(processes === undefined ? {} : { processes }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
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
