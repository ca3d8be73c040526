// One POST over a keep-alive connection, its answer as a stream of bytes. `node:http` rather than `fetch`, because loading undici costs
// 35 ms.
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ModelFailure } from '../model-failure.ts';

export type HttpEndpoint = { url: URL; headers: Record<string, string>; agent: HttpAgent };

export type HttpReply = {
  status: number;
  headers: IncomingHttpHeaders;
  chunks: AsyncIterable<Buffer>;
  /** Call when the reply is complete: the rest is drained and the connection is kept. */
  release(): void;
  /** Call when nothing more is needed: the connection is closed. Harmless after `release`. */
  abandon(): void;
};

/** How long a server may take to end an answer after its last event. */
const tailMs = 1000;

export function keepAliveAgent(url: URL, env: NodeJS.ProcessEnv): HttpAgent {
  const usesProxy = Object.keys(env).some((name) => /^https?_proxy$/i.test(name));
  const options = { keepAlive: true, ...(usesProxy && { proxyEnv: env }) };
  return url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}

export async function postBody(
  endpoint: HttpEndpoint,
  body: Buffer,
  patience: RetryLimits,
  signal: AbortSignal,
): Promise<HttpReply> {
  try {
    return await send(endpoint, body, patience, signal);
  } catch (error) {
    // The server closed the idle connection while the request was on its way, so nothing of the request was read.
    if (!(error instanceof StaleConnection) || signal.aborted) throw error;
    return await send(endpoint, body, patience, signal);
  }
}

class StaleConnection extends Error {
  readonly code = 'ECONNRESET';
}

function send(
  endpoint: HttpEndpoint,
  body: Buffer,
  patience: RetryLimits,
  signal: AbortSignal,
): Promise<HttpReply> {
  const { url, headers, agent } = endpoint;
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = start(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
  });
  // Once there is a response, only destroying the response tells its reader why.
  let stream: { destroy(problem?: Error): unknown } = request;
  const watch = watchdog((problem) => stream.destroy(problem));
  const cancel = (): void => void stream.destroy(new Error('cancelled'));
  const settle = (): void => {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  };
  signal.addEventListener('abort', cancel, { once: true });
  watch.expect(patience.connectMs, 'The connection was not made');
  request.on('socket', (socket) => {
    const isReady = (): void => watch.expect(patience.firstByteMs, 'No answer came');
    if (socket.connecting) socket.once('connect', isReady);
    else isReady();
  });
  request.on('response', (response) => {
    stream = response;
    watch.expect(patience.idleMs, 'The stream stood still');
    resolve(answerOf(response, watch, settle));
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    settle();
    const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    reject(isStale ? new StaleConnection(error.message) : error);
  });
  request.end(body);
  if (signal.aborted) cancel();
  return promise;
}

function answerOf(response: IncomingMessage, watch: Watchdog, settle: () => void): HttpReply {
  response.once('close', settle);
  // An abandoned stream without a reader still emits an error.
  response.on('error', () => undefined);
  let isReleased = false;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    chunks: chunksOf(response, watch, decoderFor(response.headers['content-encoding'])),
    release() {
      isReleased = true;
      if (response.readableEnded) return;
      settle();
      response.resume();
      const timer = setTimeout(() => response.destroy(), tailMs).unref();
      response.once('close', () => clearTimeout(timer));
    },
    abandon() {
      if (!isReleased) response.destroy();
    },
  };
}

type Decoder = (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

async function* chunksOf(
  response: IncomingMessage,
  watch: Watchdog,
  decode?: Decoder,
): AsyncGenerator<Buffer> {
  const bytes = bytesOf(response, watch);
  yield* decode === undefined ? bytes : decode(bytes);
}

async function* bytesOf(response: IncomingMessage, watch: Watchdog): AsyncGenerator<Buffer> {
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    watch.refresh();
    yield chunk as Buffer;
  }
}

/** The request does not ask for compression, but some proxies compress anyway. */
function decoderFor(encoding = 'identity'): Decoder | undefined {
  if (encoding === 'identity' || encoding === '') return undefined;
  return async function* (bytes) {
    const { decompress } = await import('./decompress.ts');
    yield* decompress(encoding, bytes);
  };
}

type Watchdog = { expect(ms: number, complaint: string): void; refresh(): void; stop(): void };

function watchdog(bark: (problem: ModelFailure) => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  return {
    expect(ms, complaint) {
      clearTimeout(timer);
      const message = `${complaint} within ${Math.round(ms / 100) / 10} s.`;
      timer = setTimeout(() => bark(new ModelFailure(message, { mayPass: true, reason: 'timeout' })), ms);
    },
    refresh: () => timer?.refresh(),
    stop: () => clearTimeout(timer),
  };
}

/** How long to wait for a model, and how often to ask again. */
export type RetryLimits = {
  /** Total number of requests, the first one included. */
  attempts: number;
  /** Wait before the second request; doubled before each later one, up to `maxWaitMs`. */
  backoffMs: number;
  maxWaitMs: number;
  /** A provider that asks for a longer wait than this is not asked again. */
  maxAskedMs: number;
  connectMs: number;
  /** From the request to the first byte: a model on this machine may read a long prompt for minutes. */
  firstByteMs: number;
  /** Between two bytes. */
  idleMs: number;
};

const minute = 60_000;

export function retryLimitsFor(url: URL, overrides: Partial<RetryLimits> = {}): RetryLimits {
  return {
    // About five minutes in all: a restarted or overloaded server is back by then.
    attempts: 12,
    backoffMs: 1000,
    maxWaitMs: minute / 2,
    maxAskedMs: 5 * minute,
    connectMs: 15_000,
    firstByteMs: isLocalHost(url.hostname) ? 10 * minute : 2 * minute,
    idleMs: 2 * minute,
    ...overrides,
  };
}

export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host.endsWith('.local');
}
