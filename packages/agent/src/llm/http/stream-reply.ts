// Asks a model and streams its reply: send → read → the whole reply. A failure that may pass is retried from the start, with a retry
// event.
import { ToolError } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { ReplyReader, Wire } from '../wire.ts';
import { failedAnswer, failedConnection, failedStream, webPage } from './failure.ts';
import { type HttpReply, postBody, type RetryLimits } from './post.ts';
import { type SseEvent, sseReader } from './sse-reader.ts';

const maxErrorBytes = 64 * 1024;
const maxAnswerBytes = 64 * 1024 * 1024;
const maxPartialChars = 100_000;
/** A reply that is not streamed has its first byte only when its last word is written. */
const wholeReplyMs = 10 * 60_000;

export async function* streamReply(
  wire: Wire,
  request: ModelRequest,
  patience: RetryLimits,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let body = wire.write(request);
  const notice = wire.notice?.(request);
  if (notice !== undefined) yield { type: 'notice', text: notice };
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) throw cancelled();
    const reader = wire.read(request);
    let hasBegun = false;
    try {
      for await (const events of readOnce(wire, body, reader, patience, signal)) {
        hasBegun ||= events.length > 0;
        reached.add(wire);
        for (const event of events) yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) throw cancelled();
      const trouble = troubleOf(error, wire);
      const refused = hasBegun ? undefined : wire.adapt?.(trouble);
      if (refused !== undefined) {
        if (refused.notice !== undefined) yield { type: 'notice', text: refused.notice };
        body = wire.write(request);
        attempt--;
        continue;
      }
      const afterMs = waitBefore(attempt, trouble, patienceWith(wire, trouble, patience));
      if (afterMs === undefined) throw await lastError(trouble, attempt, reader.textSoFar(), wire);
      yield { type: 'retry', attempt, afterMs, reason: trouble.message, discards: hasBegun };
      await pause(afterMs, signal);
    }
  }
}

/** Yields everything that arrived together in one piece, because a layer of generators costs time per step. */
async function* readOnce(
  wire: Wire,
  body: Buffer,
  reader: ReplyReader,
  patience: RetryLimits,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent[]> {
  const firstByteMs = wire.isStreamed() ? patience.firstByteMs : Math.max(patience.firstByteMs, wholeReplyMs);
  const answer = await postBody(wire.endpoint, body, { ...patience, firstByteMs }, signal);
  try {
    if (answer.status !== 200) {
      const text = await readError(answer);
      throw failedAnswer(answer.status, answer.headers, text, wire.origin);
    }
    const type = answer.headers['content-type'] ?? '';
    if (type.includes('text/html')) throw webPage(wire.origin);
    yield* readAnswer(answer, reader, wire);
    answer.release();
  } finally {
    answer.abandon();
  }
  const { events, reply } = reader.finish();
  yield [...events, { type: 'reply', reply }];
}

async function* readAnswer(answer: HttpReply, reader: ReplyReader, wire: Wire): AsyncGenerator<ModelEvent[]> {
  const sse = sseReader();
  const wholeBody: Buffer[] = [];
  let isWhole: boolean | undefined;
  let total = 0;
  for await (const chunk of answer.chunks) {
    total += chunk.length;
    if (total > maxAnswerBytes) throw new ModelFailure('The reply does not end.', { mayPass: false });
    isWhole ??= isWholeAnswer(chunk, answer.headers);
    if (isWhole) wholeBody.push(chunk);
    else yield readAll(sse.push(chunk), reader);
    if (reader.isComplete()) return;
  }
  if (isWhole) return yield readWhole(Buffer.concat(wholeBody).toString(), reader, wire);
  yield readAll(sse.end(), reader);
  if (!reader.isEnough())
    throw new ModelFailure('The stream ended before the reply did.', { mayPass: true, reason: 'cut' });
}

/** Decided by the first character, where there is one: some servers declare a stream as JSON, or JSON as plain text. */
function isWholeAnswer(chunk: Buffer, headers: HttpReply['headers']): boolean | undefined {
  const first = /[^\s\xef\xbb\xbf]/.exec(chunk.toString('latin1', 0, 1024))?.[0];
  if (first === undefined) return undefined;
  return /[[{]/.test(first) || ((headers['content-type'] ?? '').includes('json') && !/[deir:]/.test(first));
}

function readAll(events: readonly SseEvent[], reader: ReplyReader): ModelEvent[] {
  return events.flatMap((event) => reader.event(event));
}

function readWhole(text: string, reader: ReplyReader, wire: Wire): ModelEvent[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ModelFailure('The answer is not JSON, though it says so.', { mayPass: true, reason: 'cut' });
  }
  const { error } = (value ?? {}) as { error?: unknown };
  if (error !== undefined && error !== null) throw failedStream(error, wire.origin);
  return reader.whole(value);
}

/** The beginning of an error answer. */
async function readError(answer: HttpReply): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.chunks) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxErrorBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxErrorBytes).toString();
}

function troubleOf(error: unknown, wire: Wire): ModelFailure {
  if (error instanceof ModelFailure) return error;
  // Node's own errors have a code; any other error is a bug and is rethrown.
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
  return failedConnection(error.code, wire.origin);
}

/** Servers that have answered before: when such a server cannot be reached it is an outage, otherwise the address may be wrong. */
const reached = new WeakSet<Wire>();

function patienceWith(wire: Wire, { facts }: ModelFailure, patience: RetryLimits): RetryLimits {
  if (facts.reason !== 'connection' || reached.has(wire)) return patience;
  return { ...patience, attempts: Math.min(patience.attempts, 3) };
}

/** Undefined when asking again makes no sense. */
function waitBefore(attempt: number, { facts }: ModelFailure, patience: RetryLimits): number | undefined {
  if (!facts.mayPass || attempt >= patience.attempts) return undefined;
  if (facts.waitMs !== undefined) return facts.waitMs > patience.maxAskedMs ? undefined : facts.waitMs;
  const delayMs = patience.backoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.min(Math.round(delayMs), patience.maxWaitMs);
}

async function lastError(
  { message, facts }: ModelFailure,
  attempts: number,
  partial: string,
  wire: Wire,
): Promise<ToolError> {
  const suggestion = facts.reason === 'model' ? await wire.suggest?.() : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`;
  const tried = attempts > 1 ? ` (asked ${attempts} times)` : '';
  const wait = facts.waitMs === undefined ? '' : ` It asks to wait ${Math.ceil(facts.waitMs / 1000)} s.`;
  return new ToolError('LLM_ERROR', `${message}${hint}${wait}${tried}`, {
    model: wire.origin.model,
    ...(facts.status !== undefined && { status: facts.status }),
    ...(facts.reason !== undefined && { reason: facts.reason }),
    ...(facts.limit !== undefined && { limit: facts.limit }),
    ...(partial !== '' && { partial: partial.slice(0, maxPartialChars) }),
  });
}

function cancelled(): ToolError {
  return new ToolError('CANCELLED', 'The request to the model was cancelled.');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = (): void => resolve();
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) wake();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}
