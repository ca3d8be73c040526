// Serves one chat completion: passed on byte by byte where the provider uses OpenAI's format, translated where it does not.
import { proxyChat } from '@codelab/agent';
import type { CompletionEnvelope } from '@codelab/api';
import { parseBounded, ToolError } from '@codelab/protocol';
import type { Gateway } from '../../sessions/gateway.ts';
import type { ModelSettings } from '../settings/model-settings.ts';
import { streamedAnswer, wholeAnswer } from './chat-answer.ts';
import { readChatRequest, readCompletionEnvelope } from './chat-request.ts';
import { findModel } from './find-model.ts';
import { modelRequest } from './model-request.ts';
import { ProxyError, proxyErrorOf } from './proxy-error.ts';
import type { UsageBook } from './usage-book.ts';
import { usageMeter } from './usage-meter.ts';

export type ChatServices = { gateway: Gateway; settings: ModelSettings; usage: UsageBook };

export type CompletionResponse = { type: string; body: object | AsyncIterable<string | Buffer> };

const limits = { bytes: 20 * 1024 * 1024, depth: 200 };

export async function serveChat(
  services: ChatServices,
  { bytes, key, signal }: { bytes: Buffer; key: string; signal: AbortSignal },
): Promise<CompletionResponse> {
  const { gateway } = services;
  const sources = services.settings.sources();
  const value = parseBounded(bytes.toString('utf8'), limits);
  const envelope = readCompletionEnvelope(value);
  const model =
    envelope.model === 'default'
      ? (await gateway.openModel().catch(refuseUnconfigured)).name
      : findModel(envelope.model, sources);
  const passage = await proxyChat(model, sources).catch(refuseUnconfigured);
  const upstream = { model, key, signal };
  if (passage === undefined) return await translate(services, value, upstream);
  const body =
    passage.id === envelope.model ? bytes : Buffer.from(JSON.stringify({ ...envelope, model: passage.id }));
  const { headers, chunks } = await passage.send(body, signal);
  const type = headers['content-type'] ?? (envelope.stream ? 'text/event-stream' : 'application/json');
  // Any other content, such as a page, must not be served from this address.
  if (!/^(application\/([\w.+-]*\+)?json|text\/event-stream)\b/i.test(type))
    throw new ProxyError('PROVIDER_ERROR', `${model} answered with something else than JSON or a stream.`);
  return { type, body: metered(chunks, services.usage, { ...upstream, request: envelope }) };
}

type Sent = { model: string; key: string; signal: AbortSignal };

async function* metered(
  chunks: AsyncIterable<Buffer>,
  usage: UsageBook,
  { model, key, request }: Sent & { request: CompletionEnvelope },
): AsyncGenerator<Buffer> {
  const meter = usageMeter();
  try {
    for await (const chunk of chunks) {
      meter.push(chunk);
      yield chunk;
    }
  } catch (error) {
    // Half of a whole answer is none: then the connection breaks. A stream can still say why.
    if (!request.stream) throw error;
    yield Buffer.from(`data: ${JSON.stringify(proxyErrorOf(error).body)}\n\n`);
  } finally {
    usage.add(key, model, meter.counts());
  }
}

async function translate(
  { gateway, usage }: ChatServices,
  value: unknown,
  { model: name, key, signal }: Sent,
): Promise<CompletionResponse> {
  const chatRequest = readChatRequest(value);
  const request = modelRequest(chatRequest);
  const model = await gateway.openModel(name).catch(refuseUnconfigured);
  const events = model.stream(request, signal);
  const onReply = ({ usage: counts }: { usage: { inputTokens: number; outputTokens: number } }): void =>
    usage.add(key, name, counts);
  if (chatRequest.stream !== true)
    return { type: 'application/json', body: await wholeAnswer(events, { model: name, onReply }) };
  const includeUsage = chatRequest.stream_options?.include_usage === true;
  return { type: 'text/event-stream', body: streamedAnswer(events, { model: name, includeUsage, onReply }) };
}

// A model that can't be opened counts as missing at this gateway, whatever the reason.
function refuseUnconfigured(error: unknown): never {
  if (error instanceof ToolError) throw new ProxyError('INVALID_MODEL', error.message);
  throw error;
}
