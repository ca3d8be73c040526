// The plugin's chats: sessions of this gateway, what is said in them, and saying something.
import { randomUUID } from 'node:crypto';
import { type SessionEvent, SessionId, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { bothPaths, project } from '../plugin/plugin-scope.ts';

type OfSession = { Params: { pid: string; sid: string } };

const NewSession = () =>
  z.looseObject({
    session_id: z.optional(z.string()),
    title: z.optional(z.string().check(z.maxLength(200))),
    /** `client`: its calls are carried out by the client, over the event stream. */
    executor: z._default(z.enum(['gateway', 'client']), 'gateway'),
  });

const NewMessage = () =>
  z.strictObject({
    content: z.string().check(z.minLength(1), z.maxLength(10_000)),
    target_agent: z.nullish(z.string()),
  });

export function pluginSessionRoutes(scope: FastifyInstance, gateway: Gateway): void {
  for (const url of bothPaths(`${project}/chat/sessions`)) {
    const create = { summary: 'Opens a chat', body: NewSession };
    scope.post(url, { config: { about: create } }, async ({ body, peer }, reply) => {
      const { session_id: id = randomUUID(), title, executor } = readInput(NewSession(), body);
      if (executor === 'client' || !gateway.hasFiles) await openForClient(gateway, id, peer);
      const session = await gateway.session(id, peer);
      if (title !== undefined) await session.rename(title);
      const created_at = new Date().toISOString();
      return await reply.code(201).send({ id, session_id: id, title: title ?? null, executor, created_at });
    });
    scope.get(url, { config: { about: { summary: 'Your chats' } } }, async ({ peer }) =>
      (await gateway.sessions(peer)).map(({ id, openedAt, lastAt }) => ({
        id,
        session_id: id,
        created_at: new Date(openedAt).toISOString(),
        updated_at: new Date(lastAt).toISOString(),
      })),
    );
  }
  for (const url of bothPaths(`${project}/chat/sessions/:sid`))
    scope.delete<OfSession>(
      url,
      { config: { about: { summary: 'Forgets a chat' } } },
      async (request, reply) => {
        await gateway.deleteSession(request.params.sid, request.peer);
        return await reply.code(204).send();
      },
    );
  for (const url of bothPaths(`${project}/chat/sessions/:sid/messages`))
    scope.get<OfSession>(
      url,
      { config: { about: { summary: 'What was said in a chat' } } },
      async (request) => {
        const session = await gateway.session(request.params.sid, request.peer, { mustExist: true });
        return (await session.history()).flatMap(messageOf);
      },
    );
  messageRoutes(scope, gateway);
}

// Said in the first entry of the log: it must hold as long as the session does, whoever is connected.
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
      `There is a session ${id} already. Leave \`session_id\` out for a new one.`,
    );
  }
}

function messageRoutes(scope: FastifyInstance, gateway: Gateway): void {
  const say = { summary: 'Says something; the answer comes over the event stream', body: NewMessage };
  for (const url of bothPaths(`${project}/chat/:sid/message`))
    scope.post<OfSession>(url, { config: { about: say } }, async ({ params, body, peer }, reply) => {
      const { content, target_agent } = readInput(NewMessage(), body);
      const session = await gateway.session(params.sid, peer);
      if (target_agent != null && target_agent !== session.profile)
        await session.switchAgent(target_agent, 'The message names it.');
      await session.say(content, peer);
      return await reply
        .code(202)
        .send({ status: 'accepted', session_id: params.sid, agent: session.profile });
    });
  for (const url of bothPaths(`${project}/chat/:sid/cancel`))
    scope.post<OfSession>(
      url,
      { config: { about: { summary: 'Ends what is going on' } } },
      async (request) => {
        const session = await gateway.session(request.params.sid, request.peer, { mustExist: true });
        await session.cancel(request.peer);
        return { status: 'cancelled', session_id: request.params.sid };
      },
    );
}

function messageOf({ seq, time, body }: SessionEvent): object[] {
  const created_at = new Date(time).toISOString();
  if (body.type === 'turn.started' && body.agent === undefined)
    return [{ id: seq, role: 'user', content: body.text, created_at }];
  if (body.type === 'model.replied' && body.agent === undefined && body.reply.text !== '')
    return [{ id: seq, role: 'assistant', content: body.reply.text, created_at }];
  return [];
}
