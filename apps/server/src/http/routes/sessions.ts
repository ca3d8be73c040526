// The sessions of a peer over REST: list, create, read, name, delete; their messages, pending approvals, and the log as it grows.
import {
  approvalRoutes,
  type Session,
  type SessionChange,
  sessionRoutes,
  worktreeRoutes,
} from '@codelab/api';
import {
  hasExpired,
  type PolicyMode,
  policyModes,
  type SessionEvent,
  type SessionSummary,
  ToolError,
} from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { type Gateway, type Peer, profileOf, type SharedSession } from '../../sessions/gateway.ts';
import { longestApprovalMs } from '../../sessions/open-sessions.ts';
import { markSession, sessionMarks } from '../../sessions/session-marks.ts';
import { expirySignal, type ServerSentEvent, sendEvents } from '../event-stream.ts';
import { serveRoute } from '../route.ts';
import { createSessionTexts, searchSessions } from '../search-sessions.ts';
import { createSessionIndex, type SessionIndex } from '../session-index.ts';
import { branchesOf, describeAll, describeOne, listedBy, matching } from '../session-list.ts';
import { messagesOf } from '../session-views.ts';
import { readLogPage } from '../web/read-log-page.ts';

export function serveSessions(app: FastifyInstance, gateway: Gateway): void {
  const index = createSessionIndex(gateway.host);

  serveRoute(
    app,
    sessionRoutes.list,
    async ({ peer, query: { limit, offset, query: search = '', archived } }) => {
      const visibleSessions = listedBy(
        await gateway.sessions(peer),
        sessionMarks(gateway.host.home),
        archived,
      );
      const found = search.trim() === '' ? visibleSessions : await matching(visibleSessions, search, index);
      const page = await describeAll(gateway, index, found.slice(offset, offset + limit));
      return { sessions: page, total: found.length };
    },
  );

  serveRoute(app, sessionRoutes.create, async ({ peer, body }) => {
    // Checked before the session is created, so that an unknown role leaves no empty session behind.
    if (body.agent_type !== undefined) await gateway.host.profiles.role(profileOf(body.agent_type));
    checkMode(gateway, peer, body.mode);
    const id = randomId();
    const { worktree, title } = body;
    if (worktree !== undefined) await gateway.worktrees().make(id, peer, { name: worktree.name, title });
    return await change(await gateway.session(id, peer), peer, body, index);
  });

  serveRoute(app, sessionRoutes.get, async ({ peer, params }) =>
    describeOne(await gateway.session(params.id, peer, { mustExist: true }), index),
  );

  serveRoute(app, sessionRoutes.update, async ({ peer, params, body }) => {
    checkMode(gateway, peer, body.mode);
    return await change(await gateway.session(params.id, peer, { mustExist: true }), peer, body, index);
  });

  serveRoute(app, sessionRoutes.delete, async ({ peer, params }) => {
    await gateway.deleteSession(params.id, peer);
    return undefined;
  });

  serveForks(app, gateway, index);
  serveContent(app, gateway);
  serveWorktrees(app, gateway);
  serveWaiting(app, gateway, index);
}

function serveForks(app: FastifyInstance, gateway: Gateway, index: SessionIndex): void {
  serveRoute(app, sessionRoutes.fork, async ({ peer, params, body: { seq, before } }) => {
    if (seq !== undefined && before !== undefined)
      throw new ToolError('INVALID_ARGUMENTS', 'Give `seq` or `before`, not both.', { field: 'before' });
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    const { title, mode } = await index.of(id);
    checkMode(gateway, peer, mode);
    const fork = await gateway.fork(id, peer, { seq, before, ...(title !== '' && { title }) });
    if (mode !== undefined) await fork.changeMode(mode, peer);
    return await describeOne(fork, index);
  });

  serveRoute(app, sessionRoutes.branches, async ({ peer, params }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    const sessions = await gateway.sessions(peer);
    const family = branchesOf(id, await index.all(sessions));
    const found = await describeAll(
      gateway,
      index,
      sessions.filter((summary) => family.has(summary.id)),
    );
    return { branches: found.toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? '')) };
  });

  const texts = createSessionTexts(gateway.host.log);
  serveRoute(app, sessionRoutes.search, async ({ peer, query: { query, limit } }) =>
    searchSessions(await gateway.sessions(peer), { query, limit, texts, index }),
  );
}

/** A peer that may enter a session may merge and remove its worktree. */
function serveWorktrees(app: FastifyInstance, gateway: Gateway): void {
  const { worktrees } = gateway;

  serveRoute(app, worktreeRoutes.get, async ({ peer, params }) => {
    const { id, worktree } = await gateway.session(params.id, peer, { mustExist: true });
    return { path: worktree?.path ?? '', ...(await worktrees().state(id)) };
  });

  serveRoute(app, worktreeRoutes.merge, async ({ peer, params, body }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    return await worktrees().merge(id, peer, body);
  });

  serveRoute(app, worktreeRoutes.drop, async ({ peer, params, body: { print, delete_branch } }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    const dropped = await worktrees().drop(id, peer, { print, deletesBranch: delete_branch });
    const { branch, isBranchDeleted, files, commits } = dropped;
    return { branch, branch_deleted: isBranchDeleted, files, commits };
  });
}

function serveContent(app: FastifyInstance, gateway: Gateway): void {
  serveRoute(app, sessionRoutes.history, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    const events = await session.history();
    return { session_id: session.id, messages: messagesOf(events), last_seq: events.at(-1)?.seq ?? 0 };
  });

  serveRoute(app, sessionRoutes.log, async ({ params, peer, query, reply }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return reply.type('application/json; charset=utf-8').send(await readLogPage(session, query));
  });

  serveRoute(
    app,
    sessionRoutes.events,
    async ({ params, peer, query: { since = 0 }, reply }) => {
      const session = await gateway.session(params.id, peer, { mustExist: true });
      await sendEvents(reply, (signal) => eventsOf(session, since, signal), expirySignal(peer));
      return undefined;
    },
    { queryOf: (request) => ({ since: whereFrom(request) }) },
  );
}

function serveWaiting(app: FastifyInstance, gateway: Gateway, index: SessionIndex): void {
  serveRoute(app, approvalRoutes.pendingIn, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, pending_approvals: await session.pending() };
  });

  serveRoute(app, approvalRoutes.pending, async ({ peer }) => {
    const found = await index.all(await mayWait(gateway, peer));
    const pending = found.flatMap(({ facts }) => [...facts.waiting.values()]);
    return { pending_approvals: pending.filter((approval) => !hasExpired(approval)) };
  });
}

async function mayWait(gateway: Gateway, peer: Peer): Promise<SessionSummary[]> {
  const since = Date.now() - longestApprovalMs(gateway.host);
  const askingIds = new Set(await gateway.host.log.asking());
  return (await gateway.sessions(peer)).filter(({ id, lastAt }) => lastAt >= since || askingIds.has(id));
}

// The position that the browser sends after a break counts more than the one in its address.
function whereFrom({
  headers,
  query,
}: {
  headers: Record<string, string | string[] | undefined>;
  query: unknown;
}): unknown {
  return headers['last-event-id'] ?? (query as { since?: unknown }).since;
}

async function* eventsOf(
  session: SharedSession,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  for await (const message of session.listen({ since, signal })) {
    if (message.type === 'event') yield logged(message.event);
    else if (message.type === 'signal') yield { event: 'signal', data: message.signal };
    else yield { event: message.type, data: message };
  }
}

function logged(event: SessionEvent): ServerSentEvent {
  return { id: event.seq, event: event.body.type, data: event };
}

// Where several people share a gateway, its operator limits how much may run unasked.
function checkMode({ host }: Gateway, peer: Peer, mode: PolicyMode | undefined): void {
  if (mode === undefined || peer.isOperator) return;
  if (policyModes.indexOf(mode) <= policyModes.indexOf(host.rules.mode)) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    `Sessions of this gateway's users have mode ${host.rules.mode} or a stricter one. Ask its operator for more.`,
    { field: 'mode' },
  );
}

async function change(
  session: SharedSession,
  by: Peer,
  { title, agent_type, mode, pinned, archived }: SessionChange,
  index: SessionIndex,
): Promise<Session> {
  const mark = { ...(pinned !== undefined && { pinned }), ...(archived !== undefined && { archived }) };
  if (pinned !== undefined || archived !== undefined) markSession(session.host.home, session.id, mark);
  if (agent_type !== undefined) await session.switchAgent(profileOf(agent_type));
  if (mode !== undefined) await session.changeMode(mode, by);
  if (title !== undefined) await session.rename(title);
  return await describeOne(session, index);
}
