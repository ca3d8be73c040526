// The plugin's tools over REST: what there is, making a call, and how a call stands.
import { randomUUID } from 'node:crypto';
import { findDialect, type Json } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { inputSchema } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { foldCalls, writeRecord } from '../plugin/call-record.ts';
import type { CallFinder } from '../plugin/find-call.ts';
import { bothPaths, project } from '../plugin/plugin-scope.ts';
import { startCall } from '../plugin/start-call.ts';

const params = () => z.optional(z.record(z.string(), z.unknown()));

const NewCall = () =>
  z.strictObject({
    tool_name: z.string(),
    tool_params: params(),
    args: params(),
    arguments: params(),
    session_id: z.optional(z.string()),
    chat_session_id: z.optional(z.string()),
    /** Sent again with the same id, a call is not made again. */
    tool_id: z.optional(z.string()),
    requires_approval: z.optional(z.boolean()),
  });

const Page = () =>
  z.object({
    session_id: z.string(),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 50),
    offset: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
  });

type OfTool = { Params: { tid: string }; Querystring: { session_id?: string } };

export function pluginToolRoutes(scope: FastifyInstance, gateway: Gateway, calls: CallFinder): void {
  const make = {
    summary: 'Makes a call; what it comes to is also told over the event stream',
    body: NewCall,
  };
  scope.post(`${project}/tools/execute`, { config: { about: make } }, async ({ body, peer }) => {
    const { session_id, chat_session_id, tool_id: given, ...asked } = readInput(NewCall(), body);
    const tool_id = given ?? randomUUID();
    const id = sessionOf(session_id, chat_session_id);
    const message = findDialect('plugin').decode(
      { ...asked, type: 'tool_call', tool_id },
      { isLasting: true },
    );
    if (message.type !== 'call') throw new ToolError('INVALID_FORMAT', 'This is not a call.');
    const session = await gateway.session(id, peer);
    await startCall(session, message.call, { peer, calls, isUnique: given === undefined });
    return writeRecord((await calls.find(tool_id, peer, id)).entry);
  });
  const available = { summary: 'The tools of the plugin' };
  scope.get(`${project}/tools/available`, { config: { about: available } }, () => listTools(gateway));
  const look = { summary: 'How a call stands, and what came of it' };
  scope.get<OfTool>(`${project}/tools/:tid`, { config: { about: look } }, async ({ params, query, peer }) =>
    writeRecord((await calls.find(params.tid, peer, query.session_id)).entry),
  );
  const list = { summary: 'The calls of a chat, newest first', query: Page };
  for (const url of bothPaths(`${project}/tools`))
    scope.get(url, { config: { about: list } }, async ({ query, peer }) => {
      const { session_id, limit, offset } = readInput(Page(), query);
      const session = await gateway.session(session_id, peer, { mustExist: true });
      const all = [...foldCalls(await session.history()).values()].reverse();
      return { items: all.slice(offset, offset + limit).map(writeRecord), total: all.length, limit, offset };
    });
}

function sessionOf(one: string | undefined, other: string | undefined): string {
  if (one !== undefined && other !== undefined && one !== other)
    throw new ToolError('INVALID_ARGUMENTS', '`session_id` and `chat_session_id` say different things.', {
      field: 'chat_session_id',
    });
  return one ?? other ?? randomUUID();
}

function listTools({ host }: Gateway): Json {
  const { runMs } = host.limits('plugin');
  const tools = findDialect('plugin').tools.flatMap((row) => {
    const tool = host.tools.get(row.tool);
    if (tool === undefined) return [];
    const isReader = ['read', 'search', 'think'].includes(tool.kind);
    return [
      {
        name: row.name,
        description: tool.summary,
        parameters: inputSchema(row.input()),
        requires_approval: !isReader,
        risk_level: isReader ? 'low' : 'high',
        timeout_seconds: Math.round(runMs / 1000),
      },
    ];
  });
  return { success: true, tools, total_count: tools.length };
}
