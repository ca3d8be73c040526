// The gateway over one composed host: sessions with their owners, opened once and shared by all who may.
import { chooseModel, noModelChosen, openModel as openNamedModel } from '@codelab/agent';
import { lazily, type SessionSummary, ToolError } from '@codelab/protocol';
import type { Host, ToolDecorator } from '@codelab/runtime';
import type { RunningAgents } from '../agent/host-agents.ts';
import { forgetPartialReply } from '../agent/turn-log.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isInProject } from '../config/config-files.ts';
import { openClientSessions } from '../executors/client-sessions.ts';
import { awaitOrphanedJobs } from '../executors/executors.ts';
import { openSessionPlaces, type WorktreeParts } from '../worktrees/worktree-hosts.ts';
import { forkSession } from './fork-session.ts';
import type { Gateway, Peer, SharedSession } from './gateway.ts';
import { adoptSessions, createSharedSessions } from './open-sessions.ts';
import { forgetScreen } from './screen-state.ts';
import {
  type Admission,
  createOwners,
  createSessionHeaders,
  type Owners,
  type SessionHeaders,
} from './session-header.ts';
import { markSession } from './session-marks.ts';
import { exceptMoved, type Following, followLog, inCluster } from './shared-log.ts';
import { type OpenSession, openSharedSession } from './shared-session.ts';
import { createWorktreeSessions } from './worktree-sessions.ts';

type GatewayOptions = {
  host: Host;
  agents: RunningAgents;
  env: NodeJS.ProcessEnv;
  openModel?: Gateway['openModel'];
  onFault?(error: unknown): void;
  /** Wraps every tool of the host, to measure it. */
  watchTool?: ToolDecorator;
  /** How long an unused session stays open. */
  idleMs?: number;
  /** False when the gateway has no files: a client runs the calls of every session. */
  hasFiles?: boolean;
  /** Called when a session was deleted, by any process. */
  onDeleted?(id: string): Promise<void>;
  /** The parts of a host over a worktree; without it, sessions in worktrees are read-only. */
  worktreeParts?(path: string): Promise<WorktreeParts>;
  onNotice?(text: string): void;
  /** Other gateways over the same log, and the sessions that this one serves. */
  cluster?: Cluster | undefined;
};

const defaultIdleMs = 15_000;

export function openGateway({ host: baseHost, cluster, ...options }: GatewayOptions): Gateway {
  const { agents, env, hasFiles = true, idleMs = defaultIdleMs, openModel = byEnvironment(env) } = options;
  const { onDeleted = async () => undefined, worktreeParts: partsOf, onNotice } = options;
  // Another process may delete a session, and even create one of the same name.
  const headers = createSessionHeaders(baseHost.log, async (id, now) => {
    if (now === undefined) owners.forget(id);
    await shared.close(id);
    if (now === undefined) await onDeleted(id);
  });
  const isShared = cluster !== undefined;
  const owners = createOwners(baseHost, { headers, hasFiles, isShared });
  const { clientOf } = owners;
  const onFault = exceptMoved(options.onFault);
  const clientSessions = openClientSessions(baseHost, { clientOf, watchTool: options.watchTool });
  const { executors, local: host } = clientSessions;
  const orphaned = awaitOrphanedJobs(clientSessions, { onFault, isShared });
  orphaned.ready.catch(onFault);

  const places = openSessionPlaces(host, { headers, agents, partsOf, onNotice, onFault, isShared });
  const { recover, isHere } = places;
  const { take, forget, follow } = inCluster(cluster, { headers, host, recover, orphaned, onFault });

  const parts = { agents, openModel, onFault, clientOf, clientSessions, orphaned, places, take };
  const share = (id: string): Promise<OpenSession> => takeAndOpen(parts, id);
  const shared = createSharedSessions({ share, forget, onFault, idleMs });
  const following = followLog(host, { onFault, ...keepingUp(headers, shared) });
  const adopting = adoptSessions(host, { open: shared.open, onFault, isHere });
  follow(shared, adopting);

  async function open(typed: string, by: Peer, how: Admission): Promise<SharedSession> {
    const id = how.mustExist ? await wholeId(typed, by, { host, owners }) : typed;
    // The gateway that serves the session checks its owner.
    cluster?.refuseElsewhere(id);
    await owners.admit(id, by, how);
    return await shared.open(id);
  }

  return {
    ...{ host, hasFiles, executors, openModel },
    session: (id, by, how = {}) => open(id, by, how),
    ownerElsewhere: (id) => cluster?.ownerElsewhere(id),
    opened: async (id) => await shared.opened(id),
    fork: async (id, by, how = {}) =>
      open(await forkSession(id, by, { ...how, host, owners, clientOf, headers }), by, { mustExist: true }),
    worktrees: lazyWorktrees({ host, places, headers, owners, hasFiles, shared, onDeleted }),
    sessions: (by) => sessionsFor(by, { host, owners }),
    deleteSession: (id, by) => deleteFor(by, id, { host, owners, shared, onDeleted }),
    [Symbol.asyncDispose]: () =>
      closeInOrder({ following, adopting, shared, cluster, places, clientSessions }),
  };
}

type SessionParts = Pick<Gateway, 'openModel'> & {
  agents: RunningAgents;
  onFault(error: unknown): void;
  clientOf: Owners['clientOf'];
  clientSessions: ReturnType<typeof openClientSessions>;
  orphaned: ReturnType<typeof awaitOrphanedJobs>;
  places: ReturnType<typeof openSessionPlaces>;
  take: ReturnType<typeof inCluster>['take'];
};

async function takeAndOpen(parts: SessionParts, id: string): Promise<OpenSession> {
  const { agents, openModel, onFault, clientSessions, orphaned, places } = parts;
  await orphaned.ready.catch(() => undefined);
  const client = await parts.clientOf(id);
  await parts.take(id, client);
  const place = client === undefined ? await places.of(id) : { agents, host: clientSessions.host };
  const cancelOrphaned = (): Promise<void> => orphaned.cancel(id);
  return await openSharedSession({ openModel, ...place, id, client, onFault, cancelOrphaned });
}

type Closing = Pick<SessionParts, 'places' | 'clientSessions'> & {
  following: Disposable;
  adopting: AsyncDisposable;
  shared: AsyncDisposable;
  cluster: Cluster | undefined;
};

/** Sessions are released only when nothing runs in them any more. */
async function closeInOrder(parts: Closing): Promise<void> {
  parts.following[Symbol.dispose]();
  await parts.adopting[Symbol.asyncDispose]();
  await parts.shared[Symbol.asyncDispose]();
  await parts.cluster?.releaseAll();
  await parts.places[Symbol.asyncDispose]();
  parts.clientSessions[Symbol.dispose]();
}

/** Few sessions have a worktree. */
function lazyWorktrees(parts: Parameters<typeof createWorktreeSessions>[0]): Gateway['worktrees'] {
  return lazily(() => createWorktreeSessions(parts));
}

/** Deletes a session's data outside the log. */
function forgetBesideLog({ home }: Host, id: string): void {
  forgetScreen(home, id);
  forgetPartialReply(home, id);
  markSession(home, id, { pinned: false, archived: false });
}

type Deleting = {
  host: Host;
  owners: Owners;
  shared: ReturnType<typeof createSharedSessions<OpenSession>>;
  onDeleted(id: string): Promise<void>;
};

async function deleteFor(by: Peer, id: string, { host, owners, shared, onDeleted }: Deleting): Promise<void> {
  await owners.admit(id, by, { mustExist: true });
  // Where gateways share sessions, the gateway that serves this one ends its turn and calls.
  await (await (owners.isShared ? shared.open(id) : shared.opened(id)))?.cancel(by);
  await host.log.delete(id, { who: by.subject, via: by.via });
  forgetBesideLog(host, id);
  owners.forget(id);
  await shared.close(id);
  await onDeleted(id);
}

/** Updates the cached session data after appends of other processes. */
function keepingUp(
  headers: SessionHeaders,
  shared: ReturnType<typeof createSharedSessions<OpenSession>>,
): Omit<Following, 'onFault'> {
  return {
    async onChange(sessions) {
      for (const [id, { time }] of [...headers.kept()])
        if (sessions.get(id)?.openedAt !== time) await headers.fresh(id);
      for (const [id, open] of shared.all()) await (await open).catchUp(sessions.get(id)?.head.seq ?? 0);
    },
    async onHead(id, seq) {
      if (seq === 0 && headers.kept().has(id)) await headers.fresh(id);
      await (await shared.opened(id))?.catchUp(seq);
    },
  };
}

/** Opens models by the environment alone, without settings. */
function byEnvironment(env: NodeJS.ProcessEnv): Gateway['openModel'] {
  return async (name) => {
    const modelName = name ?? chooseModel({ env });
    if (modelName === undefined) throw noModelChosen();
    return await openNamedModel(modelName, { env });
  };
}

async function sessionsFor(
  by: Peer,
  { host, owners }: { host: Host; owners: Owners },
): Promise<SessionSummary[]> {
  const sessions = await host.log.sessions();
  const root = host.workspace.root.real;
  const here = owners.isShared
    ? sessions
    : sessions.filter((session) => isInProject(host.home, root, session.workspace));
  const mine = await Promise.all(
    here.map(async (session) => ((await owners.isFor(session, by)) ? [session] : [])),
  );
  return mine.flat();
}

/** People type the beginning of a generated id, as screens show it; no other text is completed. */
const shortForm = /^[0-9a-f]{4,31}$/;
const generated = /^[0-9a-f]{32}$/;

async function wholeId(
  typed: string,
  by: Peer,
  { host, owners }: { host: Host; owners: Owners },
): Promise<string> {
  if (!shortForm.test(typed) || (await host.log.read(typed, { limit: 1 })).length > 0) return typed;
  const mine = (await sessionsFor(by, { host, owners })).map(({ id }) => id);
  const [only, ...others] = mine.filter((id) => generated.test(id) && id.startsWith(typed));
  if (only === undefined || others.length === 0) return only ?? typed;
  const candidates = [only, ...others].slice(0, 10);
  throw new ToolError(
    'SESSION_NOT_FOUND',
    `Several sessions start with ${typed}: ${candidates.join(', ')}. Type more of the id.`,
    { candidates },
  );
}
