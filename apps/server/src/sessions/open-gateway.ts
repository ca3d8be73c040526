// The gateway over one composed host: sessions with their owners, opened once and shared by all who may.
import { chooseModel, noModelChosen, openModel as openNamedModel } from '@codelab/agent';
import { type DialectName, type SessionEvent, type SessionSummary, ToolError } from '@codelab/protocol';
import { type Host, randomId, type ToolDecorator } from '@codelab/runtime';
import type { RunningAgents } from '../agent/running-agents.ts';
import { openClientSessions } from '../executors/client-sessions.ts';
import { awaitOrphanedJobs } from '../executors/orphaned-jobs.ts';
import type { Gateway, Peer, SharedSession } from './gateway.ts';
import { adoptSessions, createSharedSessions, followLog } from './open-sessions.ts';
import { type Admission, createOwners, createSessionHeaders, type Owners } from './session-header.ts';
import { type OpenSession, openSharedSession } from './shared-session.ts';

type GatewayOptions = {
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
  const headers = createSessionHeaders(given.log, async (id, now) => {
    if (now === undefined) owners.forget(id);
    await shared.close(id);
  });
  const owners = createOwners(given, { headers, hasFiles });
  const { clientOf } = owners;
  const { idleMs = defaultIdleMs, onFault = () => undefined } = options;
  const clientSessions = openClientSessions(given, { clientOf, watchTool: options.watchTool });
  const { executors, local: host } = clientSessions;
  const { openModel = byEnvironment(env) } = options;

  const orphaned = awaitOrphanedJobs(clientSessions, onFault);
  orphaned.ready.catch(onFault);

  async function share(id: string): Promise<OpenSession> {
    await orphaned.ready.catch(() => undefined);
    const client = await clientOf(id);
    const own = client === undefined ? host : clientSessions.host;
    const cancelOrphaned = (): Promise<void> => orphaned.cancel(id);
    return await openSharedSession({ host: own, agents, id, client, openModel, onFault, cancelOrphaned });
  }

  const shared = createSharedSessions({ share, forget: host.forget, onFault, idleMs });
  const following = followLog(host, {
    onFault,
    async onChange(sessions) {
      for (const [id, { time }] of [...headers.kept()])
        if (sessions.get(id)?.openedAt !== time) await headers.fresh(id);
      for (const [id, open] of shared.all()) await (await open).catchUp(sessions.get(id)?.head.seq ?? 0);
    },
  });

  const adopting = adoptSessions(host, { open: shared.open, onFault });

  async function open(typed: string, by: Peer, how: Admission): Promise<SharedSession> {
    const id = how.mustExist ? await wholeId(typed, by, { host, owners }) : typed;
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
      clientSessions[Symbol.dispose]();
    },
  };
}

/** Without settings of its own. */
function byEnvironment(env: NodeJS.ProcessEnv): Gateway['openModel'] {
  return async (name) => {
    const wanted = name ?? chooseModel({ env });
    if (wanted === undefined) throw noModelChosen();
    return await openNamedModel(wanted, { env });
  };
}

async function sessionsFor(by: Peer, host: Host, owners: Owners): Promise<SessionSummary[]> {
  const here = (await host.log.sessions()).filter((one) => one.workspace === host.workspace.root.real);
  const mine = await Promise.all(here.map(async (one) => ((await owners.isFor(one, by)) ? [one] : [])));
  return mine.flat();
}

/** People type the beginning of a generated id, as screens show it; no other name is taken for one. */
const shortForm = /^[0-9a-f]{4,31}$/;
const generated = /^[0-9a-f]{32}$/;

async function wholeId(
  typed: string,
  by: Peer,
  { host, owners }: Pick<Forking, 'host' | 'owners'>,
): Promise<string> {
  if (!shortForm.test(typed) || (await host.log.read(typed, { limit: 1 })).length > 0) return typed;
  const mine = (await sessionsFor(by, host, owners)).map(({ id }) => id);
  const [only, ...more] = mine.filter((id) => generated.test(id) && id.startsWith(typed));
  if (only === undefined || more.length === 0) return only ?? typed;
  const candidates = [only, ...more].slice(0, 10);
  throw new ToolError(
    'SESSION_NOT_FOUND',
    `Several sessions begin with ${typed}: ${candidates.join(', ')}. Give more of the id.`,
    { candidates },
  );
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

// Where a session can branch off: at the end of a turn, since what a model asked for must have its answer before anything else is said.

/** The last entry that the fork begins with; `seq` is any entry of the turn that shall be the last. */
function forkPoint(events: readonly SessionEvent[], seq?: number): number {
  const last = events.at(-1)?.seq ?? 0;
  if (seq !== undefined && (seq < 1 || seq > last))
    throw new ToolError('INVALID_ARGUMENTS', `\`seq\` must be an entry of this session: 1 to ${last}.`, {
      field: 'seq',
    });
  const until = seq ?? last;
  const around = events.findLast((event) => event.seq <= until && isBorder(event));
  if (around?.body.type !== 'turn.started') return until;
  const end = events.find((event) => event.seq > until && isBorder(event));
  if (end?.body.type === 'turn.ended') return end.seq;
  throw new ToolError('STALE', 'This turn is not finished yet. Wait for it, or fork at an entry before it.');
}

// A sub-agent's turns are part of the turn around them.
function isBorder({ body }: SessionEvent): boolean {
  return (body.type === 'turn.started' || body.type === 'turn.ended') && body.agent === undefined;
}
