// The gateway over HTTP: the door, errors in our codes, and the routes. A route file is a plugin; adding one is a line here.
import { type ErrorCode, parseJson, ToolError } from '@codelab/protocol';
import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Gateway, Peer } from '../gateway/gateway.ts';
import type { Auth } from './auth/create-auth.ts';
import { httpStatus } from './http-status.ts';
import { createUsageBook } from './llm/usage-book.ts';
import { agentRoutes } from './routes/agents.ts';
import { approvalLinkRoutes } from './routes/approval-links.ts';
import { healthRoutes } from './routes/health.ts';
import { kodeChatRoutes } from './routes/kode-chat.ts';
import { llmProxyRoutes } from './routes/llm-proxy.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { openapiRoutes } from './routes/openapi.ts';
import { pluginRoutes } from './routes/plugin.ts';
import { sessionRoutes } from './routes/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer;
  }
  interface FastifyContextConfig {
    /** Answered without a token. */
    isOpen?: boolean;
    /** A browser opens it by its address alone, so that the token may stand there. */
    isStream?: boolean;
  }
}

export type AppOptions = {
  gateway: Gateway;
  auth: Auth;
  onFault?(error: unknown): void;
  /** Where the LLM proxy finds its providers. */
  env?: NodeJS.ProcessEnv;
  /** Requests to the LLM proxy for each key. */
  llmRate?: { perMinute: number; burst: number };
};

const maxBody = 10 * 1024 * 1024;
const maxDepth = 64;

export function createApp({ gateway, auth, onFault, env, llmRate }: AppOptions): FastifyInstance {
  const app = fastify({
    // Addresses may hold tokens, so requests are not logged.
    logger: false,
    bodyLimit: maxBody,
    requestTimeout: 60_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
  });
  app.server.headersTimeout = 15_000;
  app.decorateRequest('peer');
  app.addHook('onRequest', async (request) => {
    auth.checkOrigin(request.headers);
    if (request.routeOptions.config.isOpen) return;
    request.peer = await auth.admit(askingOf(request), 'http');
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) =>
      text === '' ? {} : parseJson(text, { bytes: maxBody, depth: maxDepth }),
  );
  app.setErrorHandler((error: FastifyError | ToolError, _request, reply) => {
    const said = describe(error);
    if (said.code === 'INTERNAL') onFault?.(error);
    if (said.code === 'RATE_LIMITED') void reply.header('retry-after', '60');
    if (said.code === 'UNAUTHORIZED') void reply.header('www-authenticate', 'Bearer');
    return reply.code(said.status).send({ error: said.error });
  });
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ error: { code: 'INVALID_ARGUMENTS', message: `There is nothing at ${pathOf(request)}.` } }),
  );
  const usage = createUsageBook();
  openapiRoutes(app);
  healthRoutes(app, gateway);
  agentRoutes(app, gateway);
  approvalLinkRoutes(app, gateway);
  sessionRoutes(app, gateway);
  pluginRoutes(app, gateway);
  kodeChatRoutes(app, gateway);
  llmProxyRoutes(app, gateway, {
    usage,
    ...(env && { env }),
    ...(llmRate && { rate: llmRate }),
    ...(onFault && { onFault }),
  });
  metricsRoutes(app, gateway, { usage });
  return app;
}

function askingOf({ headers, url, ip, routeOptions }: FastifyRequest) {
  return { headers, url, address: ip, takesQueryToken: routeOptions.config.isStream === true };
}

type Said = {
  status: number;
  code: ErrorCode;
  error: { code: ErrorCode; message: string; details?: Record<string, unknown> };
};

function describe(error: FastifyError | ToolError): Said {
  if (error instanceof ToolError) {
    const { code, message, details } = error;
    return { status: httpStatus(code), code, error: { code, message, ...(details && { details }) } };
  }
  // What fastify itself refuses: too large, no such content type, an address that can't be read.
  const status = error.statusCode ?? 500;
  if (status < 500) {
    const code = status === 413 ? 'FILE_TOO_LARGE' : 'INVALID_FORMAT';
    return { status, code, error: { code, message: error.message } };
  }
  const message = 'Something went wrong in the gateway.';
  return { status: 500, code: 'INTERNAL', error: { code: 'INTERNAL', message } };
}

function pathOf({ url }: FastifyRequest): string {
  return url.slice(0, 200).replace(/\?.*$/, '');
}
