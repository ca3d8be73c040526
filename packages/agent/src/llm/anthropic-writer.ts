// A request as the messages API wants it: blocks written once per message, and runs of one role joined into one message.
import type { ImagePart, Reply } from '@codelab/protocol';
import type { ModelMessage, ModelRequest, ModelTool } from '../model.ts';
import type { AnthropicOpaque } from './anthropic-opaque.ts';
import { wireId } from './call-ids.ts';
import { joinJson, jsonBytes, toJson } from './json-bytes.ts';
import { pairedMessages } from './paired-messages.ts';
import type { Site } from './site.ts';
import { type ToolNames, toolNames } from './tool-names.ts';
import { boundImages } from './wire-images.ts';

type Block = Record<string, unknown>;

const idForm = { most: 64 };

/** The provider keeps what comes before such a mark for some minutes, and charges a tenth for it the next time. */
const keep = { cache_control: { type: 'ephemeral' } };

export function anthropicWriter({ id, origin }: Site): (request: ModelRequest) => Buffer {
  let names: ToolNames = toolNames([]);
  // Arrays without their brackets; empty when there is nothing in them.
  const bare = jsonBytes((message: ModelMessage) =>
    toJson(blocksOf(message, names, origin.model)).subarray(1, -1),
  );
  const marked = (message: ModelMessage): Buffer =>
    toJson(markLast(blocksOf(message, names, origin.model))).subarray(1, -1);
  const tool = jsonBytes((one: ModelTool) => toJson(writeTool(one, names)));
  const lastTool = jsonBytes((one: ModelTool) => toJson({ ...writeTool(one, names), ...keep }));

  return (request) => {
    names = toolNames(request.tools);
    const messages = boundImages(pairedMessages(request.messages), true);
    const runs = joinRuns(messages, (message) =>
      message === messages.at(-1) ? marked(message) : bare(message),
    );
    const last = request.tools.at(-1);
    const written = request.tools.map((one) => (one === last ? lastTool(one) : tool(one)));
    const toolList =
      last === undefined ? [] : [Buffer.from(',"tools":['), ...joinJson(written), Buffer.from(']')];
    const settings = {
      model: id,
      max_tokens: request.maxTokens ?? defaultMaxTokens(id),
      stream: true,
      ...(request.system !== '' && { system: [{ type: 'text', text: request.system, ...keep }] }),
    };
    return Buffer.concat([
      toJson(settings).subarray(0, -1),
      ...toolList,
      Buffer.from(',"messages":['),
      ...runs,
      Buffer.from(']}'),
    ]);
  };
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
  // A signature holds for the model that made it.
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

/** Blocks of nothing but blanks are refused. */
function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function defaultMaxTokens(id: string): number {
  if (/^claude-3-(opus|sonnet|haiku)/.test(id)) return 4096;
  return id.startsWith('claude-3-5') ? 8192 : 32_000;
}
