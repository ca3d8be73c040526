// Forwards a chat completion request unchanged to the provider of its model, and the answer back as bytes. Sent once: the author of the
// request decides whether to try again.
import type { IncomingHttpHeaders } from 'node:http';
import { ToolError } from '@codelab/protocol';
import { ModelFailure } from '../model-failure.ts';
import { chatSite, type OpenOptions } from '../open-model.ts';
import type { Site } from '../wire.ts';
import { failedAnswer, failedConnection } from './failure.ts';
import { type HttpReply, postBody, retryLimitsFor } from './post.ts';

const maxErrorBytes = 64 * 1024;

export type ChatProxy = {
  /** The model's name at its provider, which the request must contain. */
  id: string;
  /** Throws a ToolError: LLM_ERROR with `status`, `reason` and `waitMs` where they are known, or CANCELLED. */
  send(
    body: Buffer,
    signal: AbortSignal,
  ): Promise<{ headers: IncomingHttpHeaders; chunks: AsyncIterable<Buffer> }>;
};

/** Undefined for a model with another wire, whose requests must be translated. */
export async function proxyChat(
  name: string,
  { patience, ...sources }: OpenOptions,
): Promise<ChatProxy | undefined> {
  const site = chatSite(name, sources);
  if (site === undefined) return undefined;
  const wait = retryLimitsFor(site.endpoint.url, patience);
  return {
    id: site.id,
    async send(body, signal) {
      try {
        const answer = await postBody(site.endpoint, body, wait, signal);
        if (answer.status !== 200) throw await refusalOf(answer, site);
        return { headers: answer.headers, chunks: passedChunks(answer, site, signal) };
      } catch (error) {
        throw toolErrorOf(error, site, signal);
      }
    },
  };
}

async function* passedChunks(answer: HttpReply, site: Site, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* answer.chunks;
    answer.release();
  } catch (error) {
    throw toolErrorOf(error, site, signal);
  } finally {
    answer.abandon();
  }
}

async function refusalOf(answer: HttpReply, site: Site): Promise<ModelFailure> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.chunks) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxErrorBytes) break;
  }
  answer.abandon();
  const text = Buffer.concat(chunks).subarray(0, maxErrorBytes).toString();
  return failedAnswer(answer.status, answer.headers, text, site.origin);
}

function toolErrorOf(error: unknown, { origin }: Site, signal: AbortSignal): ToolError {
  if (signal.aborted) return new ToolError('CANCELLED', 'The request to the model was cancelled.');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const trouble = typeof code === 'string' ? failedConnection(code, origin) : error;
  if (!(trouble instanceof ModelFailure)) throw error;
  const { status, reason, waitMs } = trouble.facts;
  return new ToolError('LLM_ERROR', trouble.message, {
    model: origin.model,
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
    ...(waitMs !== undefined && { waitMs }),
  });
}
