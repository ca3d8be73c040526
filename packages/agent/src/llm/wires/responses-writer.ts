// Writes a request of the Responses API. Nothing is stored at the provider: encrypted reasoning is sent back with the items it led to.
import type { ImagePart, Reply } from '@codelab/protocol';
import type { ModelMessage, ModelRequest, ModelTool } from '../../model.ts';
import { wireId } from '../request/call-ids.ts';
import { joinJson, jsonBytes, toJson } from '../request/json-bytes.ts';
import type { LengthLimit } from '../request/length-limit.ts';
import type { OptionalParts } from '../request/optional-parts.ts';
import { pairedMessages, withThoughts } from '../request/paired-messages.ts';
import { type ToolNames, toolNames } from '../request/tool-names.ts';
import { boundImages, dataUrl, hasImages } from '../request/wire-images.ts';
import type { Site } from '../wire.ts';
import type { ResponsesOpaque } from './responses-reader.ts';

type Item = Record<string, unknown>;

const idForm = { maxLength: 64 };

export function responsesWriter(
  site: Site,
  parts: OptionalParts,
  length: LengthLimit,
): (request: ModelRequest) => Buffer {
  let names: ToolNames = toolNames([]);
  // Arrays without their brackets: one message may be several items.
  const message = jsonBytes((modelMessage: ModelMessage) =>
    toJson(itemsOf(modelMessage, names, site.origin.model)).subarray(1, -1),
  );
  const tool = jsonBytes((modelTool: ModelTool) => toJson(writeTool(modelTool, names)));
  const toolList = jsonBytes((modelTools: ModelRequest['tools']) =>
    Buffer.concat([opens.tools, ...joinJson(modelTools.map(tool)), closes.list]),
  );

  return (request) => {
    parts.begin();
    names = toolNames(request.tools);
    const paired = pairedMessages(request.messages);
    const messages = boundImages(withThoughts(paired, parts), hasImages(paired) && parts.use('images'));
    const input = messages.map(message).filter(({ length }) => length > 0);
    const tools = request.tools.length === 0 ? [] : [toolList(request.tools)];
    return Buffer.concat([
      toJson(settingsOf(site, request, parts, length)).subarray(0, -1),
      ...tools,
      opens.input,
      ...joinJson(input),
      closes.all,
    ]);
  };
}

const opens = { tools: Buffer.from(',"tools":['), input: Buffer.from(',"input":[') };
const closes = { list: Buffer.from(']'), all: Buffer.from(']}') };

function settingsOf(
  { id, quirks }: Site,
  request: ModelRequest,
  parts: OptionalParts,
  length: LengthLimit,
): Item {
  const { system, maxTokens, effort, cacheKey } = request;
  const reasons = !withoutReasoning.test(id);
  const reasoning = {
    ...(effort !== undefined && parts.use('effort') && { effort }),
    ...(reasons && parts.use('summary') && { summary: 'auto' }),
  };
  return {
    model: id,
    stream: parts.use('stream'),
    store: false,
    ...(reasons && parts.use('encrypted') && { include: ['reasoning.encrypted_content'] }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...length.write(maxTokens),
    ...(quirks.takesCacheKey &&
      cacheKey !== undefined &&
      parts.use('cacheKey') && { prompt_cache_key: cacheKey }),
    ...(system !== '' && { instructions: system }),
  };
}

/** Models known not to reason; any other is asked for its reasoning, and not again if it refuses. */
const withoutReasoning = /^(?:gpt-[34]|chatgpt-|gpt-5(?:\.\d+)?-chat)/;

/** Strict schemas would have to list every property as required. */
function writeTool({ name, summary, input }: ModelTool, names: ToolNames): Item {
  return {
    type: 'function',
    name: names.toWire(name),
    description: summary,
    parameters: input,
    strict: false,
  };
}

function itemsOf(message: ModelMessage, names: ToolNames, model: string): Item[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(message.text, message.images) }];
    case 'tool': {
      const output = contentOf(message.text, message.images);
      return [{ type: 'function_call_output', call_id: wireId(message.callId, idForm), output }];
    }
    case 'assistant':
      return replyItems(message.reply, names, model);
  }
}

function contentOf(text: string, images: readonly ImagePart[] = []): string | Item[] {
  if (images.length === 0) return text;
  const imageParts = images.map((image) => ({
    type: 'input_image',
    detail: 'auto',
    image_url: dataUrl(image),
  }));
  return text.trim() === '' ? imageParts : [{ type: 'input_text', text }, ...imageParts];
}

function replyItems(reply: Reply, names: ToolNames, model: string): Item[] {
  const calls = reply.calls.map(({ id, tool, args }) => ({
    type: 'function_call',
    call_id: wireId(id, idForm),
    name: names.toWire(tool),
    arguments: JSON.stringify(args),
  }));
  const items = orderOf(reply, model);
  if (items === undefined) return [...messageItems(reply.text), ...calls];
  let from = 0;
  return items.flatMap((entry): Item[] => {
    if ('reasoning' in entry) return [entry.reasoning];
    if ('call' in entry) return calls.slice(entry.call, entry.call + 1);
    const text = reply.text.slice(from, from + entry.text);
    from += entry.text;
    return messageItems(text, entry.phase);
  });
}

/** Reasoning is valid only for the model that wrote it, and only with the items that followed it. */
function orderOf(reply: Reply, model: string): ResponsesOpaque['items'] | undefined {
  const { items } = (reply.opaque ?? {}) as Partial<ResponsesOpaque>;
  if (items === undefined || reply.model !== model) return undefined;
  // Calls that were written as text are no longer in the text: then the lengths do not fit.
  const chars = items.reduce((sum, entry) => sum + ('text' in entry ? entry.text : 0), 0);
  if (chars !== reply.text.length) return undefined;
  const last = items.findLastIndex((entry) => !('reasoning' in entry));
  return items.slice(0, last + 1);
}

function messageItems(text: string, phase?: string): Item[] {
  return text === '' ? [] : [{ role: 'assistant', content: text, ...(phase !== undefined && { phase }) }];
}
