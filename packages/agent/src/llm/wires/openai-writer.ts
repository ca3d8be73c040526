// Writes a request of chat completions. The written form of each message and tool is reused for the next request.
import type { ImagePart, Reply } from '@codelab/protocol';
import type { ModelMessage, ModelRequest, ModelTool } from '../../model.ts';
import { wireId } from '../request/call-ids.ts';
import { joinJson, jsonBytes, toJson } from '../request/json-bytes.ts';
import type { LengthLimit } from '../request/length-limit.ts';
import type { OptionalParts } from '../request/optional-parts.ts';
import { joinUserRuns, pairedMessages, withThoughts } from '../request/paired-messages.ts';
import { type ToolNames, toolNames } from '../request/tool-names.ts';
import { boundImages, dataUrl, hasImages, liftImages } from '../request/wire-images.ts';
import type { Site } from '../wire.ts';
import type { OpenaiOpaque } from './openai-reader.ts';

export function openaiWriter(
  site: Site,
  parts: OptionalParts,
  length: LengthLimit,
): (request: ModelRequest) => Buffer {
  const { id, origin, quirks } = site;
  let names: ToolNames = toolNames([]);
  // OpenAI and proxies to it accept 40 characters, Mistral's models exactly 9 wherever they run.
  const isMistral = /mistral|codestral|devstral|magistral/i.test(`${origin.url.hostname} ${id}`);
  const idForm = quirks.callIds ?? (isMistral ? { maxLength: 9, isExact: true } : { maxLength: 40 });
  const callId = (id: string): string => wireId(id, idForm);
  let system = { text: '', bytes: toJson({ role: 'system', content: '' }) };
  const message = jsonBytes((modelMessage: ModelMessage) =>
    toJson(writeMessage(modelMessage, { names, model: origin.model, callId })),
  );
  const tool = jsonBytes((modelTool: ModelTool) => toJson(writeTool(modelTool, names)));
  const toolList = jsonBytes((modelTools: ModelRequest['tools']) =>
    Buffer.concat([opens.tools, ...joinJson(modelTools.map(tool)), closes.list]),
  );

  function head(text: string): Buffer[] {
    if (text === '') return [];
    if (text !== system.text) system = { text, bytes: toJson({ role: 'system', content: text }) };
    return [system.bytes];
  }

  return (request) => {
    parts.begin();
    names = toolNames(request.tools);
    const paired = pairedMessages(request.messages);
    const bound = boundImages(withThoughts(paired, parts), hasImages(paired) && parts.use('images'));
    const messages = [...head(request.system), ...joinUserRuns(liftImages(bound)).map(message)];
    const tools = request.tools.length === 0 ? [] : [toolList(request.tools)];
    return Buffer.concat([
      toJson(settingsOf(site, request, parts, length)).subarray(0, -1),
      ...tools,
      opens.messages,
      ...joinJson(messages),
      closes.all,
    ]);
  };
}

function settingsOf(
  { id, quirks }: Site,
  request: ModelRequest,
  parts: OptionalParts,
  length: LengthLimit,
): object {
  const { maxTokens, effort, cacheKey } = request;
  const stream = parts.use('stream');
  const reasoning = quirks.effortInObject ? { reasoning: { effort } } : { reasoning_effort: effort };
  return {
    model: id,
    stream,
    ...(stream &&
      !quirks.isCountedUnasked &&
      parts.use('usage') && { stream_options: { include_usage: true } }),
    ...length.write(maxTokens),
    ...(effort !== undefined && parts.use('effort') && reasoning),
    ...(quirks.takesCacheKey && cacheKey && parts.use('cacheKey') && { prompt_cache_key: cacheKey }),
  };
}

const opens = { tools: Buffer.from(',"tools":['), messages: Buffer.from(',"messages":[') };
const closes = { list: Buffer.from(']'), all: Buffer.from(']}') };

function writeTool({ name, summary, input }: ModelTool, names: ToolNames): unknown {
  return {
    type: 'function',
    function: { name: names.toWire(name), description: summary, parameters: input },
  };
}

type Spelling = { names: ToolNames; model: string; callId(id: string): string };

function writeMessage(message: ModelMessage, spelling: Spelling): unknown {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message.text, message.images) };
    case 'tool':
      return { role: 'tool', tool_call_id: spelling.callId(message.callId), content: message.text };
    case 'assistant':
      return writeReply(message.reply, spelling);
  }
}

function userContent(text: string, images: readonly ImagePart[] = []): unknown {
  if (images.length === 0) return text;
  const parts = images.map((image) => ({ type: 'image_url', image_url: { url: dataUrl(image) } }));
  return text.trim() === '' ? parts : [{ type: 'text', text }, ...parts];
}

function writeReply(reply: Reply, { names, model, callId }: Spelling): unknown {
  const { text, calls } = reply;
  if (calls.length === 0) return { role: 'assistant', content: text };
  // Reasoning is useless to another model.
  const opaque: OpenaiOpaque = reply.model === model ? ((reply.opaque ?? {}) as OpenaiOpaque) : {};
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(opaque.field !== undefined && { [opaque.field]: reply.reasoning ?? '' }),
    ...(opaque.details !== undefined && { reasoning_details: opaque.details }),
    tool_calls: calls.map(({ id, tool, args }, i) => ({
      id: callId(id),
      type: 'function',
      function: { name: names.toWire(tool), arguments: JSON.stringify(args) },
      ...(opaque.extra?.[i] !== undefined && { extra_content: opaque.extra[i] }),
    })),
  };
}
