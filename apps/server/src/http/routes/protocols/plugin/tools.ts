// The plugin's tools over REST: the list, making a call, and the state of a call.
import { randomUUID } from 'node:crypto';
import { pluginRoutes, type RouteAnswer } from '@codelab/api';
import { findDialect, type Json, readPluginCall } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { inputSchema } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../../../sessions/gateway.ts';
import { foldCalls, writeRecord } from '../../../plugin/call-record.ts';
import type { CallFinder } from '../../../plugin/find-call.ts';
import { startCall } from '../../../plugin/start-call.ts';
import { serveRoute } from '../../../route.ts';

export function servePluginTools(scope: FastifyInstance, gateway: Gateway, calls: CallFinder): void {
  serveRoute(scope, pluginRoutes.execute, async ({ body, peer }) => {
    const { session_id, chat_session_id, tool_id: requestedId, ...toolRequest } = body;
    const tool_id = requestedId ?? randomUUID();
    const id = sessionOf(session_id, chat_session_id);
    const call = readPluginCall({ ...toolRequest, tool_id });
    const session = await gateway.session(id, peer);
    await startCall(session, call, { peer, calls, isUnique: requestedId === undefined });
    return writeRecord((await calls.find(tool_id, peer, id)).entry);
  });

  serveRoute(scope, pluginRoutes.available, () => listTools(gateway));

  serveRoute(scope, pluginRoutes.get, async ({ params, query, peer }) =>
    writeRecord((await calls.find(params.tid, peer, query.session_id)).entry),
  );

  serveRoute(scope, pluginRoutes.list, async ({ query: { session_id, limit, offset }, peer }) => {
    const session = await gateway.session(session_id, peer, { mustExist: true });
    const calls = [...foldCalls(await session.history()).values()].reverse();
    return {
      items: calls.slice(offset, offset + limit).map(writeRecord),
      total: calls.length,
      limit,
      offset,
    };
  });
}

function sessionOf(id: string | undefined, chatId: string | undefined): string {
  if (id !== undefined && chatId !== undefined && id !== chatId)
    throw new ToolError('INVALID_ARGUMENTS', '`session_id` and `chat_session_id` differ. Send one of them.', {
      field: 'chat_session_id',
    });
  return id ?? chatId ?? randomUUID();
}

function listTools({ host }: Gateway): RouteAnswer<typeof pluginRoutes.available> {
  const { runMs } = host.limits('plugin');
  const tools = findDialect('plugin').tools.flatMap((row) => {
    const tool = host.tools.get(row.tool);
    if (tool === undefined || row.isExtension) return [];
    const isReader = ['read', 'search', 'think'].includes(tool.kind);
    return [
      {
        name: row.name,
        description: tool.summary,
        parameters: inputSchema(row.input()) as Json,
        requires_approval: !isReader,
        risk_level: isReader ? ('low' as const) : ('high' as const),
        timeout_seconds: Math.round(runMs / 1000),
      },
    ];
  });
  return { success: true, tools, total_count: tools.length };
}
