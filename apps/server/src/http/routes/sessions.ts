// The sessions of a peer over REST: list, make, look at, name, delete; what was said, what waits, and the log as it grows.
import type { SessionEvent, SessionSummary } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import { longestApprovalMs } from '../../sessions/adopt-sessions.ts';
import { profileOf } from '../../sessions/agent-type.ts';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { type StreamEvent, sendEvents } from '../event-stream.ts';
import { expirySignal } from '../expiry-signal.ts';
import { createSessionIndex, type SessionIndex } from '../session-index.ts';
import { describeSession, messagesOf } from '../session-views.ts';

type ById = { Params: { id: string } };

const base = '/api/v1/sessions';
const title = () => z.string().check(z.minLength(1), z.maxLength(200));
const agentType = () => z.string().check(z.minLength(1), z.maxLength(200));
const NewSession = () => z.strictObject({ title: z.optional(title()), agent_type: z.optional(agentType()) });
const count = (most: number) => z.coerce.number().check(z.int(), z.gte(0), z.lte(most));
const Listing = () =>
  z.object({
    limit: z._default(count(200), 50),
    offset: z._default(count(1_000_000), 0),
    query: z.optional(z.string().check(z.maxLength(200))),
  });
const Since = () => z.object({ since: z.optional(count(Number.MAX_SAFE_INTEGER)) });
const ForkAt = () => z.strictObject({ seq: z.optional(z.int().check(z.positive())) });

export function sessionRoutes(app: FastifyInstance, gateway: Gateway): void {
  const index = createSessionIndex(gateway.host);
  const listing = { summary: 'Your sessions, the latest first; `query` looks in titles', query: Listing };
  app.get(base, { config: { about: listing } }, async ({ peer, query }) => {
    const { limit, offset, query: wanted = '' } = readInput(Listing(), query);
    const all = await gateway.sessions(peer);
    const found = wanted.trim() === '' ? all : await matching(all, wanted, index);
    const shown = await index.all(found.slice(offset, offset + limit));
    const sessions = shown.map(async ({ id, facts }) => describeSession(id, facts, await gateway.opened(id)));
    return { sessions: await Promise.all(sessions), total: found.length };
  });

  const making = { summary: 'Makes a session', body: NewSession };
  app.post(base, { config: { about: making } }, async ({ peer, body }, reply) => {
    const wanted = readInput(NewSession(), body ?? {});
    // Asked before it is made: a role that isn't there leaves no empty session behind.
    if (wanted.agent_type !== undefined) await gateway.host.profiles.role(profileOf(wanted.agent_type));
    const session = await gateway.session(randomId(), peer);
    return reply.code(201).send(await change(session, wanted, index));
  });

  const one = { about: { summary: 'One session' } };
  app.get<ById>(`${base}/:id`, { config: one }, async ({ peer, params }) =>
    view(await gateway.session(params.id, peer, { mustExist: true }), index),
  );

  const changing = { summary: 'Names a session, or changes the role of its next turn', body: NewSession };
  app.patch<ById>(`${base}/:id`, { config: { about: changing } }, async ({ peer, params, body }) => {
    const wanted = readInput(NewSession(), body);
    return await change(await gateway.session(params.id, peer, { mustExist: true }), wanted, index);
  });

  app.delete<ById>(
    `${base}/:id`,
    { config: { about: { summary: 'Forgets a session' } } },
    async ({ peer, params }, reply) => {
      await gateway.deleteSession(params.id, peer);
      return reply.code(204).send();
    },
  );

  const forking = {
    summary: 'A new session that begins with this one, up to the turn of `seq`',
    body: ForkAt,
  };
  app.post<ById>(
    `${base}/:id/fork`,
    { config: { about: forking } },
    async ({ peer, params, body }, reply) => {
      const { seq } = readInput(ForkAt(), body ?? {});
      const { id } = await gateway.session(params.id, peer, { mustExist: true });
      const { title } = await index.of(id);
      const fork = await gateway.fork(id, peer, {
        ...(seq !== undefined && { seq }),
        ...(title !== '' && { title }),
      });
      return reply.code(201).send(await view(fork, index));
    },
  );
  contentRoutes(app, gateway);
  waitingRoutes(app, gateway, index);
}

function contentRoutes(app: FastifyInstance, gateway: Gateway): void {
  const history = { about: { summary: 'What was said and done, as messages' } };
  app.get<ById>(`${base}/:id/history`, { config: history }, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    const events = await session.history();
    return { session_id: session.id, messages: messagesOf(events), last_seq: events.at(-1)?.seq ?? 0 };
  });

  // Asked for its head alone, a stream would be opened and read by nobody.
  const asStream = { exposeHeadRoute: false, config: { isStream: true } };
  app.get<ById>(`${base}/:id/events`, asStream, async (request, reply) => {
    const { since = 0 } = readInput(Since(), { since: whereFrom(request) });
    const session = await gateway.session(request.params.id, request.peer, { mustExist: true });
    await sendEvents(reply, (signal) => eventsOf(session, since, signal), expirySignal(request.peer));
  });
}

function waitingRoutes(app: FastifyInstance, gateway: Gateway, index: SessionIndex): void {
  const here = { about: { summary: 'What waits for a human in this session' } };
  app.get<ById>(`${base}/:id/pending-approvals`, { config: here }, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, pending_approvals: await session.pending() };
  });

  const everywhere = { about: { summary: 'What waits for a human in any of your sessions' } };
  app.get('/api/v1/pending-approvals', { config: everywhere }, async ({ peer }) => {
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
): Promise<object> {
  if (agent_type !== undefined) await session.switchAgent(profileOf(agent_type));
  if (title !== undefined) await session.rename(title);
  return await view(session, index);
}

async function view(session: SharedSession, index: SessionIndex): Promise<object> {
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
