// The gateway's tools for MCP clients at `/mcp` (streamable HTTP). The protocol's own code is loaded with the first request.
import {
  approvalRoutes,
  mcpRoutes,
  pathOf,
  type RouteAnswer,
  type RouteQuery,
  webRoutes,
} from '@codelab/api';
import { type ApprovalRequest, longestTimerMs, visibleLine } from '@codelab/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { goneSignal } from '../../../edge/gone-signal.ts';
import type { McpEndpoint } from '../../../mcp/server/create-endpoint.ts';
import type { ExtraOffer } from '../../../mcp/server/extra-offer.ts';
import { sendResponse } from '../../../mcp/server/send-response.ts';
import type { Gateway, SharedSession } from '../../../sessions/gateway.ts';
import { isServed, serveRoute } from '../../route.ts';

type Options = { version?: string; onFault?(error: unknown): void; extra?: ExtraOffer };

// Authentication has already read the token, so the protocol does not get it.
const passedOn = /^(?:accept|content-type|last-event-id|mcp-.+)$/;

export function serveMcp(
  app: FastifyInstance,
  gateway: Gateway,
  { version = '0.0.0', onFault = () => undefined, extra }: Options,
): void {
  let opening: Promise<McpEndpoint> | undefined;
  async function open(): Promise<McpEndpoint> {
    const { createMcpEndpoint } = await import('../../../mcp/server/create-endpoint.ts');
    return createMcpEndpoint({ gateway, version, onFault, ...(extra && { extra }) });
  }
  // Closed before the connections are cut, so that what clients wait for stays pending.
  app.addHook('preClose', async () => await (await opening)?.close());

  async function handle(request: FastifyRequest, reply: FastifyReply, { profile, session }: Where) {
    opening ??= open();
    const { peer, body } = request;
    endWithProof(request, reply);
    const response = await (await opening).fetch(webRequest(request, goneSignal(reply)), {
      peer: { ...peer, via: 'mcp' },
      profile,
      session,
      body,
      tellWay: (session, approval) => describeWay(request, session, approval),
      placeToDecide: (session) => placeToDecide(request, session),
    });
    await sendResponse(reply, response);
    return undefined;
  }
  for (const spec of Object.values(mcpRoutes))
    serveRoute(app, spec, ({ request, reply, query }) => handle(request, reply, query), { hasRawBody: true });
}

type Where = RouteQuery<typeof mcpRoutes.send>;

function webRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const requestHeaders = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && passedOn.test(name) ? [[name, value]] : [],
  );
  return new Request('http://localhost/mcp', { method, headers: requestHeaders, signal });
}

/** An open stream ends when its peer's token expires or its browser signs out. */
function endWithProof({ peer, method, body }: FastifyRequest, { raw }: FastifyReply): void {
  const { method: rpcMethod } = (body ?? {}) as { method?: unknown };
  const isStanding = method === 'GET' || rpcMethod === 'subscriptions/listen';
  if (!isStanding || peer.until === undefined) return;
  const expiry = setTimeout(() => raw.destroy(), Math.min(longestTimerMs, peer.until - Date.now()));
  raw.once('close', () => clearTimeout(expiry));
}

/** Adds a link that decides this one approval, with the rights of the peer. */
async function describeWay(
  { server, headers, host }: FastifyRequest,
  session: SharedSession,
  { id, tool, plan }: ApprovalRequest,
): Promise<string> {
  const { authorization, 'x-api-key': key } = headers;
  const linkReply = await server.inject({
    method: 'POST',
    url: pathOf(approvalRoutes.link, { id: session.id, approval: id }),
    headers: { host, ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) },
  });
  const command = `\`codelab approvals approve ${id}\``;
  const notice = `${visibleLine(tool)} waits for a human: ${visibleLine(plan.summary)}.`;
  if (linkReply.statusCode !== 201) return `${notice} Decide with ${command} in a terminal.`;
  const { url, expires_at } = linkReply.json<RouteAnswer<typeof approvalRoutes.link>>();
  return `${notice} Decide at ${url} until ${expires_at} (the link works once), or with ${command} in a terminal.`;
}

/** The page requires a sign-in, so its address alone decides nothing. The page's own host name is left out, because models read this. */
function placeToDecide({ server, protocol, host }: FastifyRequest, { id }: SharedSession): string {
  const command = 'with `codelab approvals watch` in a terminal of this machine';
  const hasPage = isServed(server, webRoutes.page);
  return hasPage ? `at ${protocol}://${host}/#/${id}, or ${command}` : command;
}
