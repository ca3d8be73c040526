// The sessions of a peer over REST: list, make, look at, name, delete; what was said, what waits, and the log as it grows.
import type { SessionEvent } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Gateway, SharedSession } from '../../gateway/gateway.ts';
import { type StreamEvent, sendEvents } from '../event-stream.ts';
import { readInput } from '../read-input.ts';
import { describeSession, messagesOf } from '../session-views.ts';

type ById = { Params: { id: string } };

const base = '/api/v1/sessions';
const title = () => z.string().check(z.minLength(1), z.maxLength(200));
const NewSession = () => z.strictObject({ title: z.optional(title()), agent_type: z.optional(z.string()) });
const Renamed = () => z.strictObject({ title: title() });
const count = (most: number) => z.coerce.number().check(z.int(), z.gte(0), z.lte(most));
const Listing = () =>
  z.object({ limit: z._default(count(200), 50), offset: z._default(count(1_000_000), 0) });
const Since = () => z.object({ since: z.optional(count(Number.MAX_SAFE_INTEGER)) });

export function sessionRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.get(base, async ({ peer, query }) => {
    const { limit, offset } = readInput(Listing(), query);
    const all = await gateway.sessions(peer);
    const shown = all.slice(offset, offset + limit);
    const sessions = await Promise.all(
      shown.map(async (one) => describeSession(one.id, await gateway.host.log.read(one.id))),
    );
    return { sessions, total: all.length };
  });

  app.post(base, async ({ peer, body }, reply) => {
    const wanted = readInput(NewSession(), body ?? {});
    const session = await gateway.session(randomId(), peer);
    if (wanted.agent_type !== undefined) await session.switchAgent(wanted.agent_type);
    if (wanted.title !== undefined) await session.rename(wanted.title);
    return reply.code(201).send(await view(session));
  });

  app.get<ById>(`${base}/:id`, async ({ peer, params }) =>
    view(await gateway.session(params.id, peer, { mustExist: true })),
  );

  app.patch<ById>(`${base}/:id`, async ({ peer, params, body }) => {
    const { title } = readInput(Renamed(), body);
    const session = await gateway.session(params.id, peer, { mustExist: true });
    await session.rename(title);
    return await view(session);
  });

  app.delete<ById>(`${base}/:id`, async ({ peer, params }, reply) => {
    await gateway.deleteSession(params.id, peer);
    return reply.code(204).send();
  });
  contentRoutes(app, gateway);
}

function contentRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.get<ById>(`${base}/:id/history`, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    const events = await session.history();
    return { session_id: session.id, messages: messagesOf(events), last_seq: events.at(-1)?.seq ?? 0 };
  });

  app.get<ById>(`${base}/:id/pending-approvals`, async ({ peer, params }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, pending_approvals: await session.pending() };
  });

  app.get<ById>(`${base}/:id/events`, { config: { isStream: true } }, async (request, reply) => {
    const { since = 0 } = readInput(Since(), { since: whereFrom(request) });
    const session = await gateway.session(request.params.id, request.peer, { mustExist: true });
    await sendEvents(reply, (signal) => eventsOf(session, since, signal));
  });
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

async function view(session: SharedSession): Promise<object> {
  const described = describeSession(session.id, await session.history());
  return { ...described, status: session.status, agent_type: session.profile };
}
