// The models of this gateway in OpenAI's manner: `/v1/chat/completions`, `/v1/models`, and what each key has used.
import { Readable } from 'node:stream';
import { modelRoutes, type RouteAnswer } from '@codelab/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { goneSignal } from '../../../edge/gone-signal.ts';
import { createRateLimit, type RateShares } from '../../../edge/rate-limit.ts';
import type { Gateway } from '../../../sessions/gateway.ts';
import { ProxyError, proxyErrorOf } from '../../llm/proxy-error.ts';
import { serveChat } from '../../llm/serve-chat.ts';
import { createUsageBook, type UsageBook } from '../../llm/usage-book.ts';
import { serveRoute } from '../../route.ts';
import type { ModelSettings } from '../../settings/model-settings.ts';

export type LlmProxyOptions = {
  settings: ModelSettings;
  /** The limit for each key. */
  rate?: { perMinute: number; burst: number };
  usage?: UsageBook;
  rates?: RateShares | undefined;
  onFault?(error: unknown): void;
};

const bodyLimit = 20 * 1024 * 1024;

export function serveModels(app: FastifyInstance, gateway: Gateway, options: LlmProxyOptions): void {
  const { settings, rate = { perMinute: 60, burst: 10 }, usage = createUsageBook() } = options;
  const perSecond = rate.perMinute / 60;
  const limit = createRateLimit({ perSecond, burst: rate.burst }, options.rates?.of('models'));
  const serving = { gateway, settings, usage };
  void app.register(async (scope) => {
    // The body is kept as received, so that it is passed on unchanged.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, onParsed) =>
      onParsed(null, body),
    );
    scope.setErrorHandler((error, _request, reply) => {
      const fault = proxyErrorOf(error);
      if (fault.status === 500) options.onFault?.(error);
      return refuse(reply, fault);
    });
    serveCompletions(scope, serving, (key) => {
      if (!limit.take(key)) throw tooMany(rate);
    });
    serveModelLists(scope, serving);
    serveUsage(scope, usage);
  });
}

type ModelServing = { gateway: Gateway; settings: ModelSettings; usage: UsageBook };

/** `admit` throws when a key has asked too often. */
function serveCompletions(scope: FastifyInstance, serving: ModelServing, admit: (key: string) => void): void {
  serveRoute(
    scope,
    modelRoutes.complete,
    async ({ request, reply }) => {
      const key = request.peer.subject;
      admit(key);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { type, body } = await serveChat(serving, { bytes, key, signal: goneSignal(reply) });
      reply
        .header('content-type', type)
        .header('cache-control', 'no-cache')
        .header('x-accel-buffering', 'no');
      return Symbol.asyncIterator in body ? reply.send(Readable.from(body)) : reply.send(body);
    },
    { hasRawBody: true, bodyLimit, isForTools: true },
  );
}

function serveModelLists(scope: FastifyInstance, { gateway, settings }: ModelServing): void {
  serveRoute(scope, modelRoutes.list, async () => {
    const names = await modelNames(gateway, settings);
    const data = names.map((id) => ({
      id,
      object: 'model' as const,
      created: 0,
      owned_by: providerOf(id),
    }));
    return { object: 'list' as const, data };
  });
  serveRoute(scope, modelRoutes.describe, () => describeModels(gateway, settings));
}

function serveUsage(scope: FastifyInstance, usage: UsageBook): void {
  serveRoute(scope, modelRoutes.usage, ({ peer }) => ({
    data: usage.of(peer.subject).map(({ model, used }) => ({
      model,
      requests: used.requests,
      prompt_tokens: used.inputTokens,
      completion_tokens: used.outputTokens,
      unmetered_requests: used.unmetered,
    })),
  }));
}

function tooMany({ perMinute, burst }: { perMinute: number; burst: number }): ProxyError {
  const message = `At most ${burst} requests at once and ${perMinute} a minute are served for a key. Wait a little.`;
  return new ProxyError('RATE_LIMIT_EXCEEDED', message, 60_000 / perMinute);
}

function refuse(reply: FastifyReply, fault: ProxyError): FastifyReply {
  if (fault.retryAfterMs !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(fault.retryAfterMs / 1000))));
  return reply.code(fault.status).type('application/json').send(fault.body);
}

async function modelNames(gateway: Gateway, settings: ModelSettings): Promise<string[]> {
  if (settings.model() === undefined) return ['demo'];
  const { name } = await gateway.openModel();
  return [...new Set([name, 'demo'])];
}

async function describeModels(
  gateway: Gateway,
  settings: ModelSettings,
): Promise<RouteAnswer<typeof modelRoutes.describe>> {
  const names = await modelNames(gateway, settings);
  return await Promise.all(
    names.map(async (id) => ({
      id,
      name: id.slice(id.indexOf('/') + 1),
      provider: providerOf(id),
      context_length: (await gateway.openModel(id)).contextTokens,
      is_available: true as const,
    })),
  );
}

function providerOf(id: string): string {
  return id.includes('/') ? id.slice(0, id.indexOf('/')) : 'codelab';
}
