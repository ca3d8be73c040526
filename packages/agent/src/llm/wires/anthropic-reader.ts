// Reads the events of the messages API, or a whole message.
import type { Reply, Usage } from '@codelab/protocol';
import type { ModelEvent, ModelRequest } from '../../model.ts';
import { failedStream } from '../http/failure.ts';
import { parseEvent } from '../http/sse-reader.ts';
import { ModelFailure } from '../model-failure.ts';
import { type DraftCall, ReplyDraft } from '../reply/reply-draft.ts';
import type { ReplyReader, Site } from '../wire.ts';
import type { AnthropicOpaque, OpaqueBlock } from './anthropic-thinking.ts';
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

// The blocks of an unfinished message. Signed reasoning is kept unchanged, with the order of everything around it.

type AnthropicBlock = {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  input?: unknown;
};

type BlockDelta = {
  type?: string;
  text?: string;
  partial_json?: string;
  thinking?: string;
  signature?: string;
};

type AnthropicBlocks = {
  begin(index: number, block: AnthropicBlock): void;
  grow(index: number, delta: BlockDelta): void;
  /** Undefined when nothing was signed. */
  opaque(): AnthropicOpaque | undefined;
};

type Begun =
  | { kind: 'text'; length: number }
  | { kind: 'call'; call: DraftCall }
  | { kind: 'thought'; block: AnthropicBlock }
  | { kind: 'other' };

function anthropicBlocks(draft: ReplyDraft): AnthropicBlocks {
  const openBlocks = new Map<number, Begun>();

  function begin(index: number, block: AnthropicBlock): Begun {
    switch (block.type) {
      case 'text': {
        draft.addText(block.text ?? '');
        return { kind: 'text', length: block.text?.length ?? 0 };
      }
      case 'tool_use': {
        const call = draft.beginCall({ index, id: block.id ?? '', name: block.name ?? '', json: '' });
        // In a stream the input begins as an empty object, which its deltas then replace.
        const isGiven = Object.keys(block.input ?? {}).length > 0;
        if (isGiven) draft.addArguments(call, JSON.stringify(block.input));
        else draft.announce(call);
        return { kind: 'call', call };
      }
      case 'thinking':
        draft.addReasoning(block.thinking ?? '');
        return { kind: 'thought', block: { ...block } };
      case 'redacted_thinking':
        return { kind: 'thought', block: { ...block } };
      default:
        return { kind: 'other' };
    }
  }

  return {
    begin: (index, block) => void openBlocks.set(index, begin(index, block)),
    grow(index, delta) {
      const open = openBlocks.get(index);
      if (open?.kind === 'text' && delta.text !== undefined) {
        open.length += delta.text.length;
        draft.addText(delta.text);
      } else if (open?.kind === 'call') draft.addArguments(open.call, delta.partial_json ?? '');
      else if (open?.kind === 'thought') addThought(open.block, delta, draft);
    },
    opaque() {
      const blocks = [...openBlocks.values()].flatMap((open) => pointTo(open, draft));
      return blocks.some((block) => 'thought' in block) ? { blocks } : undefined;
    },
  };
}

function addThought(block: AnthropicBlock, delta: BlockDelta, draft: ReplyDraft): void {
  if (delta.thinking !== undefined) {
    block.thinking = (block.thinking ?? '') + delta.thinking;
    draft.addReasoning(delta.thinking);
  }
  if (delta.signature !== undefined) block.signature = (block.signature ?? '') + delta.signature;
}

/** Reasoning that was cut off has no signature, and would be refused. */
function isSigned({ type, signature }: AnthropicBlock): boolean {
  return type === 'redacted_thinking' || (signature !== undefined && signature !== '');
}

function pointTo(open: Begun, draft: ReplyDraft): OpaqueBlock[] {
  switch (open.kind) {
    case 'text':
      return [{ text: open.length }];
    case 'call':
      return [{ call: draft.calls.indexOf(open.call) }];
    case 'thought':
      return isSigned(open.block) ? [{ thought: open.block }] : [];
    case 'other':
      return [];
  }
}
