// Writes a request of the messages API: blocks are written once per message, and runs of one role are joined into one message.
import type { ImagePart, Reply } from '@codelab/protocol';
import type { ModelMessage, ModelRequest, ModelTool } from '../../model.ts';
import { wireId } from '../request/call-ids.ts';
import { joinJson, jsonBytes, toJson } from '../request/json-bytes.ts';
import type { LengthLimit } from '../request/length-limit.ts';
import type { OptionalParts } from '../request/optional-parts.ts';
import { pairedMessages, withThoughts } from '../request/paired-messages.ts';
import { type ToolNames, toolNames } from '../request/tool-names.ts';
import { boundImages, hasImages } from '../request/wire-images.ts';
import type { Site } from '../wire.ts';
import { type AnthropicOpaque, thinkingOf } from './anthropic-thinking.ts';

type Block = Record<string, unknown>;

const idForm = { maxLength: 64 };

/** The provider caches what precedes such a mark for some minutes, and charges a tenth for it the next time. */
const keep = { cache_control: { type: 'ephemeral' } };

export function anthropicWriter(
  site: Site,
  parts: OptionalParts,
  length: LengthLimit,
): (request: ModelRequest) => Buffer {
  const { model } = site.origin;
  let names: ToolNames = toolNames([]);
  // Arrays without their brackets; empty when there is nothing in them.
  const unmarked = jsonBytes((message: ModelMessage) =>
    toJson(blocksOf(message, names, model)).subarray(1, -1),
  );
  const marked = jsonBytes((message: ModelMessage) =>
    toJson(markLast(blocksOf(message, names, model))).subarray(1, -1),
  );
  const tool = jsonBytes((modelTool: ModelTool) => toJson(writeTool(modelTool, names)));
  const lastTool = jsonBytes((modelTool: ModelTool) => toJson({ ...writeTool(modelTool, names), ...keep }));

  return (request) => {
    parts.begin();
    names = toolNames(request.tools);
    const paired = pairedMessages(request.messages);
    const messages = boundImages(withThoughts(paired, parts), hasImages(paired) && parts.use('images'));
    const isMarked = parts.use('cacheMarks');
    const ends = isMarked ? markedMessages(messages) : new Set();
    const runs = joinRuns(messages, (message) => (ends.has(message) ? marked(message) : unmarked(message)));
    const last = request.tools.at(-1);
    const written = request.tools.map((modelTool) =>
      isMarked && modelTool === last ? lastTool(modelTool) : tool(modelTool),
    );
    const toolList =
      last === undefined ? [] : [Buffer.from(',"tools":['), ...joinJson(written), Buffer.from(']')];
    return Buffer.concat([
      toJson(settingsOf(site, { ...request, messages }, parts, length)).subarray(0, -1),
      ...toolList,
      Buffer.from(',"messages":['),
      ...runs,
      Buffer.from(']}'),
    ]);
  };
}

function settingsOf(
  { id, origin }: Site,
  request: ModelRequest,
  parts: OptionalParts,
  length: LengthLimit,
): Block {
  const { system, messages, window = Number.POSITIVE_INFINITY } = request;
  const requestedTokens = request.maxTokens ?? Math.min(defaultMaxTokens(id), Math.floor(window / 4));
  const maxTokens = Math.min(requestedTokens, length.maximum());
  const effort = request.effort !== undefined && parts.use('effort') ? request.effort : undefined;
  return {
    model: id,
    max_tokens: maxTokens,
    stream: parts.use('stream'),
    ...thinkingOf({ id, model: origin.model, effort, maxTokens, messages }),
    ...(system !== '' && { system: [{ type: 'text', text: system, ...(parts.use('cacheMarks') && keep) }] }),
  };
}

/**
 * Marks the end of this request and that of the one before: the provider looks back only 20 blocks for its cache, and many calls at once
 * are more than that.
 */
function markedMessages(messages: readonly ModelMessage[]): Set<ModelMessage | undefined> {
  const before = messages.findLastIndex(({ role }) => role === 'assistant') - 1;
  return new Set([messages.at(-1), messages[before]]);
}

/** The pieces of one message per run of the same role; the first must be the user's. */
function joinRuns(messages: readonly ModelMessage[], write: (message: ModelMessage) => Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let open: 'user' | 'assistant' | undefined;
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = write(message);
    if (blocks.length === 0) continue;
    if (open === undefined && role === 'assistant') pieces.push(begin.user, opening, end, comma);
    else if (open !== undefined && open !== role) pieces.push(end, comma);
    pieces.push(open === role ? comma : begin[role], blocks);
    open = role;
  }
  return open === undefined ? [] : [...pieces, end];
}

const begin = {
  user: Buffer.from('{"role":"user","content":['),
  assistant: Buffer.from('{"role":"assistant","content":['),
};
const comma = Buffer.from(',');
const end = Buffer.from(']}');
const opening = toJson({ type: 'text', text: 'Go on.' });

function writeTool({ name, summary, input }: ModelTool, names: ToolNames): Block {
  return { name: names.toWire(name), description: summary, input_schema: input };
}

function markLast(blocks: Block[]): Block[] {
  return blocks.map((block, i) => (i === blocks.length - 1 ? { ...block, ...keep } : block));
}

function blocksOf(message: ModelMessage, names: ToolNames, model: string): Block[] {
  switch (message.role) {
    case 'user':
      if (message.images !== undefined)
        return [...message.images.map(imageBlock), ...textBlocks(message.text)];
      return textBlocks(message.text.trim() === '' ? '(nothing)' : message.text);
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: wireId(message.callId, idForm),
          content:
            message.images === undefined
              ? message.text
              : [...textBlocks(message.text), ...message.images.map(imageBlock)],
          ...(message.isError && { is_error: true }),
        },
      ];
    case 'assistant':
      return replyBlocks(message.reply, names, model);
  }
}

function replyBlocks(reply: Reply, names: ToolNames, model: string): Block[] {
  const calls = reply.calls.map(({ id, tool, args }) => ({
    type: 'tool_use',
    id: wireId(id, idForm),
    name: names.toWire(tool),
    input: args,
  }));
  // A signature is valid only for the model that made it.
  const order = reply.model === model ? (reply.opaque as AnthropicOpaque | undefined)?.blocks : undefined;
  if (order === undefined) return [...textBlocks(reply.text), ...calls];
  let from = 0;
  return order.flatMap((entry): Block[] => {
    if ('thought' in entry) return [entry.thought];
    if ('call' in entry) return calls.slice(entry.call, entry.call + 1);
    const text = reply.text.slice(from, from + entry.text);
    from += entry.text;
    return textBlocks(text);
  });
}

function imageBlock({ mediaType, data }: ImagePart): Block {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/** The API refuses blank text blocks. */
function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function defaultMaxTokens(id: string): number {
  if (/^claude-3-(opus|sonnet|haiku)/.test(id)) return 4096;
  return id.startsWith('claude-3-5') ? 8192 : 32_000;
}
