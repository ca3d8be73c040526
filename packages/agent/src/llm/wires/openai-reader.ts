// Reads the chunks of a chat completion, or a whole one, from servers that agree on little but the names of fields.
import type { Reply } from '@codelab/protocol';
import type { ModelRequest } from '../../model.ts';
import { failedStream } from '../http/failure.ts';
import { parseEvent } from '../http/sse-reader.ts';
import { ModelFailure } from '../model-failure.ts';
import { ReplyDraft } from '../reply/reply-draft.ts';
import type { ReplyReader, Site } from '../wire.ts';
import { type CallDelta, openaiCalls } from './openai-calls.ts';
import { readOpenaiUsage } from './usage.ts';

type Delta = {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  refusal?: unknown;
  tool_calls?: CallDelta[] | null;
  /** The predecessor of `tool_calls`. */
  function_call?: CallDelta['function'];
};
type Choice = {
  index?: number | null;
  delta?: Delta | null;
  message?: Delta | null;
  finish_reason?: string | null;
};
type Chunk = {
  object?: string;
  error?: unknown;
  choices?: Choice[] | null;
  usage?: unknown;
  /** Groq reports token counts in its own field. */
  x_groq?: { usage?: unknown } | null;
};

export function openaiReader(site: Site, request: ModelRequest): ReplyReader {
  const recovers = site.quirks.isNative !== true;
  const draft = new ReplyDraft({ model: site.origin.model, request, recovers });
  const calls = openaiCalls(draft, request);
  const opaque: OpenaiOpaque = {};
  let finish: string | undefined;
  let usage: unknown;
  let isDone = false;
  let isRefusal = false;

  function read(chunk: Chunk, isError: boolean): void {
    if (isError || chunk.object === 'error' || (chunk.error ?? undefined) !== undefined)
      throw failedStream(chunk.error ?? chunk, site.origin);
    usage = chunk.usage ?? chunk.x_groq?.usage ?? usage;
    // The request asks for one choice.
    const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return;
    const delta = choice.delta ?? choice.message;
    if (delta) readDelta(delta, draft, opaque);
    for (const call of delta?.tool_calls ?? []) calls.add(call);
    if (delta?.function_call) calls.add({ index: 0, function: delta.function_call });
    isRefusal ||= typeof delta?.refusal === 'string' && delta.refusal !== '';
    finish = choice.finish_reason ?? finish;
  }

  return {
    event({ type, data }) {
      if (data === '[DONE]') isDone = true;
      else read(parseEvent<Chunk>(data), type === 'error');
      return draft.take();
    },
    whole(answer) {
      read(answer as Chunk, false);
      isDone = finish !== undefined || draft.text !== '' || draft.calls.length > 0;
      if (!isDone) throw new ModelFailure('The answer holds no reply.', { mayPass: false });
      return draft.take();
    },
    // The token counts follow the finish reason, and some servers omit `[DONE]`: the end of the stream suffices.
    isComplete: () => isDone,
    isEnough: () => isDone || finish !== undefined,
    textSoFar: () => draft.text,
    finish() {
      const extra = calls.extra();
      if (extra !== undefined) opaque.extra = extra;
      return draft.finish({
        stop: isRefusal ? 'refused' : stopOf(finish),
        usage: readOpenaiUsage(usage, site),
        ...(Object.keys(opaque).length > 0 && { opaque }),
      });
    },
  };
}

function readDelta(delta: Delta, draft: ReplyDraft, opaque: OpenaiOpaque): void {
  for (const field of ['reasoning_content', 'reasoning'] as const) {
    const text = delta[field];
    // Some servers send the same text under both names.
    if (typeof text !== 'string' || text === '' || (opaque.field ?? field) !== field) continue;
    opaque.field = field;
    draft.addReasoning(text);
  }
  if (Array.isArray(delta.reasoning_details))
    opaque.details = mergeDetails(opaque.details ?? [], delta.reasoning_details);
  draft.addReasoning(thoughtsOf(delta.content));
  draft.addText(textOf(delta.content));
  draft.addText(textOf(delta.refusal));
}

/** The content is a string, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('');
}

/** Mistral sends reasoning as a part of the content. */
function thoughtsOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((part: { thinking?: unknown }) => thoughtText(part?.thinking)).join('');
}

function thoughtText(thinking: unknown): string {
  return typeof thinking === 'string' ? thinking : textOf(thinking);
}

/** The spellings of providers and servers; Gemini appends its own reason after a colon. */
const stops: readonly { pattern: RegExp; stop: Reply['stop'] | 'broken' }[] = [
  { pattern: /^(?:tool_calls|function_call$)/i, stop: 'calls' },
  { pattern: /^(?:length|max_tokens|model_length|max_output_tokens)/i, stop: 'length' },
  {
    pattern: /^(?:content_filter|refusal|safety|sensitive|prohibited|recitation|blocklist|spii)/i,
    stop: 'refused',
  },
  {
    pattern: /^(?:error|abort|network_error|insufficient_system_resource|function_call_filter|malformed)/i,
    stop: 'broken',
  },
];

function stopOf(finish = ''): Reply['stop'] {
  const stop = stops.find(({ pattern }) => pattern.test(finish))?.stop ?? 'end';
  if (stop !== 'broken') return stop;
  throw new ModelFailure(`The provider ended the reply with \`${finish}\`.`, {
    mayPass: true,
    reason: 'cut',
  });
}

/** Data that servers of this family require back with the next request, kept with a reply. */
export type OpenaiOpaque = {
  /** The field in which reasoning arrived, and is sent back with its calls. */
  field?: 'reasoning_content' | 'reasoning';
  /** OpenRouter's reasoning blocks, some of them signed. */
  details?: Record<string, unknown>[];
  /** Google's signatures, by the index of the call among all: ids may change on the wire. */
  extra?: Record<number, unknown>;
};

/** OpenRouter's reasoning blocks, assembled from their pieces: they must be sent back in the form of a whole answer. */
type Detail = Record<string, unknown>;

const growing = new Set(['text', 'summary', 'data', 'signature']);

function mergeDetails(details: readonly Detail[], pieces: readonly unknown[]): Detail[] {
  const merged = details.map((detail) => ({ ...detail }));
  for (const piece of pieces) {
    if (typeof piece !== 'object' || piece === null) continue;
    const detail = piece as Detail;
    const openBlock = merged.find((block) => block.index === detail.index && block.type === detail.type);
    if (openBlock === undefined || detail.index === undefined) merged.push({ ...detail });
    else grow(openBlock, detail);
  }
  return merged;
}

function grow(openBlock: Detail, piece: Detail): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = openBlock[key];
    openBlock[key] =
      growing.has(key) && typeof before === 'string' && typeof value === 'string'
        ? before + value
        : (value ?? before);
  }
}
