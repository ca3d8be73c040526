// Taking part in a session over REST: sending messages, deciding, calling tools, and cancelling.
import { randomUUID } from 'node:crypto';
import { imageFrom } from '@codelab/agent';
import { approvalRoutes, conversationRoutes, type RouteAnswer, type RouteBody } from '@codelab/api';
import { type SessionEvent, ToolError } from '@codelab/protocol';
import { defaultProfile, latestTodos } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { changeMessage, queuedMessages, removeMessage } from '../../agent/message-queue.ts';
import { findLastInLog } from '../../log/entries.ts';
import { actorOf, type Gateway, type Peer, profileOf, type SharedSession } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';
import { describeContext } from '../web/describe-context.ts';

type Find = (id: string, peer: Peer) => Promise<SharedSession>;

/** Another gateway would only find out that it can't answer. */
const forOwner = { isForOwner: true } as const;

export function serveConversation(app: FastifyInstance, gateway: Gateway): void {
  const find: Find = (id, peer) => gateway.session(id, peer, { mustExist: true });

  serveRoute(
    app,
    conversationRoutes.say,
    async ({ params, peer, body }) => {
      const { content, agent_type, model, attended, message_id: messageId, delivery, images = [] } = body;
      const inputImages = images.map(({ data, name = 'image' }) =>
        imageFrom(Buffer.from(data, 'base64'), name),
      );
      const session = await find(params.id, peer);
      const profile = agent_type === undefined ? session.profile : profileOf(agent_type);
      if (profile !== session.profile) await session.switchAgent(profile);
      const queued = await session.send(content, peer, {
        messageId,
        delivery,
        untilRecorded: true,
        ...(model !== undefined && { model }),
        ...(attended !== undefined && { isAttended: attended }),
        ...(inputImages.length > 0 && { images: inputImages }),
      });
      return { session_id: session.id, ...(queued !== undefined && { queued }) };
    },
    forOwner,
  );

  serveRoute(
    app,
    approvalRoutes.decide,
    async ({ params, peer, body }) => decide(await find(params.id, peer), peer, body),
    forOwner,
  );

  serveRoute(
    app,
    conversationRoutes.call,
    async ({ params, peer, body }) => {
      const { tool, args, call_id: id = `call_${randomUUID()}`, approve, tell } = body;
      const session = await find(params.id, peer);
      // The role of the agent does not limit the person.
      const attended = peer.page === undefined ? {} : { attended: true as const };
      const call = { id, tool, args, dialect: 'codelab' as const, profile: defaultProfile, ...attended };
      return { outcome: await session.call(call, actorOf(peer), { isConsented: approve, isTold: tell }) };
    },
    forOwner,
  );
  serveTurns(app, find);
  serveContext(app, gateway, find);
  serveQueue(app, find);
}

function serveTurns(app: FastifyInstance, find: Find): void {
  serveRoute(
    app,
    conversationRoutes.cancel,
    async ({ params, peer }) => {
      const session = await find(params.id, peer);
      await session.cancel(peer);
      return { session_id: session.id };
    },
    forOwner,
  );

  serveRoute(
    app,
    conversationRoutes.resume,
    async ({ params, peer }) => {
      const session = await find(params.id, peer);
      session.goOn({ isAsked: true });
      return { session_id: session.id };
    },
    forOwner,
  );

  serveRoute(
    app,
    conversationRoutes.continue,
    async ({ params, peer, body: { model, attended } }) => {
      const session = await find(params.id, peer);
      await session.continue(peer, {
        ...(model !== undefined && { model }),
        ...(attended !== undefined && { isAttended: attended }),
      });
      return { session_id: session.id };
    },
    forOwner,
  );

  serveRoute(
    app,
    conversationRoutes.compact,
    async ({ params, peer }) => {
      const session = await find(params.id, peer);
      return { session_id: session.id, compacted: await session.compact() };
    },
    forOwner,
  );
}

function serveQueue(app: FastifyInstance, find: Find): void {
  const queueOf = async ({
    host,
    id,
  }: SharedSession): Promise<RouteAnswer<typeof conversationRoutes.queue>> => ({
    messages: (await queuedMessages(host, id)).map(
      ({ id: message, text, delivery, images, by, queuedAt }) => ({
        ...{ id: message, content: text, delivery, images: images?.length ?? 0, by: by.who },
        queued_at: new Date(queuedAt).toISOString(),
      }),
    ),
  });

  serveRoute(app, conversationRoutes.queue, async ({ params, peer }) => queueOf(await find(params.id, peer)));

  serveRoute(
    app,
    conversationRoutes.changeQueued,
    async ({ params, peer, body: { content: text, delivery } }) => {
      const session = await find(params.id, peer);
      const change = { id: params.message, by: actorOf(peer), text, delivery };
      await changeMessage(session.host, session.id, change);
      return await queueOf(session);
    },
  );

  serveRoute(app, conversationRoutes.removeQueued, async ({ params, peer }) => {
    const session = await find(params.id, peer);
    await removeMessage(session.host, session.id, { id: params.message, by: actorOf(peer) });
    return await queueOf(session);
  });
}

function serveContext(app: FastifyInstance, gateway: Gateway, find: Find): void {
  serveRoute(app, conversationRoutes.context, async ({ params, peer }) =>
    describeContext(gateway, await find(params.id, peer)),
  );

  serveRoute(
    app,
    conversationRoutes.changeContext,
    async ({ params, peer, body: { action, path, content } }) => {
      if (action !== 'clear' && path === undefined)
        throw new ToolError('INVALID_ARGUMENTS', '`path` is missing: say which file.', { field: 'path' });
      const session = await find(params.id, peer);
      await session.changeContext(action, path, content);
      return await describeContext(gateway, session);
    },
  );

  serveRoute(app, conversationRoutes.todos, async ({ params, peer }) => {
    const session = await find(params.id, peer);
    return { todos: await latestTodos(await session.host.session(session.id)) };
  });
}

async function decide(
  session: SharedSession,
  peer: Peer,
  { approval_id: approvalId, decision, binding }: RouteBody<typeof approvalRoutes.decide>,
): Promise<RouteAnswer<typeof approvalRoutes.decide>> {
  const approval = (await session.pending()).find(({ id }) => id === approvalId);
  if (approval === undefined) throw await whyGone(session, approvalId);
  if (binding === undefined ? peer.page !== undefined : binding !== approval.binding)
    throw new ToolError(
      'STALE',
      'The pending call is not the one that was shown. Reload the approval, then decide.',
      {
        field: 'binding',
      },
    );
  await session.decide({ approvalId, decision, by: { who: peer.subject, via: peer.via } });
  return { approval_id: approvalId, call_id: approval.callId, decided: true };
}

async function whyGone(session: SharedSession, approvalId: string): Promise<ToolError> {
  const end = await findLastInLog(session.host.log, session.id, (event) => endedBy(event) === approvalId);
  if (end?.body.type === 'approval.decided')
    return new ToolError('ALREADY_DECIDED', `${end.body.by.who} decided before; the first decision holds.`);
  if (end?.body.type === 'approval.expired')
    return new ToolError(
      'APPROVAL_EXPIRED',
      'The time for this decision is over and nothing was run. Ask for the call again.',
    );
  return new ToolError('APPROVAL_NOT_FOUND', `No approval ${approvalId} is waiting in this session.`);
}

function endedBy({ body }: SessionEvent): string | undefined {
  const isEnd = body.type === 'approval.decided' || body.type === 'approval.expired';
  return isEnd ? body.approvalId : undefined;
}
