// Configuration, later wins: defaults → the user's → the workspace's → environment → flags. A workspace may tighten, but not
// loosen, until the user has trusted exactly the text it has now.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Rule, ToolError } from '@codelab/protocol';
import {
  digest,
  type PolicyMode,
  type RuleSource,
  readWorkspaceText,
  type SandboxChoice,
} from '@codelab/runtime';
import { Config } from './config.ts';
import type { McpServers } from './mcp-server.ts';
import { parseJsonc, readJsonc } from './read-jsonc.ts';
import { readRulesFile } from './rules-file.ts';
import { readTrust } from './trust-file.ts';

export const workspaceConfigPath = '.codelab/config.json';

export type LoadedConfig = {
  mode: PolicyMode;
  sources: RuleSource[];
  sandbox: SandboxChoice;
  /** More folders that commands may read which nobody was asked about; only the user's own file names them. */
  shows: readonly string[];
  approvalMs: number | undefined;
  runMs: number | undefined;
  parallel: number | undefined;
  /** What a command may take that nobody was asked about. */
  processes: number | undefined;
  memoryBytes: number | undefined;
  cpuMs: number | undefined;
  mcpServers: McpServers;
  /** MCP servers that the workspace names but that don't count before it is trusted. */
  untrustedMcpServers: readonly string[];
  /** Whether the workspace has a configuration, and whether it counts in full. */
  workspace: 'none' | 'untrusted' | 'trusted';
};

type Places = { home: string; root: string; mode: PolicyMode | undefined; env: NodeJS.ProcessEnv };

const strictness: Record<PolicyMode, number> = { trusted: 0, balanced: 1, strict: 2 };

export async function loadConfig({ home, root, mode, env }: Places): Promise<LoadedConfig> {
  const userFile = join(home, 'config.json');
  const user = existsSync(userFile) ? await check(readJsonc(userFile), userFile) : {};
  const text = readWorkspaceText(root, workspaceConfigPath);
  const own =
    text === undefined ? {} : await check(parseJsonc(text, workspaceConfigPath), workspaceConfigPath);
  const isTrusted = text !== undefined && readTrust(home)[root] === digest(text);
  const kept = readRulesFile(home);
  const merged = isTrusted ? { ...user, ...own } : user;
  return {
    mode: mode ?? modeFrom(env) ?? chooseMode(user, own, isTrusted),
    sources: [
      { layer: 'user', rules: user.policy?.rules ?? [] },
      { layer: 'user', rules: kept.user, isKept: true },
      { layer: 'workspace', rules: tightening(own.policy?.rules ?? [], isTrusted) },
      { layer: 'workspace', rules: kept.workspaces[root] ?? [], isKept: true },
    ],
    sandbox: own.sandbox === 'required' ? 'required' : (merged.sandbox ?? 'auto'),
    shows: user.sandbox_shows ?? [],
    approvalMs: toMs(merged.approval?.timeout_seconds),
    runMs: toMs(merged.limits?.call_timeout_seconds),
    parallel: merged.limits?.parallel,
    processes: merged.limits?.processes,
    memoryBytes: toBytes(merged.limits?.memory_mb),
    cpuMs: toMs(merged.limits?.cpu_seconds),
    // A rule of the user's about a server is about the one they named, so that one keeps the name.
    mcpServers: { ...(isTrusted && own.mcp?.servers), ...user.mcp?.servers },
    untrustedMcpServers: isTrusted ? [] : Object.keys(own.mcp?.servers ?? {}),
    workspace: text === undefined ? 'none' : isTrusted ? 'trusted' : 'untrusted',
  };
}

function tightening(rules: readonly Rule[], isTrusted: boolean): Rule[] {
  return rules.filter((rule) => isTrusted || rule.effect !== 'allow');
}

function chooseMode(user: Config, own: Config, isTrusted: boolean): PolicyMode {
  const ofUser = user.policy?.mode ?? 'strict';
  const ofWorkspace = own.policy?.mode ?? ofUser;
  return isTrusted || strictness[ofWorkspace] > strictness[ofUser] ? ofWorkspace : ofUser;
}

function modeFrom(env: NodeJS.ProcessEnv): PolicyMode | undefined {
  const mode = env.CODELAB_MODE;
  if (mode === undefined || mode === '') return undefined;
  if (mode === 'strict' || mode === 'balanced' || mode === 'trusted') return mode;
  throw new ToolError('INVALID_ARGUMENTS', 'CODELAB_MODE must be strict, balanced or trusted.');
}

async function check(value: unknown, file: string): Promise<Config> {
  const parsed = Config().safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `${file}: \`${issue?.path.map(String).join('.')}\`: ${issue?.message}`,
  );
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function toBytes(mebibytes: number | undefined): number | undefined {
  return mebibytes === undefined ? undefined : mebibytes * 1024 * 1024;
}
