// Reads the events of the messages API, or a whole message.
import type { Reply, Usage } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../../model.ts';
import { failedStream } from '../http/failure.ts';
import { parseEvent } from '../http/sse-reader.ts';
import { ModelFailure } from '../model-failure.ts';
import { ReplyDraft } from '../reply/reply-draft.ts';
import type { ReplyReader, Site } from '../wire.ts';
import { type AnthropicBlock, anthropicBlocks, type BlockDelta } from './anthropic-blocks.ts';
import { costOf } from './usage.ts';

type Counts = Partial<
  Record<
    'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens',
    number | null
  >
>;

type StreamEvent = {
  type?: string;
  index?: number;
  message?: { usage?: Counts };
  content_block?: AnthropicBlock;
  delta?: BlockDelta & { stop_reason?: string | null };
  usage?: Counts;
  error?: unknown;
};

type WholeMessage = { content?: AnthropicBlock[]; stop_reason?: string | null; usage?: Counts };

export function anthropicReader(site: Site, request: ModelRequest): ReplyReader {
  const draft = new ReplyDraft({ model: site.origin.model, request, recovers: false });
  const blocks = anthropicBlocks(draft);
  const counts: Counts = {};
  let stop: string | null | undefined;
  let isDone = false;

  function read(event: StreamEvent): void {
    if (event.type === 'error') throw failedStream(event.error, site.origin);
    if (event.type === 'message_start') Object.assign(counts, event.message?.usage);
    if (event.type === 'content_block_start')
      blocks.begin(event.index ?? 0, event.content_block ?? { type: '' });
    if (event.type === 'content_block_delta') blocks.grow(event.index ?? 0, event.delta ?? {});
    if (event.type === 'message_delta') {
      stop = event.delta?.stop_reason ?? stop;
      Object.assign(counts, withoutNulls(event.usage));
    }
    if (event.type === 'message_stop') isDone = true;
  }

  return {
    event({ data }): ModelEvent[] {
      read(parseEvent<StreamEvent>(data));
      return draft.take();
    },
    whole(answer) {
      const message = answer as WholeMessage;
      for (const [index, block] of contentOf(message).entries()) blocks.begin(index, block);
      Object.assign(counts, message.usage);
      stop = message.stop_reason;
      isDone = true;
      return draft.take();
    },
    isComplete: () => isDone,
    // Some servers leave the last event out.
    isEnough: () => isDone || typeof stop === 'string',
    textSoFar: () => draft.text,
    finish() {
      const opaque = blocks.opaque();
      return draft.finish({ stop: stopOf(stop), usage: usageOf(counts, site), ...(opaque && { opaque }) });
    },
  };
}

function contentOf({ content }: WholeMessage): AnthropicBlock[] {
  if (!Array.isArray(content)) throw new ModelFailure('The answer holds no reply.', { mayPass: false });
  return content;
}

/** Removes counts that are null: they were sent before. */
function withoutNulls(counts: Counts = {}): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}

function usageOf(counts: Counts, site: Site): Usage {
  const fresh = counts.input_tokens ?? 0;
  const cacheRead = counts.cache_read_input_tokens ?? 0;
  const cacheWrite = counts.cache_creation_input_tokens ?? 0;
  const output = counts.output_tokens ?? 0;
  const cost = costOf(site, { fresh, cacheRead, cacheWrite, output });
  return {
    inputTokens: fresh + cacheRead + cacheWrite,
    outputTokens: output,
    cachedTokens: cacheRead,
    ...(cost !== undefined && { cost }),
  };
}

function stopOf(reason: string | null | undefined): Reply['stop'] {
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    case 'tool_use':
      return 'calls';
    case 'pause_turn':
      return 'paused';
    default:
      return 'end';
  }
}
