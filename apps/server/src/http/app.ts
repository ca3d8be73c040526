// The gateway over HTTP: the door, errors in our codes, and the routes. A route file is a plugin; adding one is a line here.
import { isUtf8 } from 'node:buffer';
import { type ErrorCode, parseJson, resourceLimit, ToolError } from '@codelab/protocol';
import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { allowOrigin } from '../edge/allow-origin.ts';
import type { Auth } from '../edge/auth/create-auth.ts';
import { checkOneHost } from '../edge/auth/create-auth.ts';
import { epochHeader, proofHeader } from '../edge/auth/page-proof.ts';
import { answerExpectations, brokenRequests, httpStatus } from '../edge/http-errors.ts';
import { saidOf } from '../edge/said-of.ts';
import type { ExtraOffer } from '../mcp/server/extra-offer.ts';
import { noLines } from '../observe/log-lines.ts';
import { createLiveMetrics } from '../observe/metrics/metric.ts';
import { type HttpSeen, requestIds, watchRequests } from '../observe/watch-peers.ts';
import type { Gateway, Peer } from '../sessions/gateway.ts';
import { checkAnswers } from './check-answers.ts';
import { createUsageBook } from './llm/usage-book.ts';
import { serveAgents } from './routes/agents.ts';
import { serveApprovalLinks } from './routes/approval-links.ts';
import { serveConversation } from './routes/conversation.ts';
import { serveFiles } from './routes/files.ts';
import { serveHealth } from './routes/health.ts';
import { serveKodeChat } from './routes/kode-chat.ts';
import { serveModels } from './routes/llm-proxy.ts';
import { serveMcp } from './routes/mcp.ts';
import { serveMetrics } from './routes/metrics.ts';
import { serveDescription } from './routes/openapi.ts';
import { servePlugin } from './routes/plugin.ts';
import { serveSessions } from './routes/sessions.ts';
import { serveSettings } from './routes/settings.ts';
import { serveWebApp, type WebAppOptions } from './routes/web-app.ts';
import { serveWork } from './routes/work.ts';
import { type ModelSettings, openModelSettings } from './settings/model-settings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer;
    /** The body as it came; undefined when there was none. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** Answered without a token. */
    isOpen?: boolean;
    /** A browser opens it by its address alone, so that the token may stand there. */
    isStream?: boolean;
    /** Decides and changes nothing of the workspace, so that programs which a tool started may use it. */
    isForTools?: boolean;
    /** Whether a GET changes something all the same. */
    changes?(request: FastifyRequest): boolean;
  }
}

export type AppOptions = {
  gateway: Gateway;
  auth: Auth;
  /** Who keeps count; without it only /metrics does. */
  seen?: HttpSeen;
  onFault?(error: unknown): void;
  /** Where providers are found. What is set from a screen is put in here, so it must be the one that `gateway` opens models with. */
  env?: NodeJS.ProcessEnv;
  /** Which model and whose keys; opened here when somebody has not done so before. */
  settings?: ModelSettings;
  version?: string | undefined;
  /** Requests to the LLM proxy for each key. */
  llmRate?: { perMinute: number; burst: number };
  /** The web IDE; without it there is none. */
  web?: Omit<WebAppOptions, 'auth'>;
  /** For the conformance tests. */
  mcpExtra?: ExtraOffer;
  /** For tests: an answer that is not what the API table says is a defect. */
  checksAnswers?: boolean;
};

const maxBody = 10 * 1024 * 1024;
const maxDepth = 64;

export function createApp({
  gateway,
  auth,
  onFault,
  env = { ...process.env },
  llmRate,
  web,
  ...given
}: AppOptions): FastifyInstance {
  const seen = given.seen ?? { lines: noLines, live: createLiveMetrics() };
  const app = fastify({
    // Addresses may hold tokens, so fastify's own lines are not wanted.
    logger: false,
    genReqId: requestIds(),
    bodyLimit: maxBody,
    requestTimeout: 60_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
    ...brokenRequests,
  });
  app.server.headersTimeout = 15_000;
  answerExpectations(app.server);
  app.decorateRequest('peer');
  app.decorateRequest('rawBody');
  watchRequests(app, seen);
  guard(app, auth);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      request.rawBody = body;
      return readBody(body);
    },
  );
  answerErrors(app, onFault);
  if (given.checksAnswers) checkAnswers(app);
  const usage = createUsageBook();
  serveDescription(app);
  serveHealth(app, gateway);
  serveAgents(app, gateway);
  serveApprovalLinks(app, gateway);
  serveSessions(app, gateway);
  serveConversation(app, gateway);
  serveFiles(app, gateway);
  const { version, settings = openModelSettings({ ...placesOf(gateway), env }) } = given;
  serveSettings(app, gateway, { settings, ...(version !== undefined && { version }) });
  serveWork(app, gateway);
  servePlugin(app, gateway);
  serveKodeChat(app, gateway);
  serveMcp(app, gateway, {
    ...(version !== undefined && { version }),
    ...(onFault && { onFault }),
    ...(given.mcpExtra && { extra: given.mcpExtra }),
  });
  serveModels(app, gateway, {
    usage,
    settings,
    ...(llmRate && { rate: llmRate }),
    ...(onFault && { onFault }),
  });
  serveMetrics(app, gateway, { usage, live: seen.live });
  if (web !== undefined) serveWebApp(app, { auth, ...web });
  return app;
}

function placesOf({ host }: Gateway): { home: string; root: string } {
  return { home: host.home, root: host.workspace.root.real };
}

function guard(app: FastifyInstance, auth: Auth): void {
  app.addHook('onRequest', async (request, reply) => {
    // What stands in a file must never be taken for a page, nor stay behind in a browser.
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    checkOneHost(request.raw);
    auth.checkOrigin(request.headers);
    if (allowOrigin(request, reply)) return;
    const { isOpen, isForTools, changes } = request.routeOptions.config;
    const isReading = isSafe(request) && changes?.(request) !== true;
    if (!isReading && !isForTools) await auth.checkProcess?.(request.raw.socket);
    if (isOpen) return;
    request.peer = await auth.admit(askingOf(request), 'http');
    if (request.peer.page) void reply.header(epochHeader, request.peer.page.proofs.epoch);
  });
  app.addHook('preHandler', async (request) => checkPage(request));
}

// Bytes that are no text would become other ones on the way, and nobody would notice.
function readBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ToolError('INVALID_FORMAT', 'The body is no UTF-8.');
  return body.length === 0 ? {} : parseJson(body.toString('utf8'), { bytes: maxBody, depth: maxDepth });
}

function answerErrors(app: FastifyInstance, onFault: AppOptions['onFault']): void {
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
}

function askingOf(request: FastifyRequest) {
  const { headers, url, ip, routeOptions } = request;
  const takesQueryToken = routeOptions.config.isStream === true;
  return { headers, url, address: ip, takesQueryToken, isSafe: isSafe(request) };
}

function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

// A page that is signed in proves each change; whoever has no proof has at most stolen what a browser sends.
function checkPage(request: FastifyRequest): void {
  const { peer, method, url, rawBody, headers } = request;
  if (peer?.page === undefined || isSafe(request)) return;
  const proof = headers[proofHeader];
  const body = rawBody ?? Buffer.alloc(0);
  peer.page.proofs.check({ method, url, body, proof: typeof proof === 'string' ? proof : undefined });
}

type Said = {
  status: number;
  code: ErrorCode;
  error: { code: ErrorCode; message: string; details?: Record<string, unknown> };
};

function describe(error: FastifyError | ToolError): Said {
  const limited = resourceLimit(error);
  if (limited !== undefined) return describe(limited);
  if (error instanceof ToolError) {
    const { code, message, details } = error;
    return { status: httpStatus(code), code, error: { code, message, ...(details && { details }) } };
  }
  // What fastify itself refuses: too large, no such content type, an address that can't be read.
  const status = error.statusCode ?? 500;
  if (status < 500) {
    const said = status === 400 ? saidOf(0, error.message) : saidOf(status, error.message);
    return { status, code: said.code, error: said };
  }
  const message = 'Something went wrong in the gateway.';
  return { status: 500, code: 'INTERNAL', error: { code: 'INTERNAL', message } };
}

function pathOf({ url }: FastifyRequest): string {
  return url.slice(0, 200).replace(/\?.*$/, '');
}
