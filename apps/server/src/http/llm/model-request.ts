// A chat completion request for models that do not use OpenAI's format.
import type { ModelMessage, ModelRequest } from '@codelab/agent';
import type { CompletionMessage, CompletionRequest } from '@codelab/api';
import type { Reply } from '@codelab/protocol';
import { ProxyError } from './proxy-error.ts';

export function modelRequest(request: CompletionRequest): ModelRequest {
  const system = request.messages.filter(isInstruction).map(textOf).join('\n\n');
  const names = new Map<string, string>();
  const messages = request.messages
    .filter((message) => !isInstruction(message))
    .map((message) => toMessage(message, names));
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  const tools = (request.tools ?? []).map(({ function: { name, description = '', parameters } }) => ({
    name,
    summary: description,
    input: parameters ?? { type: 'object', properties: {} },
  }));
  return { system, messages, tools, ...(maxTokens != null && { maxTokens }) };
}

function isInstruction({ role }: CompletionMessage): boolean {
  return role === 'system' || role === 'developer';
}

/** `names` learns which tool a call was for: a result only says the call. */
function toMessage(message: CompletionMessage, names: Map<string, string>): ModelMessage {
  const text = textOf(message);
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', reply: replyOf(message, text, names) };
    case 'tool': {
      const callId = message.tool_call_id;
      const tool = callId === undefined ? undefined : names.get(callId);
      if (callId === undefined || tool === undefined)
        throw new ProxyError(
          'INVALID_REQUEST',
          'A `tool` message must answer a call of a message before it.',
        );
      return { role: 'tool', callId, tool, text, isError: false };
    }
    default:
      return { role: 'user', text };
  }
}

function replyOf(message: CompletionMessage, text: string, names: Map<string, string>): Reply {
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: written } }) => {
    names.set(id, name);
    return { id, tool: name, args: readArguments(written) };
  });
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { model: '', text, calls, usage, stop: calls.length > 0 ? 'calls' : 'end' };
}

function readArguments(written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written === '' ? '{}' : written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {}
  throw new ProxyError('INVALID_REQUEST', '`arguments` of a tool call must be a JSON object.');
}

function textOf({ content }: CompletionMessage): string {
  if (content == null || typeof content === 'string') return content ?? '';
  return content
    .map(({ type, text }) => {
      if (type === 'text' && text !== undefined) return text;
      throw new ProxyError('INVALID_REQUEST', `This model takes text only, no \`${type}\`.`);
    })
    .join('');
}
