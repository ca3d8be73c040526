// The plugin's chats: sessions of this gateway, their messages, and sending one.
import { randomUUID } from 'node:crypto';
import { type ChatMessage, pluginRoutes } from '@codelab/api';
import { type SessionEvent, SessionId, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import { readInput } from '../../../../edge/http-errors.ts';
import type { Gateway, Peer } from '../../../../sessions/gateway.ts';
import { serveRoute } from '../../../route.ts';

export function servePluginChats(scope: FastifyInstance, gateway: Gateway): void {
  serveRoute(scope, pluginRoutes.openChat, async ({ body, peer }) => {
    const { session_id: id = randomUUID(), title, executor } = body;
    if (executor === 'client' || !gateway.hasFiles) await openForClient(gateway, id, peer);
    const session = await gateway.session(id, peer);
    if (title !== undefined) await session.rename(title);
    const created_at = new Date().toISOString();
    return { id, session_id: id, title: title ?? null, executor, created_at };
  });

  serveRoute(scope, pluginRoutes.chats, async ({ peer }) =>
    (await gateway.sessions(peer)).map(({ id, openedAt, lastAt }) => ({
      id,
      session_id: id,
      created_at: new Date(openedAt).toISOString(),
      updated_at: new Date(lastAt).toISOString(),
    })),
  );

  serveRoute(scope, pluginRoutes.deleteChat, async ({ params, peer }) => {
    await gateway.deleteSession(params.sid, peer);
    return undefined;
  });

  serveRoute(scope, pluginRoutes.chatMessages, async ({ params, peer }) => {
    const session = await gateway.session(params.sid, peer, { mustExist: true });
    return (await session.history()).flatMap(messageOf);
  });

  serveRoute(scope, pluginRoutes.sayInChat, async ({ params, body: { content, target_agent }, peer }) => {
    const session = await gateway.session(params.sid, peer);
    if (target_agent != null && target_agent !== session.profile)
      await session.switchAgent(target_agent, 'The message names it.');
    await session.say(content, peer, { untilRecorded: true });
    return { status: 'accepted' as const, session_id: params.sid, agent: session.profile };
  });

  serveRoute(scope, pluginRoutes.cancelChat, async ({ params, peer }) => {
    const session = await gateway.session(params.sid, peer, { mustExist: true });
    await session.cancel(peer);
    return { status: 'cancelled' as const, session_id: params.sid };
  });
}

// Recorded in the first entry of the log, because it applies for the life of the session, whatever client is connected.
async function openForClient({ host }: Gateway, id: string, peer: Peer): Promise<void> {
  const owner = peer.isOperator ? {} : { owner: peer.subject };
  const workspace = host.workspace.root.real;
  try {
    const opened = { type: 'session.opened' as const, workspace, ...owner, executor: 'client' as const };
    await host.log.append(readInput(SessionId(), id), [opened], { expected: 0 });
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
    throw new ToolError(
      'ALREADY_EXISTS',
      `The session ${id} already exists. Omit \`session_id\` to create a new one.`,
    );
  }
}

function messageOf({ seq, time, body }: SessionEvent): ChatMessage[] {
  const created_at = new Date(time).toISOString();
  if (body.type === 'turn.started' && body.agent === undefined)
    return [{ id: seq, role: 'user', content: body.text, created_at }];
  if (body.type === 'model.replied' && body.agent === undefined && body.reply.text !== '')
    return [{ id: seq, role: 'assistant', content: body.reply.text, created_at }];
  return [];
}
