// Everything the calls of one workspace share. The composition root creates it once and passes it as one object; it never changes.

import {
  type DialectName,
  type Limits,
  limitProfiles,
  type Owner,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import type { LanguageServers } from '../lsp/language-servers.ts';
import type { LspSettings } from '../lsp/server/lsp-settings.ts';
import { isAlive, startHeartbeat, thisProcess } from '../platform/system.ts';
import type { RuleBook } from '../policy/rule-book.ts';
import { createSupervisor, type Supervisor } from '../process/supervised/supervisor.ts';
import {
  createScheduler,
  type Scheduler,
  type SchedulerLimits,
  schedulerLimits,
} from '../scheduler/scheduler.ts';
import { decorateSource, type SandboxChoice, type Tool, type ToolSource } from '../tool/define-tool.ts';
import { onlyBuildProfile, type ProfileSource } from '../tool/profile.ts';
import { type CommitLock, openCommitLock } from '../workspace/commit/commit-lock.ts';
import { openStateFolder } from '../workspace/state-folder.ts';
import { createReadCache, type ReadCache } from '../workspace/text-files.ts';
import { Workspace } from '../workspace/workspace.ts';
import {
  type Admissions,
  createAdmissions,
  createBackground,
  createKnownVersions,
  createProgress,
  createRunningCommands,
  type KnownVersions,
  type Progress,
  type RunningCommands,
} from './session/live-calls.ts';
import { LiveSession } from './session/live-session.ts';

export type Host = AsyncDisposable & Readonly<HostParts>;

type HostParts = {
  workspace: Workspace;
  /** The folder whose trust and saved settings apply: the workspace itself, or the one that a worktree was made from. */
  settingsRoot: string;
  home: string;
  tools: ReadonlyMap<string, Tool>;
  foreign: ToolSource | undefined;
  log: SessionLog;
  lock: CommitLock;
  cache: ReadCache;
  admissions: Admissions;
  scheduler: Scheduler;
  versions: KnownVersions;
  rules: RuleBook;
  profiles: ProfileSource;
  progress: Progress;
  commands: RunningCommands;
  /** The processes that commands start; created on first use. */
  processes(): Supervisor;
  lsp: LanguageServers;
  sandbox: SandboxChoice;
  /** Further folders that unasked commands may read. */
  shows: readonly string[];
  /** Names of variables that commands get besides the usual ones. */
  environment: readonly string[];
  /** The only hosts that commands with the network can reach. */
  hosts: readonly string[];
  /** This process as the owner of calls and turns. The first use starts its heartbeat. */
  owner(): Owner;
  /** Whether the process that owns a call or a turn still runs. */
  isAlive(owner: Owner): boolean;
  session(id: string): Promise<LiveSession>;
  /** Drops the state of an unused session from memory; it can be read from the log again. */
  forget(id: string): void;
  limits(dialect: DialectName): Limits;
  /** Work that continues after its call has ended; closing the host aborts it. */
  later(work: Promise<void>): void;
  closing: AbortSignal;
  endsAfter: HostOptions['endsAfter'];
  /** The same host with every tool replaced by the result of `decorate`. Tools that refer to their host get the new one. */
  decorated(decorate: ToolDecorator): Host;
  /** The same host with some parts replaced. Tools that refer to their host get the new one. */
  replaced(parts: ReplacedParts): Host;
};

type ReplacedParts = AsyncDisposable & Partial<Omit<HostParts, 'tools' | 'decorated' | 'replaced'>>;

export type ToolDecorator = (tool: Tool) => Tool;

export type HostOptions = {
  root: string;
  /** Default: the root itself. */
  settingsRoot?: string;
  home: string;
  log: SessionLog;
  /** `host` is complete when a tool is called. */
  tools(host: Host): readonly Tool[];
  /** Foreign tools; they end with the host. */
  foreign?: ToolSource;
  rules: RuleBook;
  profiles?: ProfileSource;
  sandbox?: SandboxChoice;
  shows?: readonly string[];
  environment?: readonly string[];
  hosts?: readonly string[];
  /** The settings of the configuration for language servers. */
  lsp?: LspSettings | undefined;
  /** Overrides for every dialect, from the user's own configuration. */
  limits?: Partial<Limits>;
  /** How many calls of each kind run concurrently, over all sessions. */
  atOnce?: Partial<SchedulerLimits>;
  /** When this process exits, which ends every process started in it. */
  endsAfter?: 'call' | 'turn';
  /** Replaces the process table for processes of other machines: whether their owner is alive. */
  isAlive?(owner: Owner): boolean;
};

export function createHost(options: HostOptions): Host {
  const { home, log, rules, sandbox = 'auto', shows = [], environment = [], hosts = [] } = options;
  const { profiles = onlyBuildProfile } = options;
  const workspace = Workspace.open(options.root, { state: openStateFolder(home) });
  const lock = openCommitLock(home);
  const closing = new AbortController();
  const held = { root: workspace.root.real, home, sandbox, shows, environment };
  const lsp = lazyServers(workspace, held, options.lsp);
  const background = createBackground();
  let heartbeat: Disposable | undefined;
  let supervisor: Supervisor | undefined;
  const limits = limitsWith(options.limits);
  const shared: SharedParts = {
    ...{ workspace, home, log, lock, rules, profiles, lsp, limits },
    settingsRoot: options.settingsRoot ?? workspace.root.real,
    ...{ sandbox, shows, environment, hosts, endsAfter: options.endsAfter },
    cache: createReadCache(),
    progress: createProgress(),
    commands: createRunningCommands(),
    admissions: createAdmissions(),
    scheduler: createScheduler(schedulerLimits(limits('codelab').parallel, options.atOnce)),
    versions: createKnownVersions(),
    processes() {
      // A supervisor created after the host has ended its processes would never be closed.
      if (supervisor === undefined && closing.signal.aborted)
        throw new ToolError('CANCELLED', 'CodeLab is closing.');
      supervisor ??= createSupervisor(home, options.endsAfter);
      return supervisor;
    },
    owner() {
      heartbeat ??= startHeartbeat(home, thisProcess());
      return thisProcess();
    },
    isAlive: (owner) => options.isAlive?.(owner) ?? isAlive(owner, home),
    ...openSessions(log, workspace.root.real),
    closing: closing.signal,
    later: background.add,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await options.foreign?.[Symbol.asyncDispose]();
      await lsp[Symbol.asyncDispose]();
      await supervisor?.[Symbol.asyncDispose]();
      await background.ended();
      heartbeat?.[Symbol.dispose]();
      workspace[Symbol.dispose]();
      lock[Symbol.dispose]();
    },
  };
  return withTools(shared, options, []);
}

/** Opens each session once; a session that could not be opened is tried again. */
function openSessions(log: SessionLog, root: string): Pick<SharedParts, 'session' | 'forget'> {
  const sessions = new Map<string, Promise<LiveSession>>();
  return {
    session(id) {
      const known = sessions.get(id);
      if (known !== undefined) return known;
      const session = LiveSession.open(log, id, root);
      sessions.set(id, session);
      session.catch(() => sessions.delete(id));
      return session;
    },
    forget: (id) => void sessions.delete(id),
  };
}

type Held = { root: string; home: string; sandbox: SandboxChoice } & Pick<HostParts, 'shows' | 'environment'>;

/** Loads the language server modules at the first question. */
export function lazyServers(workspace: Workspace, held: Held, settings: LspSettings = {}): LanguageServers {
  let opening: ReturnType<typeof open> | undefined;
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  const open = async () => {
    const { openServers } = await import('../lsp/language-servers.ts');
    const { sandboxReader } = await import('../sandbox/sandbox-reader.ts');
    return await openServers({
      ...{ workspace, home: held.home, settings },
      hold: (program) => sandboxReader(program, held),
    });
  };
  return {
    settings,
    tellsAfterEdits: settings.afterEdits ?? true,
    answerMs: settings.answerMs ?? 10_000,
    async pool() {
      opening ??= open();
      opened = await opening;
      return opened.pool;
    },
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      await (await opening)?.pool[Symbol.asyncDispose]();
    },
  };
}

type SharedParts = Omit<Host, 'tools' | 'foreign' | 'decorated' | 'replaced'>;

function withTools(
  shared: SharedParts,
  options: Pick<HostOptions, 'tools' | 'foreign'>,
  decorators: readonly ToolDecorator[],
): Host {
  const decorate = (tool: Tool): Tool => decorators.reduce((inner, outer) => outer(inner), tool);
  const tools = new Map<string, Tool>();
  const host: Host = {
    ...shared,
    tools,
    foreign: options.foreign && decorateSource(options.foreign, decorate),
    decorated: (next) => withTools(shared, options, [...decorators, next]),
    replaced: ({ foreign, ...parts }) =>
      withTools({ ...shared, ...parts }, { tools: options.tools, ...(foreign && { foreign }) }, decorators),
  };
  for (const tool of options.tools(host)) tools.set(tool.name, decorate(tool));
  return host;
}

function limitsWith(overrides: Partial<Limits> | undefined): Host['limits'] {
  const limitsByDialect = new Map<DialectName, Limits>();
  return (dialect) => {
    const limits = limitsByDialect.get(dialect) ?? { ...limitProfiles[dialect], ...overrides };
    limitsByDialect.set(dialect, limits);
    return limits;
  };
}
