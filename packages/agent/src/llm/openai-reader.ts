// Reads the chunks of a chat completion, or a whole one, from servers that agree about little but the names of fields.
import type { Reply } from '@codelab/protocol';
import type { ModelRequest } from '../model.ts';
import { failedStream } from './failure.ts';
import { ModelTrouble } from './model-trouble.ts';
import { type CallDelta, openaiCalls } from './openai-calls.ts';
import type { OpenaiOpaque } from './openai-opaque.ts';
import { readOpenaiUsage } from './openai-usage.ts';
import { mergeDetails } from './reasoning-details.ts';
import { ReplyDraft } from './reply-draft.ts';
import type { Site } from './site.ts';
import type { ReplyReader } from './wire.ts';

type Delta = {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  refusal?: unknown;
  tool_calls?: CallDelta[] | null;
};
type Choice = { delta?: Delta | null; message?: Delta | null; finish_reason?: string | null };
type Chunk = { error?: unknown; choices?: Choice[] | null; usage?: unknown };

export function openaiReader(site: Site, request: ModelRequest): ReplyReader {
  const draft = new ReplyDraft({
    model: site.origin.model,
    request,
    recovers: site.quirks.isNative !== true,
  });
  const calls = openaiCalls(draft, request);
  const opaque: OpenaiOpaque = {};
  let finish: string | undefined;
  let usage: unknown;
  let isDone = false;

  function read(chunk: Chunk): void {
    if (chunk.error !== undefined && chunk.error !== null) throw failedStream(chunk.error, site.origin);
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) return;
    const delta = choice.delta ?? choice.message;
    if (delta) readDelta(delta, draft, opaque);
    for (const call of delta?.tool_calls ?? []) calls.add(call);
    finish = choice.finish_reason ?? finish;
  }

  return {
    event({ data }) {
      if (data === '[DONE]') isDone = true;
      else read(parseChunk(data));
      return draft.take();
    },
    whole(answer) {
      read(answer as Chunk);
      isDone = finish !== undefined || draft.text !== '' || draft.calls.length > 0;
      if (!isDone) throw new ModelTrouble('The answer holds no reply.', { mayPass: false });
      return draft.take();
    },
    // The token counts come after the finish reason, and `[DONE]` is left out by some servers: the end of the stream does as well.
    isComplete: () => isDone,
    isEnough: () => isDone || finish !== undefined,
    textSoFar: () => draft.text,
    finish() {
      const extra = calls.extra();
      if (extra !== undefined) opaque.extra = extra;
      return draft.finish({
        stop: stopOf(finish),
        usage: readOpenaiUsage(usage, site),
        ...(Object.keys(opaque).length > 0 && { opaque }),
      });
    },
  };
}

function readDelta(delta: Delta, draft: ReplyDraft, opaque: OpenaiOpaque): void {
  for (const field of ['reasoning_content', 'reasoning'] as const) {
    const text = delta[field];
    // Some servers send the same under both names.
    if (typeof text !== 'string' || text === '' || (opaque.field ?? field) !== field) continue;
    opaque.field = field;
    draft.addReasoning(text);
  }
  if (Array.isArray(delta.reasoning_details))
    opaque.details = mergeDetails(opaque.details ?? [], delta.reasoning_details);
  draft.addText(textOf(delta.content));
  draft.addText(textOf(delta.refusal));
}

/** A string, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('');
}

function parseChunk(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data);
    if (typeof chunk === 'object' && chunk !== null) return chunk;
  } catch {
    // Said below.
  }
  throw new ModelTrouble('The stream holds something that is not JSON.', { mayPass: true, reason: 'cut' });
}

function stopOf(finish: string | undefined): Reply['stop'] {
  switch (finish) {
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
    case 'refusal':
      return 'refused';
    default:
      return 'end';
  }
}
