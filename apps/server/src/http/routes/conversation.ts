// Taking part in a session over REST: saying something, deciding, calling tools oneself, and ending what goes on.
import { randomUUID } from 'node:crypto';
import { approvalRoutes, conversationRoutes, type RouteAnswer, type RouteBody } from '@codelab/api';
import { type SessionEvent, ToolError } from '@codelab/protocol';
import { defaultProfile, latestTodos } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { findLastInLog } from '../../log/read-log.ts';
import { actorOf, type Gateway, type Peer, profileOf, type SharedSession } from '../../sessions/gateway.ts';
import { route } from '../route.ts';
import { describeContext } from '../web/describe-context.ts';

type Find = (id: string, peer: Peer) => Promise<SharedSession>;

export function serveConversation(app: FastifyInstance, gateway: Gateway): void {
  const find: Find = (id, peer) => gateway.session(id, peer, { mustExist: true });

  route(app, conversationRoutes.say, async ({ params, peer, body: { content, agent_type, model } }) => {
    const session = await find(params.id, peer);
    const profile = agent_type === undefined ? session.profile : profileOf(agent_type);
    if (profile !== session.profile) await session.switchAgent(profile);
    await session.say(content, peer, model === undefined ? {} : { model });
    return { session_id: session.id };
  });

  route(app, conversationRoutes.cancel, async ({ params, peer }) => {
    const session = await find(params.id, peer);
    await session.cancel(peer);
    return { session_id: session.id };
  });

  route(app, approvalRoutes.decide, async ({ params, peer, body }) =>
    decide(await find(params.id, peer), peer, body),
  );

  route(app, conversationRoutes.call, async ({ params, peer, body }) => {
    const { tool, args, call_id: id = `call_${randomUUID()}`, approve } = body;
    const session = await find(params.id, peer);
    // A person is not held to the role they gave the agent.
    const call = { id, tool, args, dialect: 'codelab' as const, profile: defaultProfile };
    return { outcome: await session.call(call, actorOf(peer), { isConsented: approve }) };
  });
  serveContext(app, gateway, find);
}

function serveContext(app: FastifyInstance, gateway: Gateway, find: Find): void {
  route(app, conversationRoutes.context, async ({ params, peer }) =>
    describeContext(gateway, await find(params.id, peer)),
  );

  route(app, conversationRoutes.changeContext, async ({ params, peer, body: { action, path, content } }) => {
    if (action !== 'clear' && path === undefined)
      throw new ToolError('INVALID_ARGUMENTS', '`path` is missing: say which file.', { field: 'path' });
    const session = await find(params.id, peer);
    await session.changeContext(action, path, content);
    return await describeContext(gateway, session);
  });

  route(app, conversationRoutes.todos, async ({ params, peer }) => {
    const session = await find(params.id, peer);
    return { todos: await latestTodos(await session.host.session(session.id)) };
  });
}

async function decide(
  session: SharedSession,
  peer: Peer,
  { approval_id: approvalId, decision, binding }: RouteBody<typeof approvalRoutes.decide>,
): Promise<RouteAnswer<typeof approvalRoutes.decide>> {
  const asked = (await session.pending()).find(({ id }) => id === approvalId);
  if (asked === undefined) throw await whyGone(session, approvalId);
  if (binding === undefined ? peer.page !== undefined : binding !== asked.binding)
    throw new ToolError('STALE', 'What was shown is not what waits for a decision. Look at it again.', {
      field: 'binding',
    });
  await session.decide({ approvalId, decision, by: { who: peer.subject, via: peer.via } });
  return { approval_id: approvalId, call_id: asked.callId, decided: true };
}

async function whyGone(session: SharedSession, approvalId: string): Promise<ToolError> {
  const end = await findLastInLog(session.host.log, session.id, (event) => endedBy(event) === approvalId);
  if (end?.body.type === 'approval.decided')
    return new ToolError('ALREADY_DECIDED', `${end.body.by.who} decided before; the first decision holds.`);
  if (end?.body.type === 'approval.expired')
    return new ToolError('APPROVAL_EXPIRED', 'The time for this decision is over; it counts as a rejection.');
  return new ToolError('APPROVAL_NOT_FOUND', `No approval ${approvalId} is waiting in this session.`);
}

function endedBy({ body }: SessionEvent): string | undefined {
  const isEnd = body.type === 'approval.decided' || body.type === 'approval.expired';
  return isEnd ? body.approvalId : undefined;
}
