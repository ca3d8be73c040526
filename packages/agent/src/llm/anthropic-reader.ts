// Reads the events of the messages API, or a whole message.
import type { Reply, Usage } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../model.ts';
import { anthropicBlocks, type Block, type BlockDelta } from './anthropic-blocks.ts';
import { failedStream } from './failure.ts';
import { ModelTrouble } from './model-trouble.ts';
import { parseEvent } from './parse-event.ts';
import { costOf } from './prices.ts';
import { ReplyDraft } from './reply-draft.ts';
import type { Site } from './site.ts';
import type { ReplyReader } from './wire.ts';

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
  content_block?: Block;
  delta?: BlockDelta & { stop_reason?: string | null };
  usage?: Counts;
  error?: unknown;
};

type WholeMessage = { content?: Block[]; stop_reason?: string | null; usage?: Counts };

export function anthropicReader(site: Site, request: ModelRequest): ReplyReader {
  const draft = new ReplyDraft({ model: site.origin.model, request, recovers: false });
  const blocks = anthropicBlocks(draft);
  const counts: Counts = {};
  let stop: string | null | undefined;
  let isDone = false;

  function read(event: StreamEvent): void {
    switch (event.type) {
      case 'message_start':
        Object.assign(counts, event.message?.usage);
        break;
      case 'content_block_start':
        blocks.begin(event.index ?? 0, event.content_block ?? { type: '' });
        break;
      case 'content_block_delta':
        blocks.grow(event.index ?? 0, event.delta ?? {});
        break;
      case 'message_delta':
        stop = event.delta?.stop_reason ?? stop;
        Object.assign(counts, given(event.usage));
        break;
      case 'message_stop':
        isDone = true;
        break;
      case 'error':
        throw failedStream(event.error, site.origin);
      default:
        // `ping`, `content_block_stop`, and whatever comes to be.
        break;
    }
  }

  return {
    event({ data }): ModelEvent[] {
      read(parseEvent<StreamEvent>(data));
      return draft.take();
    },
    whole(answer) {
      const message = answer as WholeMessage;
      if (!Array.isArray(message.content))
        throw new ModelTrouble('The answer holds no reply.', { mayPass: false });
      for (const [index, block] of message.content.entries()) blocks.begin(index, block);
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

/** Without those left null: they were told before. */
function given(counts: Counts = {}): Counts {
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
