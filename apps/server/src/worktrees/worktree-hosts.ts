// The hosts of a gateway: that of the workspace, and one for each worktree with sessions. A worktree's host is created when a session in it
// is opened, after git has confirmed the folder and the leftovers of a killed process were recovered.
import { basename } from 'node:path';
import { type SessionWorktree, ToolError } from '@codelab/protocol';
import {
  type Host,
  type HostAtOptions,
  hostAt,
  isWorktree,
  recover,
  recoverSession,
  Workspace,
} from '@codelab/runtime';
import type { RunningAgents } from '../agent/host-agents.ts';
import { isInProject } from '../config/config-files.ts';
import { emptyFolder } from '../config/state-file.ts';
import { branchOf } from './make-worktree.ts';

/** The parts of a host over a worktree, and the agents of its sessions, which have the hooks of its configuration. */
export type WorktreeParts = { host: HostAtOptions; agents: RunningAgents };

/** `missing`: the worktree is gone; the session can be read, and nothing can be run in it. */
export type OwnWorktree = { path: string; branch: string; missing?: ToolError };

type SessionPlace = {
  host: Host;
  agents: RunningAgents;
  worktree?: OwnWorktree;
  /** Replaces the gateway's own model where no turn can run. */
  openModel?(): Promise<never>;
};

/** The folder of a session, from its header. */
type SessionFolder = { workspace: string; worktree?: SessionWorktree | undefined };

export type SessionPlaces = AsyncDisposable & {
  of(session: string): Promise<SessionPlace>;
  /** Ends calls of processes that are gone. */
  recover(session: string): Promise<void>;
  /** Whether the sessions of a folder belong to this gateway. */
  isHere(folder: string): boolean;
  /** Closes everything open over a worktree. */
  close(path: string): Promise<void>;
};

type Options = HostOptions & {
  headers: { of(session: string): Promise<SessionFolder | undefined> };
  onFault(error: unknown): void;
};

/** At the start, worktrees in which a killed process left calls are opened, since opening one recovers it. */
export function openSessionPlaces(main: Host, { headers, onFault, ...options }: Options): SessionPlaces {
  const hosts = openHosts(main, options);
  const root = main.workspace.root.real;
  const isHere = (folder: string): boolean => isInProject(main.home, root, folder);
  const of = async (session: string): Promise<SessionPlace> =>
    hosts.of((await headers.of(session)) ?? { workspace: root });

  async function recoverAll(): Promise<void> {
    const sessions = (await main.log.sessions()).filter(
      ({ workspace }) => workspace !== root && isHere(workspace),
    );
    for (const { id, workspace } of new Map(sessions.map((summary) => [summary.workspace, summary])).values())
      if ((await main.log.unfinished(workspace)).length > 0) await of(id);
  }

  // Where gateways share sessions, each recovers those that it takes over.
  const recovered = options.isShared ? undefined : recoverAll().catch(onFault);
  return {
    ...{ of, isHere, close: hosts.close },
    recover: async (session) => recoverSession((await of(session)).host, session),
    async [Symbol.asyncDispose]() {
      await recovered;
      await hosts[Symbol.asyncDispose]();
    },
  };
}

type WorktreeHosts = AsyncDisposable & {
  of(session: SessionFolder): Promise<SessionPlace>;
  close(path: string): Promise<void>;
};

type HostOptions = {
  agents: RunningAgents;
  /** Undefined where there are no worktrees. */
  partsOf: ((path: string) => Promise<WorktreeParts>) | undefined;
  onNotice: ((text: string) => void) | undefined;
  /** Several gateways share the sessions, and each recovers those that it takes over. */
  isShared: boolean;
};

const gitMs = 10_000;

function openHosts(main: Host, options: HostOptions): WorktreeHosts {
  const { agents, partsOf, isShared } = options;
  const places = new Map<string, Promise<SessionPlace>>();
  const gone = createGoneHost(main);

  async function open(parts: Promise<WorktreeParts>): Promise<SessionPlace> {
    const { host: hostOptions, agents: ownAgents } = await parts;
    const host = hostAt(main, hostOptions);
    const { notices } = await recover(host, { isShared });
    for (const notice of notices) options.onNotice?.(notice);
    return { host, agents: ownAgents };
  }

  async function close(path: string): Promise<void> {
    const open = places.get(path);
    places.delete(path);
    const place = await open?.catch(() => undefined);
    await place?.host[Symbol.asyncDispose]();
  }

  return {
    async of({ workspace: path, worktree = worktreeAt(main, path) }) {
      if (worktree === undefined) return { host: main, agents };
      if (partsOf === undefined || !(await isThere(main, path))) {
        await close(path);
        const error = missing(worktree.branch);
        const openModel = (): Promise<never> => Promise.reject(error);
        return {
          host: gone.host(),
          agents,
          openModel,
          worktree: { path, branch: worktree.branch, missing: error },
        };
      }
      // The path may have another folder since.
      const before = await places.get(path)?.catch(() => undefined);
      if (before !== undefined && !isSameFolder(before.host)) await close(path);
      const opening = places.get(path) ?? open(partsOf(path));
      places.set(path, opening);
      opening.catch(() => places.delete(path));
      return { ...(await opening), worktree: { path, branch: worktree.branch } };
    },
    close,
    async [Symbol.asyncDispose]() {
      await Promise.all([...places.keys()].map(close));
      gone[Symbol.dispose]();
    },
  };
}

/** A session started in the folder of a worktree, without having been made for it, works there as well. */
function worktreeAt({ home, workspace }: Host, path: string): Pick<SessionWorktree, 'branch'> | undefined {
  const root = workspace.root.real;
  if (path === root || !isInProject(home, root, path)) return undefined;
  return { branch: branchOf(basename(path)) };
}

/** Whether git lists the folder as a worktree, and it is where CodeLab puts the worktrees of this workspace. */
async function isThere({ home, workspace }: Host, path: string): Promise<boolean> {
  const root = workspace.root.real;
  if (path === root || !isInProject(home, root, path)) return false;
  try {
    return await isWorktree({ workspace, signal: AbortSignal.timeout(gitMs) }, path);
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function isSameFolder({ workspace }: Host): boolean {
  try {
    workspace.locate('.', { followLast: true, access: 'read', pathChars: 1 })[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/** A host without files whose tools all say that the worktree is gone. */
function createGoneHost(main: Host): Disposable & { host(): Host } {
  let nowhere: Workspace | undefined;
  return {
    host() {
      nowhere ??= Workspace.open(emptyFolder(main.home));
      const refusing = main.decorated((tool) => ({ ...tool, plan: () => Promise.reject(missing()) }));
      return { ...refusing, workspace: nowhere, foreign: undefined };
    },
    [Symbol.dispose]: () => nowhere?.[Symbol.dispose](),
  };
}

function missing(branch?: string): ToolError {
  const named = branch === undefined ? '' : ` Its branch was ${branch}.`;
  return new ToolError(
    'FILE_NOT_FOUND',
    `The worktree of this session is gone, so nothing can run in it; its conversation stays readable.${named} Start another session.`,
    { reason: 'worktree_missing' },
  );
}
