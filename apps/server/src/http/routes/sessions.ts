// The sessions of a peer over REST: list, make, look at, name, delete; what was said, what waits, and the log as it grows.
import { approvalRoutes, type Session, sessionRoutes } from '@codelab/api';
import type { SessionEvent, SessionSummary } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { profileOf } from '../../sessions/gateway.ts';
import { longestApprovalMs } from '../../sessions/open-sessions.ts';
import { type StreamEvent, sendEvents } from '../event-stream.ts';
import { expirySignal } from '../expiry-signal.ts';
import { route } from '../route.ts';
import { createSessionIndex, type SessionIndex } from '../session-index.ts';
import { describeSession, messagesOf } from '../session-views.ts';
import { readLogPage } from '../web/read-log-page.ts';

export function serveSessions(app: FastifyInstance, gateway: Gateway): void {
  const index = createSessionIndex(gateway.host);

  route(app, sessionRoutes.list, async ({ peer, query: { limit, offset, query: wanted = '' } }) => {
    const all = await gateway.sessions(peer);
    const found = wanted.trim() === '' ? all : await matching(all, wanted, index);
    const shown = await index.all(found.slice(offset, offset + limit));
    const sessions = shown.map(async ({ id, facts }) => describeSession(id, facts, await gateway.opened(id)));
    return { sessions: await Promise.all(sessions), total: found.length };
  });

  route(app, sessionRoutes.create, async ({ peer, body }) => {
    // Asked before it is made: a role that isn't there leaves no empty session behind.
    if (body.agent_type !== undefined) await gateway.host.profiles.role(profileOf(body.agent_type));
    return await change(await gateway.session(randomId(), peer), body, index);
  });

  route(app, sessionRoutes.get, async ({ peer, params }) =>
    view(await gateway.session(params.id, peer, { mustExist: true }), index),
  );

  route(app, sessionRoutes.update, async ({ peer, params, body }) =>
    change(await gateway.session(params.id, peer, { mustExist: true }), body, index),
  );

  route(app, sessionRoutes.delete, async ({ peer, params }) => {
    await gateway.deleteSession(params.id, peer);
    return undefined;
  });

  route(app, sessionRoutes.fork, async ({ peer, params, body: { seq } }) => {
    const { id } = await gateway.session(params.id, peer, { mustExist: true });
    const { title } = await index.of(id);
    const fork = await gateway.fork(id, peer, {
      ...(seq !== undefined && { seq }),
      ...(title !== '' && { title }),
    });
    return await view(fork, index);
  });
  serveContent(app, gateway);
  serveWaiting(app, gateway, index);
}

function serveContent(app: FastifyInstance, gateway: Gateway): void {
  route(app, sessionRoutes.history, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    const events = await session.history();
    return { session_id: session.id, messages: messagesOf(events), last_seq: events.at(-1)?.seq ?? 0 };
  });

  route(app, sessionRoutes.log, async ({ params, peer, query, reply }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return reply.type('application/json; charset=utf-8').send(await readLogPage(session, query));
  });

  route(
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
  route(app, approvalRoutes.pendingIn, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, pending_approvals: await session.pending() };
  });

  route(app, approvalRoutes.pending, async ({ peer }) => {
    const found = await index.all(await lately(gateway, peer));
    const pending = found.flatMap(({ facts }) => [...facts.waiting.values()]);
    const now = Date.now();
    return { pending_approvals: pending.filter(({ deadline }) => deadline > now) };
  });
}

async function lately(gateway: Gateway, peer: Peer): Promise<SessionSummary[]> {
  const since = Date.now() - longestApprovalMs(gateway.host);
  return (await gateway.sessions(peer)).filter(({ lastAt }) => lastAt >= since);
}

// What the browser itself says after a break counts more than the address it began with.
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
): AsyncGenerator<StreamEvent> {
  for await (const heard of session.listen({ since, signal })) {
    if (heard.type === 'event') yield logged(heard.event);
    else if (heard.type === 'signal') yield { event: 'signal', data: heard.signal };
    else yield { event: heard.type, data: heard };
  }
}

function logged(event: SessionEvent): StreamEvent {
  return { id: event.seq, event: event.body.type, data: event };
}

async function change(
  session: SharedSession,
  { title, agent_type }: { title?: string | undefined; agent_type?: string | undefined },
  index: SessionIndex,
): Promise<Session> {
  if (agent_type !== undefined) await session.switchAgent(profileOf(agent_type));
  if (title !== undefined) await session.rename(title);
  return await view(session, index);
}

async function view(session: SharedSession, index: SessionIndex): Promise<Session> {
  return describeSession(session.id, await index.of(session.id), session);
}

async function matching(
  all: readonly SessionSummary[],
  query: string,
  index: SessionIndex,
): Promise<SessionSummary[]> {
  const words = query.toLowerCase().split(/\s+/);
  const facts = await index.all(all);
  return all.filter(({ id }, i) => {
    const text = `${facts[i]?.facts.title ?? ''} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
