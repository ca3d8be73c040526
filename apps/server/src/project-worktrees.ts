// The worktrees of a workspace for a program without a gateway: starts a session in a new one, lists them, merges and removes them.
import { type Actor, type SessionEvent, type SessionSummary, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { type ComposeOptions, compose } from './compose.ts';
import { isInProject, settingsRoot } from './config/config-files.ts';
import type { WorktreeSessions } from './sessions/gateway.ts';
import { createOwners, createSessionHeaders } from './sessions/session-header.ts';
import { createWorktreeSessions } from './sessions/worktree-sessions.ts';
import type { DropWish, MergeWish, PrintedState } from './worktrees/finish-worktree.ts';
import { openSessionPlaces } from './worktrees/worktree-hosts.ts';

export type { PrintedState };

/** `sessions`: all that work in it, the one it was made for first. `state` is undefined where the folder is gone. */
export type ProjectWorktree = {
  sessions: readonly string[];
  path: string;
  branch: string;
  mergedInto: string | undefined;
  state: PrintedState | undefined;
};

export type ProjectWorktrees = AsyncDisposable & {
  /** Makes the session as well. Returns the folder. */
  begin(session: string, name: string | undefined): Promise<{ path: string; branch: string }>;
  /** The worktrees that were not removed, the latest first. */
  list(): Promise<ProjectWorktree[]>;
  state(session: string): Promise<PrintedState>;
  merge(session: string, options: MergeWish): ReturnType<WorktreeSessions['merge']>;
  drop(session: string, options: DropWish): ReturnType<WorktreeSessions['drop']>;
};

/** `workspace` is a real path: the workspace, or one of its worktrees. */
export async function openProjectWorktrees(options: ComposeOptions, by: Actor): Promise<ProjectWorktrees> {
  const workspace = settingsRoot(options.home, options.workspace);
  const composed = await compose({ ...options, workspace, isShortLived: false });
  const { host, agents, worktreeParts: partsOf } = composed;
  const headers = createSessionHeaders(host.log, async () => undefined);
  const { onNotice } = options;
  const onFault = (error: unknown): void => onNotice?.(error instanceof Error ? error.message : `${error}`);
  const places = openSessionPlaces(host, { headers, agents, partsOf, onNotice, onFault, isShared: false });
  const sessions = createWorktreeSessions({
    ...{ host, places, headers, hasFiles: true },
    owners: createOwners(host, { headers, hasFiles: true, isShared: false }),
    // Sessions are open, and terminals run, in gateways and chats only.
    shared: { close: async () => undefined },
    onDeleted: async () => undefined,
  });
  const peer = { subject: by.who, via: by.via, isOperator: true } as const;
  return {
    async begin(session, name) {
      await sessions.make(session, peer, { name });
      const { workspace: path, worktree } = (await headers.of(session)) ?? {};
      if (path === undefined || worktree === undefined) throw new Error('The session was not recorded.');
      return { path, branch: worktree.branch };
    },
    list: () => listWorktrees(host, sessions),
    state: (session) => sessions.state(session),
    merge: (session, options) => sessions.merge(session, peer, options),
    drop: (session, options) => sessions.drop(session, peer, options),
    async [Symbol.asyncDispose]() {
      await places[Symbol.asyncDispose]();
      await composed[Symbol.asyncDispose]();
    },
  };
}

async function listWorktrees(host: Host, sessions: WorktreeSessions): Promise<ProjectWorktree[]> {
  const { home, log, workspace } = host;
  const root = workspace.root.real;
  const byPath = new Map<string, SessionSummary[]>();
  for (const session of await log.sessions())
    if (session.workspace !== root && isInProject(home, root, session.workspace))
      byPath.set(session.workspace, [...(byPath.get(session.workspace) ?? []), session]);
  const found: (ProjectWorktree & { lastAt: number })[] = [];
  for (const [path, inIt] of byPath) {
    const present = await readPresent(host, inIt);
    if (present === undefined) continue;
    const { ids, events, lastAt } = present;
    const first = events.find(({ body }) => body.type === 'session.opened' && body.worktree !== undefined);
    const { worktree } = (first?.body ?? {}) as { worktree?: { branch: string } };
    // A session started in the folder by hand has no worktree.
    if (first === undefined || worktree === undefined) continue;
    const state = await stateOf(sessions, ids[0] ?? '');
    found.push({
      path,
      branch: worktree.branch,
      sessions: ids,
      mergedInto: mergedInto(events),
      state,
      lastAt,
    });
  }
  return found.toSorted((a, b) => b.lastAt - a.lastAt).map(({ lastAt: _order, ...worktree }) => worktree);
}

type Present = { ids: string[]; events: SessionEvent[]; lastAt: number };

/** The sessions since the folder was last dropped, since a name can be used again. Undefined when there are none. */
async function readPresent({ log }: Host, sessions: readonly SessionSummary[]): Promise<Present | undefined> {
  const read = await Promise.all(
    sessions.map(async (session) => ({ ...session, events: await log.read(session.id) })),
  );
  const drops = read.flatMap(({ events }) => events.filter(({ body }) => body.type === 'worktree.dropped'));
  const droppedAt = Math.max(0, ...drops.map(({ time }) => time));
  const remaining = read
    .filter(({ openedAt, events }) => openedAt >= droppedAt && !events.some((event) => drops.includes(event)))
    .toSorted((a, b) => a.openedAt - b.openedAt);
  if (remaining.length === 0) return undefined;
  return {
    ids: remaining.map(({ id }) => id),
    events: remaining.flatMap(({ events }) => events),
    lastAt: Math.max(...remaining.map(({ lastAt }) => lastAt)),
  };
}

function mergedInto(events: readonly SessionEvent[]): string | undefined {
  const merged = events.findLast(({ body }) => body.type === 'worktree.merged')?.body;
  return merged?.type === 'worktree.merged' ? merged.into : undefined;
}

async function stateOf(sessions: WorktreeSessions, id: string): Promise<PrintedState | undefined> {
  try {
    return await sessions.state(id);
  } catch (error) {
    if (error instanceof ToolError && error.details?.reason === 'worktree_missing') return undefined;
    throw error;
  }
}
