// Configuration, later wins: defaults → the user's → the workspace's → environment → flags. A workspace may tighten, but not
// loosen, until the user has trusted exactly the text it has now.
import { type Limits, type PolicyMode, policyModes, type Rule, ToolError } from '@codelab/protocol';
import {
  digest,
  type LspSettings,
  type RuleSource,
  type SandboxChoice,
  type SchedulerLimits,
} from '@codelab/runtime';
import { type Anchor, anchorsFor } from './anchor.ts';
import type { Config, McpServers } from './config.ts';
import {
  type ConfigPlaces,
  projectFiles,
  readRulesFile,
  readUserFile,
  sparedFaults,
} from './config-files.ts';
import { countHooks, type Hooks, mergedHooks } from './hooks.ts';
import { type ModelConfig, modelsIn } from './model-sources.ts';
import { workspaceConfigPath } from './state-file.ts';
import { readTrust } from './trust.ts';
import { workspaceMode } from './workspace-mode.ts';

export type LoadedConfig = {
  mode: PolicyMode;
  /** The mode of a person's own session (chat, page, `run`): the named one, else the one chosen for the workspace, else balanced. */
  personMode: PolicyMode;
  /** Whether a flag, a variable or a configuration names the mode. */
  isModeNamed: boolean;
  sources: RuleSource[];
  sandbox: SandboxChoice;
  /** Further folders that unasked commands may read; only the user's own file can name them. */
  shows: readonly string[];
  /** Names of variables that commands get besides the usual ones; only the user's own file can add any. */
  environment: readonly string[];
  /** The only hosts that commands reach with the network; only the user's own file names them. */
  hosts: readonly string[];
  /** Whether the chat rings and notifies when an approval is pending; only the user's own file can set this. */
  notifications: boolean;
  /** Whether the operator can open terminals in the page; a workspace can only disable them. */
  hasTerminals: boolean;
  /** Overrides of the limits of every dialect. */
  limits: Partial<Limits>;
  /** How many calls of each kind run concurrently, over all sessions. */
  atOnce: Partial<SchedulerLimits>;
  mcpServers: McpServers;
  lsp: LspSettings;
  /** The user's, then those of a workspace that the user trusts; undefined when there are none. */
  hooks: Hooks | undefined;
  /** The number of the workspace's hooks that don't count before it is trusted. */
  untrustedHooks: number;
  /** Further places for seals of the audit record; only the user can set this. */
  anchors: readonly Anchor[];
  /** MCP servers that the workspace names but that don't count before it is trusted. */
  untrustedMcpServers: readonly string[];
  /** Languages for which the workspace names a server; those don't count before it is trusted. */
  untrustedLanguageServers: readonly string[];
  /** Whether the workspace has a configuration, and whether all of it applies. */
  workspace: 'none' | 'untrusted' | 'trusted';
  /** Faults in settings that calls do not need; those settings are left out. */
  problems: readonly string[];
};

type Places = ConfigPlaces & { mode: PolicyMode | undefined; env: NodeJS.ProcessEnv };

const strictness = (mode: PolicyMode): number => policyModes.length - policyModes.indexOf(mode);

export async function loadConfig({ mode, env, ...places }: Places): Promise<LoadedConfig> {
  const { user, own, text, isTrusted, sources, problems } = readFiles(places);
  const merged = isTrusted ? mergedConfig(user, own) : user;
  const named = mode ?? modeFrom(env);
  return {
    mode: named ?? chooseMode(user.policy?.mode ?? 'strict', own, isTrusted),
    // A person's choice for the folder applies only to a person's own session.
    get personMode() {
      const ofPerson = user.policy?.mode ?? workspaceMode(places.home, places.root) ?? 'balanced';
      return named ?? chooseMode(ofPerson, own, isTrusted);
    },
    isModeNamed: [mode, modeFrom(env), user.policy?.mode, own.policy?.mode].some(
      (source) => source !== undefined,
    ),
    sources,
    sandbox: own.sandbox === 'required' ? 'required' : (merged.sandbox ?? 'auto'),
    shows: user.sandbox_shows ?? [],
    environment: user.environment ?? [],
    hosts: user.network_hosts ?? [],
    notifications: user.notifications ?? true,
    hasTerminals: user.terminal !== false && own.terminal !== false,
    limits: limitsIn(merged),
    atOnce: atOnceFrom(user.limits),
    // A rule of the user about a server means the server they named, so the user's server keeps the name.
    mcpServers: { ...(isTrusted && own.mcp?.servers), ...user.mcp?.servers },
    untrustedMcpServers: isTrusted ? [] : Object.keys(own.mcp?.servers ?? {}),
    lsp: lspIn(user, isTrusted ? own : {}),
    untrustedLanguageServers: isTrusted ? [] : Object.keys(own.lsp?.servers ?? {}),
    // A single call needs none of these: hooks belong to agents, and anchors to seals.
    get hooks() {
      return mergedHooks(user.hooks, isTrusted ? own.hooks : undefined);
    },
    get untrustedHooks() {
      return isTrusted ? 0 : countHooks(own.hooks);
    },
    get anchors() {
      const anchors = user.audit?.anchors;
      return anchors === undefined ? [] : anchorsFor(anchors, places.root);
    },
    workspace: text === undefined ? 'none' : isTrusted ? 'trusted' : 'untrusted',
    problems,
  };
}

/** Merged setting by setting: a workspace that sets one limit leaves the user's others as they are. */
function mergedConfig(user: Config, workspace: Config): Config {
  return {
    ...user,
    ...workspace,
    approval: { ...user.approval, ...workspace.approval },
    limits: { ...user.limits, ...workspace.limits },
  };
}

/** The program that the user names for a language is the one that is started. */
function lspIn(user: Config, workspace: Config): LspSettings {
  const merged = { ...workspace.lsp, ...user.lsp };
  return {
    servers: { ...workspace.lsp?.servers, ...user.lsp?.servers },
    afterEdits: merged.diagnostics_after_edits,
    memoryBytes: toBytes(merged.memory_mb),
    idleMs: toMs(merged.idle_seconds),
    startMs: toMs(merged.start_timeout_seconds),
    answerMs: toMs(merged.answer_timeout_seconds),
  };
}

/** Reads the same files again. A fault in the configuration fails only callers that need a model. */
export function loadModelConfig(places: ConfigPlaces): ModelConfig {
  const { user, workspace } = projectFiles(places);
  const faults = [...user.faults, ...workspace.faults];
  const fault = faults.find(({ section }) => section === 'model' || section === 'providers');
  if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', fault.message);
  return modelsIn(readFiles(places));
}

function limitsIn({ approval, limits = {} }: Config): Partial<Limits> {
  const approvalMs = toMs(approval?.timeout_seconds);
  const named: { [Name in keyof Limits]?: number | undefined } = {
    ...{ approvalMs, attendedApprovalMs: approvalMs },
    runMs: toMs(limits.call_timeout_seconds),
    outputBytes: limits.output_limit_bytes,
    parallel: limits.parallel,
    queued: limits.queued,
    processes: limits.processes,
    memoryBytes: toBytes(limits.memory_mb),
    cpuMs: toMs(limits.cpu_seconds),
    tmpBytes: toBytes(limits.tmp_mb),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** These limits hold for the whole machine, so only the user can set them. */
function atOnceFrom(limits: Config['limits'] = {}): Partial<SchedulerLimits> {
  const { reads, changes, commands } = limits;
  return {
    ...(reads !== undefined && { read: reads }),
    ...(changes !== undefined && { change: changes }),
    ...(commands !== undefined && { command: commands }),
  };
}

/** The user's anchors, for commands that need nothing of a workspace but its ref. */
export function userAnchors(home: string, root?: string): Anchor[] {
  const { config, faults } = readUserFile(home);
  const [fault] = faults.filter(({ section }) => section === 'audit' || section === '');
  if (fault !== undefined) throw new ToolError('INVALID_ARGUMENTS', fault.message);
  return anchorsFor(config.audit?.anchors ?? [], root);
}

// A workspace could otherwise send the record of its sessions, or the user's keys, to itself.
function onlyUsers(name: string): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `${workspaceConfigPath}: \`${name}\` is the user’s own setting. Remove it there, or put it into config.json in the state folder.`,
  );
}

/** The rules of all files now. */
export function loadRules(places: ConfigPlaces): RuleSource[] {
  return readFiles(places).sources;
}

type Files = {
  user: Config;
  own: Config;
  text: string | undefined;
  isTrusted: boolean;
  sources: RuleSource[];
  /** Faults of settings that calls can do without. */
  problems: string[];
};

function readFiles(places: ConfigPlaces): Files {
  const { home, root } = places;
  const { user: mine, workspace: theirs, isTrustable } = projectFiles(places);
  const { config: user } = mine;
  const { config: own, text } = theirs;
  const problems = sparedFaults([...mine.faults, ...theirs.faults]);
  for (const name of ['audit', 'providers'] as const) if (own[name] !== undefined) throw onlyUsers(name);
  const isTrusted = isTrustable && text !== undefined && readTrust(home)[root] === digest(text);
  const keptRules = readRulesFile(home);
  return {
    user,
    own,
    text,
    isTrusted,
    problems,
    sources: [
      { layer: 'user', rules: user.policy?.rules ?? [] },
      { layer: 'user', rules: keptRules.user, isKept: true },
      { layer: 'workspace', rules: tightening(own.policy?.rules ?? [], isTrusted) },
      { layer: 'workspace', rules: keptRules.workspaces[root] ?? [], isKept: true },
    ],
  };
}

function tightening(rules: readonly Rule[], isTrusted: boolean): Rule[] {
  return rules.filter((rule) => isTrusted || rule.effect !== 'allow');
}

function chooseMode(ofUser: PolicyMode, workspace: Config, isTrusted: boolean): PolicyMode {
  const ofWorkspace = workspace.policy?.mode ?? ofUser;
  return isTrusted || strictness(ofWorkspace) > strictness(ofUser) ? ofWorkspace : ofUser;
}

function modeFrom(env: NodeJS.ProcessEnv): PolicyMode | undefined {
  const mode = env.CODELAB_MODE;
  if (mode === undefined || mode === '') return undefined;
  const policyMode = policyModes.find((one) => one === mode);
  if (policyMode !== undefined) return policyMode;
  throw new ToolError('INVALID_ARGUMENTS', `CODELAB_MODE must be one of ${policyModes.join(', ')}.`);
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function toBytes(mebibytes: number | undefined): number | undefined {
  return mebibytes === undefined ? undefined : mebibytes * 1024 * 1024;
}
