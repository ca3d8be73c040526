// The gateway over one composed host: sessions with their owners, opened once and shared by all who may.
import { chooseModel, openModel as openNamedModel } from '@codelab/agent';
import type { DialectName, SessionSummary } from '@codelab/protocol';
import { type Host, randomId, type ToolDecorator } from '@codelab/runtime';
import type { RunningAgents } from '../agent/running-agents.ts';
import { openElsewhere } from '../executors/elsewhere.ts';
import { awaitLeftJobs } from '../executors/left-jobs.ts';
import { adoptSessions } from './adopt-sessions.ts';
import { followLog } from './follow-log.ts';
import { forkPoint } from './fork-point.ts';
import type { Gateway, Peer, SharedSession } from './gateway.ts';
import { type Admission, createOwners, type Owners } from './owners.ts';
import { createOpenings } from './session-header.ts';
import { type OwnSession, openSharedSession } from './shared-session.ts';
import { createSharedSessions } from './shared-sessions.ts';

export type GatewayOptions = {
  host: Host;
  agents: RunningAgents;
  env: NodeJS.ProcessEnv;
  openModel?: Gateway['openModel'];
  onFault?(error: unknown): void;
  /** Put around every tool of the host, for whoever measures them. */
  watchTool?: ToolDecorator;
  /** After so long a session that nobody uses is let go of. */
  idleMs?: number;
  /** False: it has no files of its own, so that every session is carried out by a client. */
  hasFiles?: boolean;
};

const defaultIdleMs = 15_000;

export function openGateway({
  host: given,
  agents,
  env,
  hasFiles = true,
  ...options
}: GatewayOptions): Gateway {
  // Another process may delete a session, and even make one of the same name.
  const openings = createOpenings(given.log, async (id, now) => {
    if (now === undefined) owners.forget(id);
    await shared.close(id);
  });
  const owners = createOwners(given, { openings, hasFiles });
  const elsewhere = openElsewhere(given, { openings, hasFiles, watchTool: options.watchTool });
  const { executors, clientOf, local: host } = elsewhere;
  const openModel =
    options.openModel ?? ((name?: string) => openNamedModel(name ?? chooseModel(env), { env }));
  const onFault = options.onFault ?? (() => undefined);

  const left = awaitLeftJobs(elsewhere, onFault);
  left.ready.catch(onFault);

  async function share(id: string): Promise<OwnSession> {
    await left.ready.catch(() => undefined);
    const client = await clientOf(id);
    const own = client === undefined ? host : elsewhere.host;
    const cancelLeft = (): Promise<void> => left.cancel(id);
    return await openSharedSession({ host: own, agents, id, client, openModel, onFault, cancelLeft });
  }

  const { idleMs = defaultIdleMs } = options;
  const shared = createSharedSessions({ share, forget: host.forget, onFault, idleMs });
  const following = followLog(host, {
    onFault,
    async onChange(sessions) {
      for (const [id, { time }] of [...openings.kept()])
        if (sessions.get(id)?.openedAt !== time) await openings.fresh(id);
      for (const [id, open] of shared.all()) await (await open).catchUp(sessions.get(id)?.head.seq ?? 0);
    },
  });

  const adopting = adoptSessions(host, { open: shared.open, onFault });

  async function open(id: string, by: Peer, how: Admission): Promise<SharedSession> {
    await owners.admit(id, by, how);
    return await shared.open(id);
  }

  return {
    host,
    hasFiles,
    executors,
    openModel,
    session: (id, by, how = {}) => open(id, by, how),
    opened: async (id) => await shared.opened(id),
    fork: async (id, by, how = {}) =>
      open(await forkSession(id, by, { ...how, host, owners, clientOf }), by, { mustExist: true }),
    sessions: (by) => sessionsFor(by, host, owners),
    async deleteSession(id, by) {
      await owners.admit(id, by, { mustExist: true });
      await (await shared.opened(id))?.cancel(by);
      await host.log.delete(id, { who: by.subject, via: by.via });
      owners.forget(id);
      await shared.close(id);
    },
    async [Symbol.asyncDispose]() {
      following[Symbol.dispose]();
      await adopting[Symbol.asyncDispose]();
      await shared[Symbol.asyncDispose]();
      elsewhere[Symbol.dispose]();
    },
  };
}

async function sessionsFor(by: Peer, host: Host, owners: Owners): Promise<SessionSummary[]> {
  const here = (await host.log.sessions()).filter((one) => one.workspace === host.workspace.root.real);
  const mine = await Promise.all(here.map(async (one) => ((await owners.isFor(one, by)) ? [one] : [])));
  return mine.flat();
}

type Forking = {
  host: Host;
  owners: Owners;
  clientOf(session: string): Promise<DialectName | undefined>;
  seq?: number;
  title?: string;
};

/** The name of the new session. */
async function forkSession(
  session: string,
  by: Peer,
  { host, owners, clientOf, seq, title }: Forking,
): Promise<string> {
  await owners.admit(session, by, { mustExist: true });
  const forkedFrom = { session, seq: forkPoint(await host.log.read(session), seq) };
  const client = await clientOf(session);
  const fork = randomId();
  await owners.make(fork, by, { forkedFrom, client, ...(title !== undefined && { title }) });
  return fork;
}
