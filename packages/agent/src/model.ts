// The model's side of the loop, whatever its wire: takes the conversation, and returns a stream that ends with the whole reply.
import type { Effort, ImagePart, Reply } from '@codelab/protocol';

/** One message of the conversation. Messages are immutable, so a wire may cache their written form. */
export type ModelMessage =
  | { role: 'user'; text: string; images?: readonly ImagePart[] }
  | { role: 'assistant'; reply: Reply }
  | {
      role: 'tool';
      callId: string;
      tool: string;
      text: string;
      isError: boolean;
      images?: readonly ImagePart[];
    };

/** A tool as described to a model; `input` is a JSON Schema. */
export type ModelTool = { name: string; summary: string; input: unknown };

export type ModelRequest = {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** Maximum number of tokens of the reply; the provider's own limit by default. */
  maxTokens?: number;
  /** Maximum number of tokens of the request and its reply together. */
  window?: number;
  /** How much the model should reason; its own default when undefined. */
  effort?: Effort;
  /** The same for all requests of one conversation, so that the provider finds them in its cache. */
  cacheKey?: string;
};

export type ModelEvent =
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  /** The model has begun to write a call; its arguments have not arrived yet. */
  | { type: 'call'; id: string; tool: string }
  /** The request is repeated from the start. `discards`: what was streamed of this reply is void. */
  | { type: 'retry'; attempt: number; afterMs: number; reason: string; discards: boolean }
  /** For the user: a part of the request was left out. */
  | { type: 'notice'; text: string }
  | { type: 'reply'; reply: Reply };

export type Model = {
  /** The name in CodeLab: `openai/gpt-5`, `demo`. */
  name: string;
  /** Maximum number of tokens of a request and its reply together; corrected when the provider accepts fewer. */
  contextTokens: number;
  /** Asks the server for its window, where it is not configured, before a request of about so many tokens. */
  learnWindow?(tokens: number): Promise<void>;
  /** Throws a ToolError: LLM_ERROR with the reason, or CANCELLED. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};
