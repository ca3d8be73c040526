// Everything the calls of one workspace share. Made once by whoever composes the program and passed as one object.
import { type DialectName, type Limits, limitProfiles, type Owner, type SessionLog } from '@codelab/protocol';
import type { RuleBook } from '../policy/rule-book.ts';
import { createSupervisor, type Supervisor } from '../process/supervisor.ts';
import { onlyBuild, type ProfileSource } from '../profiles/profile.ts';
import type { SandboxChoice } from '../sandbox/sandbox-choice.ts';
import { type Admissions, createAdmissions } from '../scheduler/admissions.ts';
import {
  createScheduler,
  type Scheduler,
  type SchedulerLimits,
  schedulerLimits,
} from '../scheduler/scheduler.ts';
import { type CommitLock, openCommitLock } from '../workspace/commit-lock.ts';
import { startHeartbeat } from '../workspace/heartbeat.ts';
import { thisProcess } from '../workspace/process-identity.ts';
import { createReadCache, type ReadCache } from '../workspace/read-cache.ts';
import { openStateFolder } from '../workspace/state-folder.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { Tool } from './define-tool.ts';
import { LiveSession } from './live-session.ts';
import { createOwnChanges, type OwnChanges } from './own-changes.ts';
import { createProgress, type Progress } from './progress.ts';
import type { ToolSource } from './tool-source.ts';
import { createUnderWayCalls, type UnderWayCalls } from './under-way.ts';

export type Host = AsyncDisposable & {
  workspace: Workspace;
  home: string;
  tools: ReadonlyMap<string, Tool>;
  foreign: ToolSource | undefined;
  log: SessionLog;
  lock: CommitLock;
  cache: ReadCache;
  admissions: Admissions;
  scheduler: Scheduler;
  ownChanges: OwnChanges;
  rules: RuleBook;
  profiles: ProfileSource;
  progress: Progress;
  underWay: UnderWayCalls;
  processes: Supervisor;
  sandbox: SandboxChoice;
  /** More folders that commands may read which nobody was asked about. */
  shows: readonly string[];
  /** This process as the owner of calls and turns; from the first use on it has a heartbeat. */
  owner(): Owner;
  session(id: string): Promise<LiveSession>;
  /** Lets go of what is known of a session that nobody uses: the log has it. */
  forget(id: string): void;
  limits(dialect: DialectName): Limits;
  /** Work that goes on after its call has ended; closing the host tells it to stop. */
  later(work: Promise<void>): void;
  closing: AbortSignal;
};

export type HostOptions = {
  root: string;
  home: string;
  log: SessionLog;
  tools: readonly Tool[];
  /** Tools that others offer; they end with the host. */
  foreign?: ToolSource;
  rules: RuleBook;
  profiles?: ProfileSource;
  sandbox?: SandboxChoice;
  shows?: readonly string[];
  /** Overrides for every dialect, from the user's own configuration. */
  limits?: Partial<Limits>;
  /** How many calls of each kind run at once, of all sessions together. */
  atOnce?: Partial<SchedulerLimits>;
};

export function createHost(options: HostOptions): Host {
  const { home, log, rules, sandbox = 'auto', shows = [], profiles = onlyBuild } = options;
  const workspace = Workspace.open(options.root, { state: openStateFolder(home) });
  const lock = openCommitLock(home);
  const closing = new AbortController();
  const processes = createSupervisor(home);
  const unfinished = new Set<Promise<void>>();
  let heartbeat: Disposable | undefined;
  const sessions = new Map<string, Promise<LiveSession>>();
  const limits = limitsWith(options.limits);
  return {
    ...{ workspace, home, log, lock, rules, profiles, sandbox, shows },
    tools: new Map(options.tools.map((tool) => [tool.name, tool])),
    foreign: options.foreign,
    cache: createReadCache(),
    progress: createProgress(),
    underWay: createUnderWayCalls(),
    processes,
    admissions: createAdmissions(),
    scheduler: createScheduler(schedulerLimits(limits('codelab').parallel, options.atOnce)),
    ownChanges: createOwnChanges(),
    limits,
    owner() {
      heartbeat ??= startHeartbeat(home, thisProcess());
      return thisProcess();
    },
    session(id) {
      const found = sessions.get(id) ?? LiveSession.open(log, id, workspace.root.real);
      sessions.set(id, found);
      found.catch(() => sessions.delete(id));
      return found;
    },
    forget: (id) => void sessions.delete(id),
    closing: closing.signal,
    later(work) {
      // Its failure must not end the process: the journal it works behind is still there.
      const ended = work.catch(() => undefined).finally(() => unfinished.delete(ended));
      unfinished.add(ended);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await options.foreign?.[Symbol.asyncDispose]();
      await processes[Symbol.asyncDispose]();
      await Promise.all(unfinished);
      heartbeat?.[Symbol.dispose]();
      workspace[Symbol.dispose]();
      lock[Symbol.dispose]();
    },
  };
}

function limitsWith(own: Partial<Limits> | undefined): Host['limits'] {
  const known = new Map<DialectName, Limits>();
  return (dialect) => {
    const found = known.get(dialect) ?? { ...limitProfiles[dialect], ...own };
    known.set(dialect, found);
    return found;
  };
}
