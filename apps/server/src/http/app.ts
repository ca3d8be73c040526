// The gateway over HTTP: authentication, errors in our codes, and the routes. A route file is a plugin; adding one is a line here.
import { isUtf8 } from 'node:buffer';
import { parseJson, ToolError } from '@codelab/protocol';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Cluster } from '../cluster/cluster.ts';
import { allowOrigin } from '../edge/allow-origin.ts';
import { type Auth, checkOneHost } from '../edge/auth/create-auth.ts';
import { epochHeader, proofHeader } from '../edge/auth/page-proof.ts';
import { answerExpectations, brokenRequests } from '../edge/http-server.ts';
import type { ExtraOffer } from '../mcp/server/extra-offer.ts';
import { noLines } from '../observe/log-lines.ts';
import { createLiveMetrics } from '../observe/metrics/metric.ts';
import { type RequestWatch, requestIds, watchRequests } from '../observe/watch-peers.ts';
import type { Gateway, Peer } from '../sessions/gateway.ts';
import type { PersonTerminals } from '../terminals/terminals.ts';
import { answerErrors, handOnIfReached } from './answer-errors.ts';
import { checkAnswers } from './check-answers.ts';
import { createUsageBook } from './llm/usage-book.ts';
import { serveAgents } from './routes/agents.ts';
import { serveApprovalLinks } from './routes/approval-links.ts';
import { serveConversation } from './routes/conversation.ts';
import { serveFiles } from './routes/files.ts';
import { serveDescription, serveHealth } from './routes/health.ts';
import { serveMetrics } from './routes/metrics.ts';
import { serveKodeChat } from './routes/protocols/kode-chat.ts';
import { serveModels } from './routes/protocols/llm-proxy.ts';
import { serveMcp } from './routes/protocols/mcp.ts';
import { servePlugin } from './routes/protocols/plugin/plugin.ts';
import { serveSessions } from './routes/sessions.ts';
import { serveScreen } from './routes/web/screen.ts';
import { serveSettings } from './routes/web/settings.ts';
import { serveWebApp, type WebAppOptions } from './routes/web/web-app.ts';
import { serveWork } from './routes/work.ts';
import { type ModelSettings, openModelSettings } from './settings/model-settings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer;
    /** The body as received; undefined when there was none. */
    rawBody: Buffer | undefined;
  }
  interface FastifyContextConfig {
    /** The route needs no token. */
    isOpen?: boolean;
    /** A browser opens the stream by its address alone, so the token may be in the address. */
    isStream?: boolean;
    /** The route changes and decides nothing, so programs started by a tool may use it. */
    isForTools?: boolean;
    /** The request is for the gateway that has the session `id`; others hand it on unread. */
    isForOwner?: boolean;
    /** Whether a GET changes something nevertheless. */
    changes?(request: FastifyRequest): boolean;
  }
}

export type AppOptions = {
  gateway: Gateway;
  auth: Auth;
  /** Counts requests; without it only /metrics does. */
  seen?: RequestWatch;
  onFault?(error: unknown): void;
  /**
   * The environment in which providers are found. Settings from a screen are written into it, so it must be the one that `gateway` opens
   * models with.
   */
  env?: NodeJS.ProcessEnv;
  /** The model settings; opened here when the caller has not opened them. */
  settings?: ModelSettings;
  /** Whether a flag, a variable or a configuration sets the mode; then a choice for the workspace does not count. */
  isModeNamed?: boolean;
  version?: string | undefined;
  /** Requests to the LLM proxy for each key. */
  llmRate?: { perMinute: number; burst: number };
  /** The web IDE; without it there is none. */
  web?: Omit<WebAppOptions, 'auth' | 'rates'>;
  /** The operator's own terminals; without it there are none. */
  terminals?: PersonTerminals;
  /** Additional MCP features for the conformance tests. */
  mcpExtra?: ExtraOffer;
  /** For tests: a response that differs from the API table is a defect. */
  checksAnswers?: boolean;
  /** The other gateways that use the same log. */
  cluster?: Cluster | undefined;
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
  ...options
}: AppOptions): FastifyInstance {
  const watch = options.seen ?? { lines: noLines, live: createLiveMetrics() };
  const app = createServer();
  watchRequests(app, watch);
  guard(app, auth);
  handOnUnread(app, gateway, auth);
  readBodies(app);
  answerErrors(app, auth, onFault);
  if (options.checksAnswers) checkAnswers(app);
  const usage = createUsageBook();
  serveDescription(app);
  serveHealth(app, gateway);
  serveAgents(app, gateway);
  serveApprovalLinks(app, gateway);
  serveSessions(app, gateway);
  serveConversation(app, gateway);
  serveScreen(app, gateway);
  serveFiles(app, gateway);
  const {
    version,
    isModeNamed = true,
    settings = openModelSettings({ ...placesOf(gateway), env }),
  } = options;
  serveSettings(app, gateway, { settings, isModeNamed, ...(version !== undefined && { version }) });
  serveWork(app, gateway, { settings, terminals: options.terminals });
  servePlugin(app, gateway);
  serveKodeChat(app, gateway);
  serveMcp(app, gateway, {
    ...(version !== undefined && { version }),
    ...(onFault && { onFault }),
    ...(options.mcpExtra && { extra: options.mcpExtra }),
  });
  serveModels(app, gateway, {
    ...{ usage, settings, rates: options.cluster?.rates },
    ...(llmRate && { rate: llmRate }),
    ...(onFault && { onFault }),
  });
  serveMetrics(app, gateway, { usage, live: watch.live, cluster: options.cluster });
  if (web !== undefined) serveWebApp(app, { auth, rates: options.cluster?.rates, ...web });
  return app;
}

function createServer(): FastifyInstance {
  const app = fastify({
    // Addresses may contain tokens, so fastify's own log lines are disabled.
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
  return app;
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      request.rawBody = body;
      return readBody(body);
    },
  );
}

function placesOf({ host }: Gateway): { home: string; root: string } {
  return { home: host.home, root: host.workspace.root.real };
}

function guard(app: FastifyInstance, auth: Auth): void {
  app.addHook('onRequest', async (request, reply) => {
    // A browser must neither render a file's content as a page nor cache it.
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
  app.addHook('preHandler', async (request) => {
    request.peer?.checkBody?.(request.rawBody);
    await checkPage(request);
  });
}

/** The handler has the last word, where the other gateway was not reached. */
function handOnUnread(app: FastifyInstance, gateway: Gateway, auth: Auth): void {
  app.addHook('preHandler', async (request, reply) => {
    const { id } = request.params as { id?: string };
    if (!request.routeOptions.config.isForOwner || id === undefined) return;
    const owner = gateway.ownerElsewhere(id);
    if (owner !== undefined) await handOnIfReached(owner, auth, { request, reply });
  });
}

// Decoding would silently replace bytes that are not UTF-8, so such a body is refused.
function readBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ToolError('INVALID_FORMAT', 'The body is not UTF-8.');
  return body.length === 0 ? {} : parseJson(body.toString('utf8'), { bytes: maxBody, depth: maxDepth });
}

function askingOf(request: FastifyRequest) {
  const { headers, method, url, ip, routeOptions } = request;
  const takesQueryToken = routeOptions.config.isStream === true;
  return { headers, method, url, address: ip, takesQueryToken, isSafe: isSafe(request) };
}

function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

// A signed-in page proves each change with a key that the browser never sends, so a stolen cookie is not enough.
async function checkPage(request: FastifyRequest): Promise<void> {
  const { peer, method, url, rawBody, headers } = request;
  if (peer?.page === undefined || isSafe(request)) return;
  const proof = headers[proofHeader];
  const body = rawBody ?? Buffer.alloc(0);
  await peer.page.proofs.check({ method, url, body, proof: typeof proof === 'string' ? proof : undefined });
}
