// The plugin's event stream, as server-sent events or as lines of JSON, resumed where it broke off.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pluginRoutes, type RouteQuery } from '@codelab/api';
import {
  createPluginEncoder,
  encodeBoundedEvent,
  type Framing,
  framingOf,
  framingTypes,
  type PluginEncoder,
  type PluginEvent,
} from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cutSlowReader } from '../../../../edge/cut-slow-reader.ts';
import { goneSignal } from '../../../../edge/gone-signal.ts';
import { findInLog } from '../../../../log/entries.ts';
import type { Gateway, Peer, SharedSession } from '../../../../sessions/gateway.ts';
import { expirySignal, mergeStreams, withHeartbeat } from '../../../event-stream.ts';
import { executionSignals, type Jobs } from '../../../plugin/execution-signals.ts';
import type { Receipts } from '../../../plugin/receipts.ts';
import { serveRoute } from '../../../route.ts';

const heartbeatMs = 30_000;

type Events = typeof pluginRoutes.chatEvents;

export function servePluginEvents(scope: FastifyInstance, gateway: Gateway, receipts: Receipts): void {
  serveRoute(
    scope,
    pluginRoutes.chatEvents,
    async ({ params, peer, query, request, reply }) => {
      const framing = framingOf(request.headers.accept);
      const since = sinceOf(request.headers, query);
      const session = await gateway.session(params.sid, peer, { mustExist: true });
      const isRemote = session.client !== undefined;
      const takes = isExecutor(query.role, isRemote) ? jobsFor(gateway, peer, receipts) : undefined;
      if (takes !== undefined) refusePage(peer);
      const signal = AbortSignal.any([goneSignal(reply), gateway.host.closing, ...expirySignal(peer)]);
      if (!isRemote && query.role !== 'viewer') session.goOn();
      cutSlowReader(reply.raw);
      reply
        .header('content-type', framingTypes[framing])
        .header('cache-control', 'no-cache, no-transform')
        .header('x-accel-buffering', 'no');
      return reply.send(Readable.from(frames(session, { since, framing, signal, isRemote, takes })));
    },
    { changes: takesPart },
  );
}

/** A stream that is not read-only gets calls, or makes a turn continue. */
function takesPart({ query }: FastifyRequest): boolean {
  return (query as { role?: unknown }).role !== 'viewer';
}

/** A signed-in page proves each change, which a stream can't. */
function refusePage({ page }: Peer): void {
  if (page === undefined) return;
  throw new ToolError('PERMISSION_DENIED', 'A page’s stream only listens: connect with role=viewer.');
}

// A stream has no name: after a reconnect it counts as another executor of the same person.
function jobsFor({ executors }: Gateway, { subject }: Peer, receipts: Receipts): Jobs {
  return { executors, receipts, executor: { id: randomUUID(), who: subject, isNamed: false } };
}

type Options = {
  since: number | undefined;
  framing: Framing;
  signal: AbortSignal;
  isRemote: boolean;
  /** The source of this stream's jobs, when it is an executor's. */
  takes: Jobs | undefined;
};

async function* frames(session: SharedSession, options: Options): AsyncGenerator<string> {
  const { framing, signal, takes, isRemote } = options;
  const encoder = createPluginEncoder({ session: session.id, acks: isRemote });
  // Sent immediately, so that the client knows it is connected.
  if (framing === 'sse') yield 'retry: 1000\n\n';
  if (framing === 'ndjson') yield encodeBoundedEvent(encoder.heartbeat(), framing);
  const events = takes
    ? mergeStreams(
        describeMessages(session, encoder, options),
        executionSignals(session, takes, { encoder, signal }),
      )
    : describeMessages(session, encoder, options);
  for await (const event of withHeartbeat(events, heartbeatMs, encoder.heartbeat))
    yield encodeBoundedEvent(event, framing);
}

async function* describeMessages(
  session: SharedSession,
  encoder: PluginEncoder,
  { since, signal }: Options,
): AsyncGenerator<PluginEvent> {
  const from = since ?? (await oldestOpen(session));
  for await (const message of session.listen({ since: from, signal })) yield* encoder.encode(message);
}

/** Without a position, a stream begins with the oldest pending approval. */
async function oldestOpen(session: SharedSession): Promise<number> {
  const pendingIds = new Set((await session.pending()).map(({ id }) => id));
  if (pendingIds.size === 0) return await session.head();
  const first = await findInLog(
    session.host.log,
    session.id,
    ({ body }) => body.type === 'approval.requested' && pendingIds.has(body.approval.id),
  );
  return (first?.seq ?? 1) - 1;
}

/** The chat says who executes when it is opened; a stream of such a chat is the executor's unless it says otherwise. */
function isExecutor(role: RouteQuery<Events>['role'], isRemote: boolean): boolean {
  const requestedRole = role ?? (isRemote ? 'executor' : 'approver');
  if (requestedRole !== 'executor') return false;
  if (isRemote) return true;
  const message =
    'The gateway carries out the calls of this chat. Open one with `executor: "client"` to do it yourself.';
  throw new ToolError('INVALID_ARGUMENTS', message, { field: 'role' });
}

// A browser that reconnects sends its position in the header; the address still has the old one.
function sinceOf(headers: IncomingHttpHeaders, query: RouteQuery<Events>): number | undefined {
  const text = headers['last-event-id'] ?? query.since;
  if (text === undefined || text === '') return undefined;
  const since = /^\d{1,15}$/.test(String(text)) ? Number(text) : undefined;
  if (since !== undefined) return since;
  throw new ToolError('INVALID_ARGUMENTS', '`since` is the number of an event.', { field: 'since' });
}
