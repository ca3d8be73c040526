// The only place where everything is wired: configuration, log, policy, tools and workspace become one host.
import { realpathSync } from 'node:fs';
import type { Limits } from '@codelab/protocol';
import { ToolError } from '@codelab/protocol';
import { catalogue, createHost, createRuleBook, type Host, type PolicyMode, recover } from '@codelab/runtime';
import { profileSource } from './agent/profile-source.ts';
import { createTaskTool } from './agent/task-tool.ts';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { keepRule } from './config/rules-file.ts';
import { openSqliteLog, type SqliteLog } from './log/sqlite-log.ts';
import { createMcpTools } from './mcp-client/mcp-tools.ts';

export type ComposeOptions = {
  workspace: string;
  home: string;
  mode?: PolicyMode;
  limits?: Partial<Limits>;
  env?: NodeJS.ProcessEnv;
  /** The process ends right after this is disposed of. */
  isShortLived?: boolean;
};

export type Composed = AsyncDisposable & { host: Host; log: SqliteLog; config: LoadedConfig };

export async function compose(options: ComposeOptions): Promise<Composed> {
  const { home, env = process.env } = options;
  const root = realRoot(options.workspace);
  const config = await loadConfig({ home, root, mode: options.mode, env });
  const log = openSqliteLog(home);
  const rules = createRuleBook({
    mode: config.mode,
    sources: config.sources,
    save: (scope, rule) => keepRule(home, { scope, root }, rule),
  });
  const limits = { ...fromConfig(config), ...options.limits };
  const { sandbox } = config;
  const profiles = profileSource({ home, root, isTrusted: config.workspace === 'trusted' });
  const servers = config.mcpServers;
  const hasServers = Object.keys(servers).length > 0;
  const host: Host = createHost({
    root,
    home,
    log,
    tools: [...catalogue, createTaskTool(() => host)],
    ...(hasServers && { foreign: createMcpTools({ servers, root, home, env }) }),
    rules,
    profiles,
    limits,
    sandbox,
  });
  await recover(host);
  return {
    host,
    log,
    config,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      if (options.isShortLived) log.leave();
      else await log.close();
    },
  };
}

function fromConfig({ approvalMs, runMs, parallel }: LoadedConfig): Partial<Limits> {
  return {
    ...(approvalMs === undefined ? {} : { approvalMs }),
    ...(runMs === undefined ? {} : { runMs }),
    ...(parallel === undefined ? {} : { parallel }),
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
