// Taking part in a session over REST: its log in pages, saying something, deciding, calling tools oneself, and ending what goes on.
import { randomUUID } from 'node:crypto';
import { Decision, isCallId, type SessionEvent, ToolError } from '@codelab/protocol';
import { defaultProfile, latestTodos } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import { findLastInLog } from '../../log/find-in-log.ts';
import { profileOf } from '../../sessions/agent-type.ts';
import { actorOf, type Gateway, type Peer, type SharedSession } from '../../sessions/gateway.ts';
import { describeContext } from '../web/describe-context.ts';
import { readLogPage } from '../web/read-log-page.ts';

type ById = { Params: { id: string } };

const base = '/api/v1/sessions/:id';
const count = (most: number) => z.coerce.number().check(z.int(), z.gte(0), z.lte(most));
const Page = () =>
  z.object({
    since: z._default(count(Number.MAX_SAFE_INTEGER), 0),
    limit: z._default(count(5000), 2000),
  });
const Message = () =>
  z.strictObject({
    content: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
    agent_type: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  });
const Decided = () =>
  z.strictObject({
    approval_id: z.string().check(z.maxLength(200)),
    decision: Decision(),
    /** The approval's own, as it was shown: a decision about anything else is refused. A page that is signed in must say it. */
    binding: z.optional(z.string().check(z.maxLength(200))),
  });
const Call = () =>
  z.strictObject({
    tool: z.string().check(z.minLength(1), z.maxLength(200)),
    args: z._default(z.record(z.string(), z.unknown()), {}),
    call_id: z.optional(z.string().check(z.refine(isCallId, 'must be 1 to 200 printable characters'))),
    /** The person at the screen does it themselves: nobody is asked, a rule that denies it holds. */
    approve: z._default(z.boolean(), false),
  });
const ContextChange = () =>
  z.strictObject({
    action: z.enum(['add_file', 'remove_file', 'clear']),
    path: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  });

export function talkRoutes(app: FastifyInstance, gateway: Gateway): void {
  const find = (id: string, peer: Peer): Promise<SharedSession> =>
    gateway.session(id, peer, { mustExist: true });

  const log = {
    summary: 'Entries of the log after `since`; fewer than `limit` when they are long',
    query: Page,
  };
  app.get<ById>(`${base}/log`, { config: { about: log } }, async ({ params, peer, query }, reply) => {
    const session = await find(params.id, peer);
    return reply
      .type('application/json; charset=utf-8')
      .send(await readLogPage(session, readInput(Page(), query)));
  });

  const saying = { summary: 'Says something: begins a turn', body: Message };
  app.post<ById>(`${base}/messages`, { config: { about: saying } }, async ({ params, peer, body }, reply) => {
    const { content, agent_type, model } = readInput(Message(), body);
    const session = await find(params.id, peer);
    const profile = agent_type === undefined ? session.profile : profileOf(agent_type);
    if (profile !== session.profile) await session.switchAgent(profile);
    await session.say(content, peer, model === undefined ? {} : { model });
    return reply.code(202).send({ session_id: session.id });
  });

  const ending = { summary: 'Ends the turn, and calls that were made here' };
  app.post<ById>(`${base}/cancel`, { config: { about: ending } }, async ({ params, peer }, reply) => {
    const session = await find(params.id, peer);
    await session.cancel(peer);
    return reply.code(202).send({ session_id: session.id });
  });

  const deciding = { summary: 'Decides what waits; the first decision counts', body: Decided };
  app.post<ById>(`${base}/decisions`, { config: { about: deciding } }, async ({ params, peer, body }) => {
    return await decide(await find(params.id, peer), peer, readInput(Decided(), body));
  });
  callRoutes(app, find);
  contextRoutes(app, gateway, find);
}

type Find = (id: string, peer: Peer) => Promise<SharedSession>;

function callRoutes(app: FastifyInstance, find: Find): void {
  const calling = { summary: 'Calls a tool, and answers with its outcome', body: Call };
  app.post<ById>(`${base}/calls`, { config: { about: calling } }, async ({ params, peer, body }) => {
    const { tool, args, call_id: id = `call_${randomUUID()}`, approve } = readInput(Call(), body);
    const session = await find(params.id, peer);
    // A person is not held to the role they gave the agent.
    const call = { id, tool, args, dialect: 'codelab' as const, profile: defaultProfile };
    return { outcome: await session.call(call, actorOf(peer), { isConsented: approve }) };
  });
}

function contextRoutes(app: FastifyInstance, gateway: Gateway, find: Find): void {
  const looking = { summary: 'What the model is shown at every turn, and how full it is' };
  app.get<ById>(`${base}/context`, { config: { about: looking } }, async ({ params, peer }) =>
    describeContext(gateway, await find(params.id, peer)),
  );

  const changing = { summary: 'Pins a file, lets go of one or of all', body: ContextChange };
  app.post<ById>(`${base}/context`, { config: { about: changing } }, async ({ params, peer, body }) => {
    const { action, path } = readInput(ContextChange(), body);
    if (action !== 'clear' && path === undefined)
      throw new ToolError('INVALID_ARGUMENTS', '`path` is missing: say which file.', { field: 'path' });
    const session = await find(params.id, peer);
    await session.changeContext(action, path);
    return await describeContext(gateway, session);
  });

  const listing = { summary: 'The list of things to do' };
  app.get<ById>(`${base}/todos`, { config: { about: listing } }, async ({ params, peer }) => {
    const session = await find(params.id, peer);
    return { todos: await latestTodos(await session.host.session(session.id)) };
  });
}

async function decide(
  session: SharedSession,
  peer: Peer,
  { approval_id: approvalId, decision, binding }: z.infer<ReturnType<typeof Decided>>,
): Promise<object> {
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
