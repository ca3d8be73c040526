// Registers a route of the API table: its input is read with the table's schemas, its answer has the table's type and status.
import type { Route, RouteAnswer, RouteBody, RouteParams, RouteQuery } from '@codelab/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readInput } from '../edge/http-errors.ts';
import type { Peer } from '../sessions/gateway.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row of the API table that the handler was made from. */
    route?: Route;
  }
}

type RouteInput<R extends Route> = {
  params: RouteParams<R>;
  query: RouteQuery<R>;
  body: RouteBody<R>;
  peer: Peer;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A handler that sends the response itself returns the reply, or nothing once it has started a stream. */
type Handler<R extends Route> = (
  input: RouteInput<R>,
) => RouteAnswer<R> | FastifyReply | Promise<RouteAnswer<R> | FastifyReply | undefined>;

type Options = {
  /** The source of the query, where a header counts as well. */
  queryOf?(request: FastifyRequest): unknown;
  /** The handler reads the body itself. */
  hasRawBody?: true;
  bodyLimit?: number;
  /** The route changes and decides nothing, so programs started by a tool may use it. */
  isForTools?: true;
  /** The gateway that has the session `id` reads the request, so another one hands it on unread. */
  isForOwner?: true;
  /** Whether a GET changes something nevertheless. */
  changes?(request: FastifyRequest): boolean;
};

export function serveRoute<R extends Route>(
  app: FastifyInstance,
  spec: R,
  handler: Handler<R>,
  options: Options = {},
): void {
  const { isForTools = false, isForOwner = false, changes, bodyLimit } = options;
  const { isOpen = false, isStream = false } = spec;
  const config = { route: spec, isOpen, isStream, isForTools, isForOwner, ...(changes && { changes }) };
  for (const path of [spec.path, ...(spec.also ?? [])])
    app.route({
      method: spec.method,
      url: routerPath(path),
      config,
      // A HEAD request would open the stream, take its jobs, and never read them.
      ...(isStream && { exposeHeadRoute: false }),
      ...(bodyLimit !== undefined && { bodyLimit }),
      handler: (request, reply) => answer(spec, handler, { request, reply, options }),
    });
}

/** Whether this gateway serves the route: a gateway without files or without the page has fewer. */
export function isServed(app: FastifyInstance, { method, path }: Route): boolean {
  return app.hasRoute({ method, url: routerPath(path) });
}

type Exchange = { request: FastifyRequest; reply: FastifyReply; options: Options };

async function answer<R extends Route>(
  spec: R,
  handler: Handler<R>,
  { request, reply, options: { queryOf, hasRawBody } }: Exchange,
): Promise<FastifyReply> {
  const query = spec.query && readInput(spec.query(), queryOf ? queryOf(request) : request.query);
  const body = spec.body && !hasRawBody ? readInput(spec.body(), request.body) : undefined;
  const { params, peer } = request;
  const input = { params, query, body, peer, request, reply } as RouteInput<R>;
  const answer = await handler(input);
  const { status = 200 } = spec;
  if (status === 204 && !reply.sent) return reply.code(204).send();
  return answer === undefined || answer === reply || reply.sent ? reply : reply.code(status).send(answer);
}

function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
