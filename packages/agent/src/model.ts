// What the loop asks of a model, whatever wire it speaks: the conversation in, a stream out that ends with the whole reply.
import type { Effort, ImagePart, Reply } from '@codelab/protocol';

/** One message of the conversation. Messages are never changed once made: a wire may remember what it wrote for one. */
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

/** A tool as a model is told of it; `input` is a JSON Schema. */
export type ModelTool = { name: string; summary: string; input: unknown };

export type ModelRequest = {
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** How many tokens the reply may have; the provider's own limit when nothing is said. */
  maxTokens?: number;
  /** How many tokens the request and its reply may have together. */
  window?: number;
  /** How much the model should reason; its own default when nothing is said. */
  effort?: Effort;
  /** The same for all requests of one conversation, so that the provider finds what it kept of it. */
  cacheKey?: string;
};

export type ModelEvent =
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  /** The model has begun to write a call; its arguments are not there yet. */
  | { type: 'call'; id: string; tool: string }
  /** It is asked again, from the start. `discards`: what was streamed of this reply is void. */
  | { type: 'retry'; attempt: number; afterMs: number; reason: string; discards: boolean }
  /** For the user: something was left out of the request. */
  | { type: 'notice'; text: string }
  | { type: 'reply'; reply: Reply };

export type Model = {
  /** As the user names it: `openai/gpt-5`, `demo`. */
  name: string;
  /** How many tokens a request and its reply may have together; corrected when the provider turns out to take fewer. */
  contextTokens: number;
  /** Asks the server how many those are, where nobody said it, before a request of about so many tokens. */
  learnWindow?(tokens: number): Promise<void>;
  /** Throws a ToolError: LLM_ERROR with the reason, or CANCELLED. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};
